import { describe, expect, it, test } from "vitest";
import { AccessToken } from "#models/access-token";
import { Session } from "#models/session";
import { call, logIn, sessionOf, title } from "../support/app";
import { makeUser } from "../support/factories";
import { CHANGES } from "../support/access-tables";
import { app, get, post, useWorld } from "../support/shared-app";

// The title of a page with an error, which a screen reader reads first. Titles that scripts change:
// tests/browser/accounts.spec.ts.

const getWorld = useWorld();

const ERROR = /^Error: .+ · Tour Reviews$/;
const PLAIN = /^(?!Error).+ · Tour Reviews$/;

/** Fields with which a form is refused that may be empty; null if there are none. */
const OTHER_MISTAKES: Record<string, Record<string, string> | null> = {
  "POST /reviews/:id/edit save": { comment: "x".repeat(5_001) },
  "POST /reviews/:id/edit open": null,
  "POST /reviews/:id/reply withdraw": null,
  "POST /me/account revoke-token": null,
  "POST /me/sessions end": null,
};

describe.each(CHANGES.filter(([, { api }]) => !api))("%s", (name, change) => {
  it("begins its title with the error when its form is refused, and no longer once it succeeds", async () => {
    const { method, path, fields, body, sender, answerTo } = change;
    const world = getWorld();
    const cookie = sender ? await sessionOf(world[sender]) : undefined;
    const send = (more: Record<string, string>, headers = {}) =>
      call(app, method, path(world), { cookie, headers, ...body(world, more) });
    const foreign = await send({}, { origin: "https://evil.example" });
    expect([foreign.status, title(foreign)]).toEqual([403, expect.stringMatching(ERROR)]);
    const names = Object.keys(fields(world));
    const empty = Object.fromEntries(names.map((field) => [field, ""]));
    const mistake = name in OTHER_MISTAKES ? OTHER_MISTAKES[name] : names.length > 0 && empty;
    if (mistake) {
      const refused = await send(mistake);
      expect(refused.status, JSON.stringify(mistake).slice(0, 200)).toBeGreaterThanOrEqual(400);
      expect(title(refused)).toMatch(ERROR);
    }
    const done = await send({});
    if (answerTo(sender).status >= 400) expect(title(done)).toMatch(ERROR);
    else expect(done.status).toBeLessThan(400);
    if (done.status < 300) expect(title(done)).toMatch(PLAIN);
  });
});

test.each([
  [404, "GET", "/tours/%zz", {}],
  [400, "POST", "/login", { raw: "{}", headers: { "content-type": "application/json" } }],
  [404, "GET", `/reviews/${"0".repeat(24)}`, {}],
  [404, "GET", "/reset/nothing", {}],
  [405, "PUT", "/", {}],
  [413, "POST", "/login", { raw: "x".repeat(70_000) }],
  [503, "GET", "/errors/503", {}],
] as const)(
  "a %i (%s %s) begins its title with the error",
  async (status, method, path, options) => {
    const page = await call(app, method, path, options);
    expect([page.status, title(page)]).toEqual([status, expect.stringMatching(ERROR)]);
  },
);

test("so does a failure of ours, which names the request and does not reveal its cause", async () => {
  const user = await makeUser();
  const cookie = await logIn(app, user.email);
  // A record that no version of this app writes.
  await AccessToken.collection.insertOne({ userId: user._id, hash: "one" });
  const page = await get("/me/account", cookie);
  expect([page.status, title(page)]).toEqual([500, expect.stringMatching(ERROR)]);
  expect(page.text).toContain("Something went wrong on our side");
  expect(page.text).toContain(page.headers.get("x-request-id"));
  expect(page.text).not.toContain("toISOString");
});

test("so does the log-in page to which a review was sent on", async () => {
  const { tour, booked } = getWorld();
  const cookie = await sessionOf(booked);
  await Session.deleteMany({});
  const sent = await post(`/tours/${tour.slug}`, { rating: "4" }, cookie);
  const page = await post(sent.headers.get("location")!, { rating: "4" }, cookie);
  expect([page.status, title(page)]).toEqual([401, expect.stringMatching(ERROR)]);
});
