import { beforeEach, describe, expect, it } from "vitest";
import { ownerOfAddress } from "~/mail/outbox.server";
import { sanctionToken } from "~/moderation/links.server";
import { createToken } from "~/accounts/tokens.server";
import { Review } from "#models/review";
import { Sanction } from "#models/sanction";
import { Session } from "#models/session";
import { User } from "#models/user";
import { call, sessionOf } from "../support/app";
import { makeBookedExplorer, makeReview, makeTour, makeUser, PASSWORD } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";
import { makeLink } from "../support/world";

// The actions that remain to a suspended account (docs/rules/moderation.md, Misuse).

useApp();

const DAY_MS = 24 * 60 * 60 * 1_000;

/** An explorer with a review, a session and a token from before, who is suspended now. */
async function suspended() {
  const tour = await makeTour();
  const user = await makeBookedExplorer(tour, { name: "Sam Suspended" });
  const review = await makeReview(user, tour, { comment: "as it was" });
  const credentials = [
    { cookie: await sessionOf(user) },
    { token: await createToken(user.email, "Laptop") },
  ];
  const at = new Date();
  const until = new Date(at.getTime() + 7 * DAY_MS);
  const { _id } = await Sanction.create({
    subject: user._id.toString(),
    scope: "account",
    kind: "suspension",
    number: 1,
    at,
    until,
    operatorId: (await makeUser())._id,
    caseId: review._id,
    explanation: "Five numbers.",
    address: ownerOfAddress(user.email),
  });
  await User.updateOne({ _id: user._id }, { suspendedUntil: until });
  return { tour, user, review, credentials, path: `/sanctions/${sanctionToken(_id)}` };
}
let scene: Awaited<ReturnType<typeof suspended>>;
beforeEach(async () => {
  scene = await suspended();
});

const logIn = (password = PASSWORD) =>
  post("/login", { email: scene.user.email, password, redirectTo: "/me" });

it("the four operations answer by their check 1, with the sessions and tokens from before", async () => {
  const id = scene.review._id.toString();
  const tourId = scene.tour._id.toString();
  for (const credential of scene.credentials) {
    for (const [method, path, json] of [
      ["POST", "/api/reviews", { tourId, rating: 5 }],
      ["PATCH", `/api/reviews/${id}`, { rating: 1 }],
      ["DELETE", `/api/reviews/${id}`, undefined],
    ] as const) {
      const answer = await call(app, method, path, { ...credential, ...(json && { body: json }) });
      const refusal = [401, { error: "Unauthorized" }];
      expect([answer.status, answer.json], `${method} ${path}`).toEqual(refusal);
    }
    // Reading is open to everybody.
    const list = await call(app, "GET", `/api/reviews?tourId=${tourId}`, credential);
    expect(list.status).toBe(200);
  }
  expect(await Review.findById(scene.review._id).lean()).toMatchObject({ comment: "as it was" });
});

it("the pages know nobody, and the right password leads to the page that says why", async () => {
  const { cookie } = scene.credentials[0]!;
  const me = await get("/me", cookie);
  expect([me.status, me.headers.get("location")]).toEqual([302, "/login?redirectTo=%2Fme"]);
  const before = await Session.countDocuments();
  const right = await logIn();
  expect([right.status, right.headers.get("location")]).toEqual([302, scene.path]);
  expect(right.headers.get("set-cookie")).toBeNull();
  expect(await Session.countDocuments()).toBe(before);
  // Nobody learns of it without the password.
  const wrong = await logIn("wrong");
  expect(wrong.status).toBe(400);
  expect(wrong.text).not.toContain("suspended");
  const page = await get(scene.path);
  expect(page.text).toContain("Five numbers.");
  expect(page.text).not.toContain("Sam Suspended");
});

it("a suspension that the platform has written into the account is said without a link", async () => {
  await Sanction.deleteMany({});
  const answer = await logIn();
  expect(answer.status).toBe(403);
  expect(answer.text).toContain("Your account is suspended.");
});

describe("by the link", () => {
  it("the owner downloads everything that the site holds on them, until the suspension is taken back", async () => {
    const path = `${scene.path}/data.json`;
    const { status, headers, json } = await get(path);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toContain("attachment");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json).toMatchObject({
      profile: { name: "Sam Suspended" },
      reviews: [{ comment: "as it was" }],
    });
    expect((await get(`${scene.path}x/data.json`)).status).toBe(404);
    await User.updateOne({ _id: scene.user._id }, { $unset: { suspendedUntil: true } });
    const outcome = { at: new Date(), operatorId: scene.review._id, stands: false };
    await Sanction.updateMany({}, { outcome: { ...outcome, explanation: null } });
    expect((await get(path)).status).toBe(404);
  });

  it("the owner deletes the account, and cannot have another one with that address meanwhile", async () => {
    const intent = "delete";
    expect((await post(scene.path, { intent })).status).toBe(400);
    expect((await post(scene.path, { intent, sure: "yes" })).status).toBe(302);
    expect(await User.exists({ _id: scene.user._id })).toBeNull();
    const { status, text } = await get(scene.path);
    expect([status, text]).toEqual([200, expect.stringContaining("The account is deleted.")]);
    expect(text).not.toMatch(/<p>[^<]*Your reviews and replies stay/);
    const { email } = scene.user;
    const signUp = async () => {
      const token = await makeLink({ _id: `again ${Math.random()}`, purpose: "sign-up", email });
      return post(`/signup/${token}`, { name: "Sam Again", password: "seven blue boats" });
    };
    const refused = await signUp();
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("The account of this address was suspended.");
    await Sanction.updateMany({}, { until: new Date(Date.now() - 1) });
    expect((await signUp()).status).toBe(302);
  });
});

describe("another way in is none", () => {
  it("a link for a new password sets it, and logs nobody in", async () => {
    const { _id: userId, email } = scene.user;
    const token = await makeLink({ _id: "reset", purpose: "reset", email, userId });
    await post(`/reset/${token}`, { newPassword: "nine green rivers" });
    expect(await Session.countDocuments({ userId })).toBe(0);
    const again = await logIn("nine green rivers");
    expect([again.status, again.headers.get("location")]).toEqual([302, scene.path]);
  });

  it("a link for another address changes nothing, so that the suspension stays with the address", async () => {
    const { _id: userId, email } = scene.user;
    const link = { _id: "address", purpose: "address" as const, email: "sam.new@example.test" };
    const path = `/me/address/${await makeLink({ ...link, userId })}`;
    for (const { cookie } of [scene.credentials[0]!, { cookie: "" }]) {
      const answer = await post(path, {}, cookie);
      expect(answer.headers.get("location")).toMatch(/^\/login/);
    }
    expect(await User.findById(userId).lean()).toMatchObject({ email });
  });
});
