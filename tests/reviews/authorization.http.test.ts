import type { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { createToken } from "~/accounts/tokens.server";
import { deleteReview } from "~/reviews/delete.server";
import { getEditableReview } from "~/reviews/own-review.server";
import { editReview } from "~/reviews/edit.server";
import type { UserDocument } from "#models/user";
import { Session } from "#models/session";
import { Review } from "#models/review";
import { AccessToken } from "#models/access-token";
import { call, sessionOf } from "../support/app";
import { asText, contents, stored } from "../support/database";
import { as, makeReview, makeTour, makeUser } from "../support/factories";
import { findChanges, isApi, PATTERNS } from "../support/manifest";
import { TOO_LATE, USERS, type User } from "../support/access";
import { accessTo, addressOfPattern, CHANGES, readerOf } from "../support/access-tables";
import { app, useApp, useScene } from "../support/shared-app";
import { atTime } from "../support/time";
import { makeWorld, type World } from "../support/world";

// The rights of everybody, on pages and by the API, as the tables in tests/routes say. Each answer in them is one request
// to the served app.

/** For this long an author may edit a review. A number, so that a test fails when the product has another. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Credentials of nobody. */
const STRANGERS = ["nobody", "expired session", "logged-out cookie", "revoked token"] as const;
type Actor = (typeof STRANGERS)[number] | User;
const ACTORS: readonly Actor[] = [...STRANGERS, ...USERS];
const isUser = (actor: Actor): actor is User => USERS.includes(actor as User);

/** The user with these credentials, if they are valid. */
const userOf = (actor: Actor, world: World): UserDocument =>
  isUser(actor) ? world[actor] : world.author;

/** The answer to that actor in the table. */
const answerTo = ({ answerTo }: Change, actor: Actor) => answerTo(isUser(actor) ? actor : null);

type Credential = "cookie" | "token";

/** The credentials that the actor sends, valid or not. */
async function show(actor: Actor, user: UserDocument, credential: Credential) {
  if (actor === "nobody") return {};
  if (actor === "revoked token") {
    const token = await createToken(user.email, "Lost");
    await AccessToken.deleteOne({ userId: user._id, name: "Lost" });
    return { token };
  }
  if (credential === "token") return { token: await createToken(user.email, "Test") };
  const others = await Session.distinct("_id", { userId: user._id });
  const cookie = await sessionOf(user);
  if (actor === "expired session")
    await Session.updateOne(
      { userId: user._id, _id: { $nin: others } },
      { $set: { expiresAt: new Date(Date.now() - 1) } },
    );
  if (actor === "logged-out cookie") await call(app, "POST", "/logout", { cookie });
  return { cookie };
}

/** The data of a user. */
const belongings = (everything: Awaited<ReturnType<typeof contents>>, { _id }: UserDocument) =>
  JSON.stringify([
    everything.users!.filter((user) => _id.equals(user._id as Types.ObjectId)),
    ...["tourReviews.accessTokens", "tourReviews.sessions", "reviews"].map((name) =>
      (everything[name] ?? []).filter(
        ({ userId }) => userId && _id.equals(userId as Types.ObjectId),
      ),
    ),
  ]);

it("the tables have every action, intent and method of the routes", async () => {
  expect(CHANGES.map(([name]) => name).sort()).toEqual(await findChanges());
});

type Change = (typeof CHANGES)[number][1];

type Cell = readonly [actor: Actor, credential: Credential];

/** A world, all credentials that are shown in it, and what is then stored: reading that takes longer than a request. */
async function makeScene() {
  const world = await makeWorld();
  const shown = new Map<string, Awaited<ReturnType<typeof show>>>();
  for (const [actor, credential] of ACTORS.flatMap(waysOf))
    shown.set(`${actor} ${credential}`, await show(actor, userOf(actor, world), credential));
  return { world, shown, before: await contents() };
}
const waysOf = (actor: Actor): Cell[] =>
  (isUser(actor) ? (["cookie", "token"] as const) : (["cookie"] as const)).map((credential) => [
    actor,
    credential,
  ]);

/** Sends the request in that scene as that actor, and checks the answer. */
async function send(
  change: Change,
  { world, shown }: Awaited<ReturnType<typeof makeScene>>,
  [actor, credential]: Cell,
  expected = answerTo(change, actor),
) {
  const { method, body } = change;
  const path = change.path(world);
  // Every sender claims to be the author.
  const claims = { userId: world.author._id.toString(), id: world.author._id.toString() };
  const credentials = shown.get(`${actor} ${credential}`);
  const { status, headers, json, text } = await call<{ error?: string; message?: string }>(
    app,
    method,
    path,
    { ...credentials, ...body(world, claims) },
  );
  expect([actor, status]).toEqual([actor, expected.status]);
  // Without the fragment, which is encoded when the address is the way back from the log-in.
  const location = headers.get("location")?.split(/#|%23/)[0];
  const said = location ?? (json && (json.error ?? json.message ?? Object.keys(json)[0]));
  const wanted = typeof expected.text === "function" ? expected.text(world, path) : expected.text;
  if (said === undefined) expect(text).toContain(wanted);
  else if (wanted instanceof RegExp) expect(said).toMatch(wanted);
  else expect([actor, said]).toEqual([actor, wanted]);
}

/** Those who may send the request, or may not, and their credentials. */
const cellsOf = (change: Change, writes: boolean) =>
  ACTORS.filter((actor) => answerTo(change, actor).writes === writes)
    .flatMap(waysOf)
    .filter(([, credential]) => change.api || credential === "cookie");

/** All of one review, by each credential. */
const OF_REVIEWS = CHANGES.filter(([, { pattern }]) => pattern.includes("/reviews/:id")).flatMap(
  ([name, change]) =>
    (change.api ? ["cookie", "token"] : ["cookie"]).map(
      (credential) => [name, credential as Credential, change] as const,
    ),
);

/** The user to whom what is accepted belongs, as the address or the form names them, whoever sends it. */
const OWNERS: Record<string, User> = {
  "POST /login": "author",
  "POST /reset/:token": "author",
  "POST /review/:token post": "booked",
  "POST /unsubscribe/:token": "guide",
};

/** Checks that something is written since `before`, and nothing of a user who neither sent it nor owns it. */
async function expectWritten(
  name: string,
  world: World,
  actor: Actor,
  before: Awaited<ReturnType<typeof contents>>,
) {
  const after = await contents();
  expect(asText(after)).not.toBe(asText(before));
  for (const user of USERS)
    if (world[user] !== userOf(actor, world) && OWNERS[name] !== user)
      expect(belongings(after, world[user]), user).toBe(belongings(before, world[user]));
}

const having = (writes: boolean) =>
  CHANGES.filter(([, change]) => cellsOf(change, writes).length > 0);

describe("the author's last milliseconds, in the service that pages and API use", () => {
  useApp();
  const posted = new Date("2026-05-01T12:00:00.000Z");

  test.each([
    ["24 h - 1 ms", -1, true],
    ["24 h", 0, true],
    ["24 h + 1 ms", 1, false],
  ])("%s", async (_, ms, allowed) => {
    const time = posted.getTime() + DAY_MS + ms;
    const author = await makeUser();
    const { _id } = await makeReview(author, await makeTour(), { rating: 2, createdAt: posted });
    const before = await stored();
    const asked = [
      // The form's page, and the write by the form and by the API.
      () => getEditableReview(as(author), _id.toString()),
      () => editReview(as(author), _id.toString(), { rating: 5 }),
    ];
    for (const ask of asked) {
      const answer = atTime<object>(time, ask);
      if (allowed) expect(await answer).toMatchObject({ id: _id.toString() });
      else await expect(answer).rejects.toMatchObject({ status: 403, message: TOO_LATE.text });
    }
    if (allowed) expect((await Review.findById(_id).lean())!.rating).toBe(5);
    else expect(await stored()).toBe(before);
    await deleteReview(as(author), _id.toString());
    expect(await Review.countDocuments()).toBe(0);
  });
});

describe("in a world that is as new for each", () => {
  const getScene = useScene(makeScene);

  describe.each(having(true))("%s is accepted from", (name, change) => {
    test.each(cellsOf(change, true))("%s (%s)", async (...cell) => {
      const scene = getScene();
      await send(change, scene, cell);
      await expectWritten(name, scene.world, cell[0], scene.before);
    });
  });

  test.each(having(false))("%s is refused from those who may not send it", async (_, change) => {
    const scene = getScene();
    for (const cell of cellsOf(change, false)) await send(change, scene, cell);
    expect(await stored(), "one of these requests writes").toBe(asText(scene.before));
  });

  // By the app's own clock; the exact milliseconds are tested above.
  describe.each([
    ["just before", DAY_MS - 60_000],
    ["just after", DAY_MS + 1],
  ])("of a review %s 24 h", (_, age) => {
    test.each(OF_REVIEWS)("%s is answered to its author (%s)", async (name, credential, change) => {
      const scene = getScene();
      const { _id } = scene.world.review;
      await Review.updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - age) } });
      const isLate = age > DAY_MS && /edit|PATCH/.test(name);
      const expected = isLate ? TOO_LATE : answerTo(change, "author");
      const before = await contents();
      await send(change, scene, ["author", credential], expected);
      if (expected.writes) await expectWritten(name, scene.world, "author", before);
      else expect(await stored()).toBe(asText(before));
    });
  });

  const PRIVATE = PATTERNS.filter((pattern) => accessTo(pattern).readers !== "anybody");

  it("the API is open to everybody who reads what is not their own", () => {
    expect(PRIVATE.filter(isApi)).toEqual(["/api/me/reviews", "/api/me/tours-to-review"]);
  });

  test.each(PRIVATE)("%s is for users who are logged in", async (pattern) => {
    const { world, shown } = getScene();
    const path = addressOfPattern(pattern, world);
    const { readers } = accessTo(pattern);
    const allowed = world[readerOf(pattern)];
    for (const actor of STRANGERS) {
      const options = shown.get(`${actor} cookie`);
      if (isApi(path)) {
        const { status, text } = await call(app, "GET", path, options);
        expect([actor, status, text]).toEqual([actor, 401, '{"error":"Unauthorized"}']);
      }
      for (const target of isApi(path) ? [] : [path, `${path}.data`]) {
        const answer = await call(app, "GET", target, options);
        expect([actor, answer.status]).toEqual([actor, target === path ? 302 : 202]);
        expect(answer.headers.get("location") ?? answer.text).toContain("/login?redirectTo=");
        expect(answer.text).not.toMatch(/Ann Author|as it was/);
      }
    }
    for (const reader of USERS.map((user) => world[user]).filter((user) => user !== allowed)) {
      const answer = await call(app, "GET", path, { cookie: await sessionOf(reader) });
      expect(answer.status).toBe(typeof readers === "object" ? readers.others : 200);
      // A guide reads the reviews of their own tours.
      if (pattern !== "/guide") expect(answer.text).not.toContain("as it was");
      expect(answer.text).not.toContain(world.author.email);
    }
    const own = await call(app, "GET", path, { cookie: await sessionOf(allowed) });
    expect(own.status).toBe(200);
  });
});
