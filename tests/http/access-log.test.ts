import { describe, expect, it } from "vitest";
import { call, logIn, tokenOf, type App } from "../support/app";
import { app, useApp } from "../support/shared-app";
import { makeBookedExplorer, makeTour, PASSWORD } from "../support/factories";

useApp();

const enter = (
  server: Pick<App, "url">,
  fields: Record<string, string>,
  options: Parameters<typeof call>[3] = {},
) => call(server, "POST", "/login", { ...options, raw: new URLSearchParams(fields) });

describe("the access log", () => {
  it("is one JSON object a line and tells no secret", async () => {
    const start = app.log().length;
    const tour = await makeTour();
    const user = await makeBookedExplorer(tour, { email: "log-4711@example.test" });
    const password = "Hunter2-4711";
    const secretQuery = "query-4711";
    const token = await tokenOf(user);
    const cookie = await logIn(app, user.email);
    const tourId = tour._id.toString();
    const answers = [
      await enter(app, { email: user.email, password, redirectTo: `/?${secretQuery}` }),
      await call(app, "GET", `/?${secretQuery}`, { cookie }),
      await call(app, "GET", `/login?redirectTo=${secretQuery}`, {
        headers: { referer: `${app.url}/?${secretQuery}` },
      }),
      await call(app, "POST", "/api/reviews", {
        token,
        body: { tourId, rating: 5, comment: "comment-4711" },
      }),
      await call(app, "GET", `/api/reviews?tourId=${tourId}&x=${secretQuery}`, { cookie, token }),
      await call(app, "GET", `/nope-${tourId}?${secretQuery}`),
      await call(app, "GET", "/unsubscribe/token-4711"),
      await call(app, "POST", "/unsubscribe/token-4711.data", { raw: new URLSearchParams() }),
      await call(app, "GET", "/%75nsubscribe/token-4711?_data=token-4711"),
      await call(app, "GET", "//UNSUBSCRIBE%2ftoken-4711", {
        headers: { referer: `${app.url}/unsubscribe/token-4711` },
      }),
      await call(app, "GET", "/reset;token-4711"),
      await call(app, "GET", "/reset%EF%BC%8Ftoken-4711.data"),
      await call(app, "POST", "/me/address/x/token-4711", { raw: new URLSearchParams() }),
      await call(app, "PUT", "/signup/token-4711"),
      await call(app, "GET", `/favicon.svg?${secretQuery}`),
      await call(app, "GET", `/tours/%ff?${secretQuery}`),
      await call(app, "POST", `/login?${secretQuery}`, { body: { password } }),
      await call(app, "POST", "/login", { raw: `${password}`.repeat(7_000) }),
      await call(app, "POST", "/logout", { cookie }),
    ];
    await expect
      .poll(() => app.log().slice(start))
      .toContain(answers.at(-1)!.headers.get("x-request-id"));

    const lines = app.log().slice(start).trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const answer of answers) {
      const id = answer.headers.get("x-request-id");
      const [entry] = entries.filter((line) => line.requestId === id && "ms" in line);
      expect(entry).toMatchObject({
        method: expect.stringMatching(/^(GET|POST|PUT)$/) as string,
        path: expect.stringMatching(/^\/[^?]*$/) as string,
        status: answer.status,
      });
      expect(Date.parse(entry!.time as string)).toBeGreaterThan(Date.now() - 60_000);
    }
    const logged = lines.join("\n");
    for (const secret of ["4711", token, token.slice(4), cookie, cookie.slice(8, 40), PASSWORD])
      expect(logged).not.toContain(secret);
  });

  it("has only JSON in it after everything that these tests do", () => {
    for (const line of app.log().trim().split("\n"))
      expect(() => void JSON.parse(line)).not.toThrow();
  });
});
