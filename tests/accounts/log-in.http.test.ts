import { describe, expect, test } from "vitest";
import { Session } from "#models/session";
import { CONFIRMED } from "#models/booking";
import { User } from "#models/user";
import { call, cookieOf } from "../support/app";
import { app, post, useApp } from "../support/shared-app";
import {
  makeBookedExplorer,
  makeBooking,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";

useApp();

const enter = (fields: Record<string, string>) => post("/login", fields);

describe("logging in", () => {
  test.each([
    ["//evil.example", "/"],
    [
      "/tours/café-€?x=//evil.example#reviews",
      "/tours/caf%C3%A9-%E2%82%AC?x=//evil.example#reviews",
    ],
  ])(
    "leads to %s as %s, also where somebody is logged in already",
    async (redirectTo, location) => {
      const { email } = await makeUser();
      const answer = await enter({ email, password: PASSWORD, redirectTo });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
      expect(answer.headers.getSetCookie()).toHaveLength(1);
      const cookie = cookieOf(answer);
      const path = `/login?redirectTo=${encodeURIComponent(redirectTo)}`;
      expect((await call(app, "GET", path, { cookie })).headers.get("location")).toBe(location);
    },
  );

  describe("without a page that was asked for, leads to where there is something to do", () => {
    const FROM = "/guides/someone?page=2";
    /** Where the log-in leads, and the log-in page once the user is logged in. */
    async function landing({ email }: { email: string }, asked: Record<string, string>) {
      const answer = await enter({ email, password: PASSWORD, ...asked });
      expect(answer.status).toBe(302);
      const path = `/login?${new URLSearchParams(asked)}`;
      const again = await call(app, "GET", path, { cookie: cookieOf(answer) });
      return [answer, again].map(({ headers }) => headers.get("location"));
    }
    const lands = async (user: { email: string }, place: string, asked = { from: FROM }) =>
      expect(await landing(user, asked)).toEqual([place, place]);

    test("to /me while tours wait, and back once they are reviewed", async () => {
      const tour = await makeTour();
      const ann = await makeBookedExplorer(tour);
      await lands(ann, "/me");
      expect(await landing(ann, { redirectTo: "/", from: FROM })).toEqual(["/", "/"]);
      await makeReview(ann, tour);
      await lands(ann, FROM);
      expect(await landing(ann, {})).toEqual(["/", "/"]);
      expect(await landing(ann, { from: "//evil.example" })).toEqual(["/", "/"]);
    });

    test("to /guide while departures wait to be completed", async () => {
      const hour = 60 * 60 * 1_000;
      const ago = new Date(Date.now() - hour);
      const ahead = new Date(Date.now() + hour);
      const guideOf = async (date: Date | null, status: string, booked: Date | null = null) => {
        const tour = await makeTour({ date });
        await makeBooking(await makeUser(), tour, { status, date: booked });
        return (await User.findById(tour.createdById).lean())!;
      };
      await lands(await guideOf(ahead, CONFIRMED), FROM);
      await lands(await guideOf(ago, "CANCELLED"), FROM);
      await lands(await guideOf(new Date(Date.now() - 31 * 24 * hour), CONFIRMED), FROM);
      await lands(await guideOf(null, CONFIRMED), "/guide");
      await lands(await guideOf(null, CONFIRMED, ahead), FROM);
      const both = await guideOf(ago, CONFIRMED);
      await lands(both, "/guide");
      // Tours that wait for a guide's own review come first.
      await makeBooking(both, await makeTour());
      await lands(both, "/me");
    });
  });

  test.each([
    ["an address that is markup", { email: `"><script>alert(1)</script>`, password: "x-4711-x" }],
    ["a password of 60,000 characters", { password: "p4711".repeat(12_000) }],
  ])("shows the form again for %s", async (_, fields) => {
    const user = await makeUser();
    const sent = { email: user.email, ...fields };
    const { status, headers, text } = await enter(sent);
    expect(status).toBe(400);
    expect(headers.get("set-cookie")).toBeNull();
    expect(text).toContain("The e-mail address or the password is wrong.");
    const entities: Record<string, string> = { '"': "&quot;", "<": "&lt;", ">": "&gt;" };
    const escaped = sent.email.replace(/["<>]/g, (character) => entities[character]!);
    expect(text).toContain(`value="${escaped}"`);
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain(sent.password);
    expect(/<input[^>]*name="password"[^>]*>/.exec(text)![0]).not.toContain("value=");
    expect(await Session.countDocuments()).toBe(0);
  });

  test("answers 400 to a body that is not a form, and to a file as a password", async () => {
    const { email } = await makeUser();
    const raw = new FormData();
    raw.set("email", email);
    raw.set("password", new File([PASSWORD], "password.txt"));
    const broken = { "content-type": "multipart/form-data; boundary=x" };
    for (const options of [
      { body: { email, password: PASSWORD } },
      { raw: "nonsense", headers: broken },
      { raw },
    ]) {
      const { status, headers } = await call(app, "POST", "/login", options);
      expect([status, headers.get("content-type")]).toEqual([
        400,
        expect.stringMatching(/^text\/html/),
      ]);
    }
  });
});
