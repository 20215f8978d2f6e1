import { describe, expect, it } from "vitest";
import { call, logIn, startApp, tokenOf, type Answer, type App } from "../support/app";
import { databaseUri } from "../support/database";
import { startDatabaseProxy } from "../support/outages";
import { PATTERNS } from "../support/manifest";
import { addressOfPattern } from "../support/access-tables";
import { app, useApp } from "../support/shared-app";
import { makeWorld } from "../support/world";
import { makeBookedExplorer, makeTour, PASSWORD } from "../support/factories";

useApp();

const enter = (
  server: Pick<App, "url">,
  fields: Record<string, string>,
  options: Parameters<typeof call>[3] = {},
) => call(server, "POST", "/login", { ...options, raw: new URLSearchParams(fields) });

type Line = Record<string, unknown>;

/** The line of the log about the request that got this answer, once it is written. */
async function lineOf({ log }: Pick<App, "log">, { headers }: Answer): Promise<Line> {
  const id = headers.get("x-request-id")!;
  const found = () =>
    log()
      .split("\n")
      .find((line) => line.includes(`"requestId":"${id}"`) && line.includes('"ms"'));
  await expect.poll(found).toBeDefined();
  return JSON.parse(found()!) as Line;
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("a line of the access log", () => {
  it("names the route, whatever the address", async () => {
    const world = await makeWorld();
    // Requests of probes are logged only at level debug.
    const patterns = PATTERNS.filter((pattern) => !/^\/(healthz|livez|metrics)$/.test(pattern));
    for (const pattern of patterns) {
      const answer = await call(app, "GET", addressOfPattern(pattern, world));
      expect(await lineOf(app, answer)).toMatchObject({ route: pattern });
    }
    for (const [path, route] of [
      ["/TOURS/nope.data", "/tours/:slug"],
      ["/build/nope.js", "/build/*"],
      ["/api/reviews/x/y", "/api/*"],
      [`/${"x/".repeat(500)}`, "/*"],
    ] as const)
      expect(await lineOf(app, await call(app, "GET", path))).toMatchObject({ route });
  });

  it("has the browser's name, the network and the bytes, and a user id that means nothing outside the site", async () => {
    const tour = await makeTour();
    const user = await makeBookedExplorer(tour);
    const cookie = await logIn(app, user.email);
    const headers = { "user-agent": FIREFOX };
    const page = await lineOf(app, await call(app, "GET", "/me", { cookie, headers }));
    expect(page).toMatchObject({ agent: "Firefox on Linux", status: 200, level: 30 });
    expect(page.network).toMatch(/^(127\.0\.0\.0\/24|::\/48)$/);
    const full = await call(app, "GET", "/about/reviews", { headers: { "accept-encoding": "" } });
    expect((await lineOf(app, full)).bytes).toBeGreaterThan(full.text.length);
    const token = await tokenOf(user);
    const api = await call(app, "POST", "/api/reviews", { token, body: {} });
    expect(page.user).toMatch(/^[\w-]{16}$/);
    expect((await lineOf(app, api)).user).toBe(page.user);
    const another = await call(app, "GET", "/me", {
      cookie: await logIn(app, (await makeBookedExplorer(tour)).email),
    });
    expect((await lineOf(app, another)).user).not.toBe(page.user);
    expect(await lineOf(app, await call(app, "GET", "/"))).not.toHaveProperty("user");
    expect(app.log()).not.toContain(user._id.toString());
  });

  it("ignores a request id from a proxy that is not trusted, and is at level debug for a probe", async () => {
    const probe = await call(app, "GET", "/healthz");
    const headers = { "x-request-id": "foreign-1" };
    await lineOf(app, await call(app, "GET", "/", { headers }));
    expect(app.log()).not.toContain("foreign-1");
    expect(app.log()).not.toContain(probe.headers.get("x-request-id"));
  });
});

describe("the log of a site behind a proxy, whose database becomes unreachable", () => {
  it("has the proxy's id if it is harmless, and logs failures at level error", async () => {
    const database = await startDatabaseProxy(databaseUri());
    const site = await startApp(database.uri, { TRUST_PROXY: "true", LOG_LEVEL: "debug" });
    const ask = (path: string, id: string) =>
      call(site, "GET", path, {
        headers: { "x-request-id": id, "x-forwarded-for": "203.0.113.77" },
      });
    const line = await lineOf(site, await ask("/", "4f.Ab:9-z_"));
    expect(line).toMatchObject({ proxyRequestId: "4f.Ab:9-z_", network: "203.0.113.0/24" });
    for (const id of ["a b", "x".repeat(65), "<script>"])
      expect(await lineOf(site, await ask("/", id))).not.toHaveProperty("proxyRequestId");
    expect(await lineOf(site, await ask("/healthz", "x"))).toMatchObject({ level: 20 });

    await database.cut();
    const missing = `/api/reviews/${"0".repeat(24)}`;
    const answers = [];
    for (let n = 0; n < 8; n++) answers.push(await ask(missing, "x"));
    for (const answer of answers)
      expect(await lineOf(site, answer)).toMatchObject({ level: 50, status: 500 });
    await site.stop();
    await database.close();
    const failures = site
      .log()
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as Line)
      .filter(({ msg }) => msg === "Failed to fetch review");
    expect(failures).toHaveLength(8);
    expect(site.log()).not.toContain("203.0.113.77");
  });
});

