import { describe, expect, it, test } from "vitest";
import { COMMENT_MAX_LENGTH } from "~/lib/review-limits";
import { RateLimitCount } from "#models/rate-limit";
import { Session } from "#models/session";
import { linkTo } from "../support/mail";
import { call, cookieOf, shown } from "../support/app";
import { contents } from "../support/database";
import { makeBookedExplorer, makeTour, makeUser, PASSWORD } from "../support/factories";
import { CHANGES } from "../support/access-tables";
import { app, get, post, useApp } from "../support/shared-app";
import { makeWorld } from "../support/world";

// The data that visitors who are not logged in can make the site store for them.

useApp();

describe("a review that is kept during the log-in", () => {
  const sessions = () => Session.find().lean();
  const formOf = (email: string, comment: string) => ({
    email,
    password: PASSWORD,
    redirectTo: "/",
    rating: "4",
    tag: "",
    comment,
  });
  const LONGEST = "😀".repeat(COMMENT_MAX_LENGTH);

  it("is kept up to the greatest length that its form can send", async () => {
    const { email } = await makeUser();
    const fields = { ...formOf(email, ` ${LONGEST}\r\n`), rating: "4 stars", tag: "x".repeat(65) };
    expect((await post("/login", fields)).status).toBe(302);
    const [session] = await sessions();
    expect(session!.data.waiting).toMatchObject({ comment: LONGEST, rating: "", tag: "" });
  });

  it("is given back to be shortened when it is longer, before and after the password", async () => {
    const tour = await makeTour();
    const { email } = await makeBookedExplorer(tour);
    const comment = `${"word ".repeat(1_200)}end`;
    const path = `/tours/${tour.slug}`;
    const sent = await post(path, { rating: "4", comment });
    expect([sent.status, sent.headers.get("location")]).toEqual([
      307,
      `/login?redirectTo=${encodeURIComponent(`${path}#write`)}`,
    ]);
    const redirectTo = path;
    for (const fields of [
      { rating: "4", comment },
      { ...formOf(email, comment), redirectTo },
    ]) {
      const answer = await post("/login", fields);
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([400, null]);
      expect(shown(answer)).toContain("Your comment is 1,003 characters too long.");
      expect(answer.text).toMatch(/<textarea[^>]*name="comment"/);
      expect(answer.text).toContain(comment);
      expect(answer.text).toContain('name="rating" value="4"');
    }
    expect(await sessions()).toEqual([]);
    const short = await post("/login", { ...formOf(email, "Shortened"), redirectTo });
    expect((await get(path, cookieOf(short))).text).toContain("Shortened");
  });
});

test("no other site or link can put words into the form", async () => {
  const planted = new URLSearchParams({
    rating: "1",
    comment: "planted",
    redirectTo: "/tours/one",
  });
  const page = await get(`/login?${planted}`);
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('value="planted"');
  const headers = { origin: "https://other.example" };
  expect((await call(app, "POST", "/login", { raw: planted, headers })).status).toBe(403);
});

test("a path to return to is kept up to 2,000 characters", async () => {
  for (const [length, kept] of [
    [1_999, true],
    [2_001, false],
  ] as const) {
    const redirectTo = `/${"x".repeat(length)}`.slice(0, length);
    const email = `ann${length}@example.test`;
    await post("/signup", { email, redirectTo });
    const form = { name: "Ann", password: "seven blue boats" };
    const answer = await post(await linkTo(email, "sign-up"), form);
    expect(answer.headers.get("location")).toBe(kept ? redirectTo : "/");
  }
});

test("a session without a user keeps a notice for an hour, and ends with it", async () => {
  const user = await makeUser();
  await post("/reset", { email: user.email });
  const done = await post(await linkTo(user.email, "reset"), { newPassword: "seven blue boats" });
  const [session] = await Session.find().lean();
  expect(session!.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 60 * 60 * 1_000);
  expect(done.headers.getSetCookie()[0]).toContain("Max-Age=3600;");
  const page = await get("/login?redirectTo=%2Fme", cookieOf(done));
  expect(shown(page)).toContain("Your password is changed");
  expect(shown(page)).not.toContain("You were logged out.");
  expect(page.headers.getSetCookie()[0]).toContain("Expires=Thu, 01 Jan 1970");
  expect(await Session.countDocuments()).toBe(0);
});

test(
  "forms of 60 KB from strangers leave no session and no long record",
  { timeout: 120_000 },
  async () => {
    const world = await makeWorld();
    const known = await Session.countDocuments();
    const before = new Set(Object.values(await contents()).flatMap((found) => found.map(idOf)));
    for (const [, { method, path, fields, body }] of CHANGES) {
      for (const field of [
        ...Object.keys(fields(world)),
        "redirectTo",
        "comment",
        "rating",
        "tag",
      ]) {
        const long = `/${"x".repeat(20_000)}`;
        const value = field === "email" ? `${long}@example.test` : long;
        await call(app, method, path(world), body(world, { [field]: value }));
      }
    }
    expect(await Session.find({ userId: null }).lean()).toEqual([]);
    expect(await Session.countDocuments()).toBeLessThanOrEqual(known + 40);
    for (const [collection, found] of Object.entries(await contents()))
      for (const document of found.filter((one) => !before.has(idOf(one)))) {
        const { mail, ...rest } = document as { mail?: { html: string } };
        expect([collection, JSON.stringify(rest).length < 3_000]).toEqual([collection, true]);
        expect(JSON.stringify(mail ?? "")).not.toContain("xxxx");
      }
    const keys = (await RateLimitCount.find().lean()).map(({ key }) => key.length);
    expect(keys.length).toBeGreaterThan(0);
    expect(Math.max(...keys)).toBeLessThan(150);
  },
);

const idOf = ({ _id }: Record<string, unknown>) => String(_id);