describe("the access log", () => {
  it("is one JSON object per line and contains no secret", async () => {
    const start = app.log().length;
    const tour = await makeTour();
    const user = await makeBookedExplorer(tour, { email: "log-quokka@example.test" });
    const password = "Hunter2-quokka";
    const secretQuery = "query-quokka";
    const token = await tokenOf(user);
    const cookie = await logIn(app, user.email);
    const tourId = tour._id.toString();
    const answers = [
      await enter(app, { email: user.email, password, redirectTo: `/?${secretQuery}` }),
      await call(app, "GET", `/?${secretQuery}`, { cookie }),
      await call(app, "POST", "/api/reviews", {
        token,
        body: { tourId, rating: 5, comment: "comment-quokka" },
      }),
      await call(app, "GET", `/api/reviews?tourId=${tourId}&x=${secretQuery}`, { cookie, token }),
      await call(app, "POST", "/unsubscribe/token-quokka.data", { raw: new URLSearchParams() }),
      await call(app, "GET", "/%75nsubscribe/token-quokka?_data=token-quokka"),
      await call(app, "GET", "//UNSUBSCRIBE%2ftoken-quokka", {
        headers: { referer: `${app.url}/unsubscribe/token-quokka` },
      }),
      await call(app, "GET", "/reset%EF%BC%8Ftoken-quokka.data"),
      await call(app, "POST", `/login?${secretQuery}`, { body: { password } }),
      await call(app, "POST", "/login", { raw: `${password}`.repeat(7_000) }),
      await call(app, "POST", "/logout", { cookie }),
    ];
    await expect
      .poll(() => app.log().slice(start))
      .toContain(answers.at(-1)!.headers.get("x-request-id"));

    const lines = app.log().slice(start).trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line) as Line);
    for (const answer of answers) {
      const id = answer.headers.get("x-request-id");
      const [entry] = entries.filter((line) => line.requestId === id && "ms" in line);
      expect(entry).toMatchObject({
        method: expect.stringMatching(/^(GET|POST|PUT)$/) as string,
        route: expect.stringMatching(/^\/[^?]*$/) as string,
        status: answer.status,
      });
      expect(Date.parse(entry!.time as string)).toBeGreaterThan(Date.now() - 60_000);
    }
    const logged = lines.join("\n");
    for (const secret of ["quokka", token, token.slice(4), cookie, cookie.slice(8, 40), PASSWORD])
      expect(logged).not.toContain(secret);
  });
});
