import type { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { createToken } from "~/services/accounts/tokens.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { EDIT_WINDOW_MS } from "~/services/limits";
import { findEditableReview } from "~/services/reviews/own-review.server";
import { updateReview } from "~/services/reviews/update.server";
import type { UserDocument } from "../../models/user";
import { Session } from "../../models/session";
import { Review } from "../../models/review";
import { AccessToken } from "../../models/access-token";
import { call, sessionOf, type Answer } from "../support/app";
import { contents, stored } from "../support/database";
import { as, makeReview, makeTour, makeUser } from "../support/factories";
import { isApi, PATTERNS } from "../support/manifest";
import {
  addressOf,
  bodyOf,
  findMutations,
  makeWorld,
  MUTATIONS,
  parts,
  touchTokens,
  type World,
} from "../support/mutations";
import { app, useApp } from "../support/shared-app";

// Who may do what, by page and API, written out. Each cell is one request to the served app.

useApp();

const ACTORS = [
  "nobody",
  "expired session",
  "logged-out cookie",
  "revoked token",
  "other explorer",
  "guide",
  "explorer without completed booking",
  "author",
  "author just before 24 h",
  "author just after 24 h",
] as const;
type Actor = (typeof ACTORS)[number];

interface Cell {
  status: number;
  /** An API's error or message, where a redirect leads, or words on the page. */
  text: string;
  /** Whether anything is written. */
  writes: boolean;
}
const refused = (status: number, text: string): Cell => ({ status, text, writes: false });
const done = (status: number, text: string): Cell => ({ status, text, writes: true });

/** The same for all of these. */
const all = <Name extends Actor>(names: readonly Name[], cell: Cell) =>
  Object.fromEntries(names.map((name) => [name, cell])) as Record<Name, Cell>;
const STRANGERS = ACTORS.slice(0, 4) as [
  "nobody",
  "expired session",
  "logged-out cookie",
  "revoked token",
];
const EXPLORERS = ["other explorer", "explorer without completed booking"] as const;
const AUTHOR = ["author", "author just before 24 h", "author just after 24 h"] as const;

const UNAUTHORIZED = all(STRANGERS, refused(401, "Unauthorized"));
/** The log-in page, and from there back. */
const TO_LOG_IN = all(STRANGERS, refused(302, "/login?redirectTo=:path"));
/** The same, with what was written. */
const CARRIED_TO_LOG_IN = all(STRANGERS, refused(307, "/login?redirectTo=:path"));

const NOT_COMPLETED =
  "You can only review tours that you have completed. The guide marks a tour as completed after it took place; otherwise that happens automatically 24 hours after the tour date.";
const NOT_OWN_EDIT = refused(403, "You can only edit your own reviews");
const NOT_OWN_DELETION = refused(403, "You can only delete your own reviews");
const TOO_LATE = refused(403, "Reviews can only be edited within 24 hours of posting");
const NOT_OWN_TOUR = refused(403, "You can only complete departures of your own tours");

const MY_ACCOUNT = {
  ...TO_LOG_IN,
  ...all([...EXPLORERS, "guide", ...AUTHOR], done(302, "/me/account")),
};
const MY_SESSIONS = {
  ...TO_LOG_IN,
  ...all([...EXPLORERS, "guide", ...AUTHOR], done(302, "/me/sessions")),
};
const LINK_SENT = "Please check your e-mail.";

// `:path` is the request's own path, `:slug` the tour's, `:id` the review's.
const TABLE: Record<string, Record<Actor, Cell>> = {
  "POST /api/reviews": {
    ...UNAUTHORIZED,
    "other explorer": done(201, "Review submitted successfully"),
    guide: refused(400, "You cannot review your own tour"),
    "explorer without completed booking": refused(400, NOT_COMPLETED),
    ...all(AUTHOR, refused(400, "You have already reviewed this tour")),
  },
  "POST /tours/:slug": {
    ...CARRIED_TO_LOG_IN,
    "other explorer": done(302, "/tours/:slug"),
    guide: refused(400, "You cannot review your own tour"),
    "explorer without completed booking": refused(400, NOT_COMPLETED),
    ...all(AUTHOR, refused(400, "You have already reviewed this tour")),
  },
  "PATCH /api/reviews/:id": {
    ...UNAUTHORIZED,
    ...all([...EXPLORERS, "guide"], NOT_OWN_EDIT),
    author: done(200, "Review updated successfully"),
    "author just before 24 h": done(200, "Review updated successfully"),
    "author just after 24 h": TOO_LATE,
  },
  "POST /reviews/:id/edit": {
    ...CARRIED_TO_LOG_IN,
    ...all([...EXPLORERS, "guide"], NOT_OWN_EDIT),
    author: done(302, "/reviews/:id"),
    "author just before 24 h": done(302, "/reviews/:id"),
    "author just after 24 h": TOO_LATE,
  },
  "DELETE /api/reviews/:id": {
    ...UNAUTHORIZED,
    ...all([...EXPLORERS, "guide"], NOT_OWN_DELETION),
    ...all(AUTHOR, done(200, "Review deleted successfully")),
  },
  "POST /reviews/:id/delete": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, "guide"], NOT_OWN_DELETION),
    ...all(AUTHOR, done(302, "/tours/:slug")),
  },
  "POST /guide complete": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, ...AUTHOR], NOT_OWN_TOUR),
    guide: done(302, "/guide"),
  },
  // Everybody's own: what the request changes is the caller's, whatever else it names.
  "POST /guide/mail": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, "guide", ...AUTHOR], done(302, "/guide/mail")),
  },
  "POST /me/account profile": MY_ACCOUNT,
  "POST /me/account address": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, "guide", ...AUTHOR], done(200, LINK_SENT)),
  },
  "POST /me/address/:token": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, "guide"], refused(404, "This link no longer works")),
    ...all(AUTHOR, done(302, "/me/account")),
  },
  "POST /me/account password": MY_ACCOUNT,
  // The author's log-in: to anybody else it has ended already, which only their own session tells.
  "POST /me/sessions end": MY_SESSIONS,
  "POST /me/sessions end-others": MY_SESSIONS,
  "POST /me/account create-token": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, "guide", ...AUTHOR], done(200, "trv_")),
  },
  // The author's token: to anybody else it is gone already, which only their own session tells.
  "POST /me/account revoke-token": MY_ACCOUNT,
  "POST /me/account/delete": {
    ...TO_LOG_IN,
    ...all([...EXPLORERS, "guide", ...AUTHOR], done(302, "/")),
  },
  // Open to everybody: the password, or the address of the page, is what it takes.
  "POST /login": all(ACTORS, done(302, "/")),
  "POST /signup": all(ACTORS, done(200, LINK_SENT)),
  "POST /signup/:token": all(ACTORS, done(302, "/")),
  "POST /reset": all(ACTORS, done(200, LINK_SENT)),
  "POST /reset/:token": all(ACTORS, done(302, "/login")),
  "POST /unsubscribe/:token": all(ACTORS, done(200, "You are unsubscribed.")),
  "POST /logout": {
    ...all(STRANGERS, refused(302, "/")),
    ...all([...EXPLORERS, "guide", ...AUTHOR], done(302, "/")),
  },
};

/** Whose things a request may change beside its sender's. */
const TARGETS: Record<string, keyof World> = {
  "POST /login": "author",
  "POST /reset/:token": "author",
  "POST /unsubscribe/:token": "guide",
};

/** Who sends the request, in the given world. */
function userOf(actor: Actor, world: World): UserDocument {
  if (actor === "other explorer") return world.other;
  if (actor === "guide") return world.guide;
  if (actor === "explorer without completed booking") return world.unbooked;
  return world.author;
}

type Credential = "cookie" | "token";

/** What the actor shows, good or not. */
async function show(actor: Actor, user: UserDocument, credential: Credential) {
  if (actor === "nobody") return {};
  if (actor === "revoked token") {
    const token = await createToken(user.email, "Lost");
    await AccessToken.deleteOne({ userId: user._id, name: "Lost" });
    return { token };
  }
  if (credential === "token") return { token: await createToken(user.email, "Test") };
  const cookie = await sessionOf(user);
  if (actor === "expired session")
    await Session.updateMany(
      { userId: user._id },
      { $set: { expiresAt: new Date(Date.now() - 1) } },
    );
  if (actor === "logged-out cookie") await call(app, "POST", "/logout", { cookie });
  return { cookie };
}

const AGES: Partial<Record<Actor, number>> = {
  // The clock that decides is the app's own; the exact milliseconds are tested below.
  "author just before 24 h": EDIT_WINDOW_MS - 60_000,
  "author just after 24 h": EDIT_WINDOW_MS + 1,
};

/** What is a person's own. */
const belongings = (everything: Awaited<ReturnType<typeof contents>>, { _id }: UserDocument) =>
  JSON.stringify([
    everything.users!.filter((user) => _id.equals(user._id as Types.ObjectId)),
    ...["tourReviews.accessTokens", "tourReviews.sessions", "reviews"].map((name) =>
      (everything[name] ?? []).filter(
        ({ userId }) => userId && _id.equals(userId as Types.ObjectId),
      ),
    ),
  ]);

/** What the answer says, as the table's cells have it. */
function said(
  { status, headers, json, text }: Answer<{ error?: string; message?: string }>,
  expected: string,
) {
  // Without the place on the page, which is encoded where it comes after a log-in.
  if (status === 302 || status === 307) return headers.get("location")!.split(/#|%23/)[0];
  if (json) return json.error ?? json.message;
  return text.includes(expected) ? expected : text;
}

it("the table has every action, intent and method of the routes, and every actor", async () => {
  expect(Object.keys(TABLE).sort()).toEqual(await findMutations());
  expect(Object.keys(MUTATIONS).sort()).toEqual(Object.keys(TABLE).sort());
  for (const [name, row] of Object.entries(TABLE))
    expect([name, Object.keys(row).sort()]).toEqual([name, [...ACTORS].sort()]);
});

/** One cell: sends the request as that actor, and looks at the answer and at what it has changed. */
async function check(name: string, world: World, actor: Actor, credential: Credential) {
  const { method, path, fields } = MUTATIONS[name]!;
  const user = userOf(actor, world);
  await Review.updateOne(
    { _id: world.review._id },
    { $set: { createdAt: new Date(Date.now() - (AGES[actor] ?? 0)) } },
  );
  const shown = await show(actor, user, credential);
  await touchTokens();
  const before = await contents();

  // Whoever sends it claims to be the author.
  const claims = { userId: world.author._id.toString(), id: world.author._id.toString() };
  const body = bodyOf(name, { ...claims, ...fields(world) });
  const answer = await call(app, method, path(world), { ...shown, ...body });

  const expected = TABLE[name]![actor];
  const text = expected.text
    .replace(":path", encodeURIComponent(path(world)))
    .replace(":slug", world.tour.slug)
    .replace(":id", world.review._id.toString());
  expect([actor, answer.status, said(answer, text)]).toEqual([actor, expected.status, text]);
  const after = await contents();
  if (!expected.writes) return expect([actor, after]).toEqual([actor, before]);
  expect(after).not.toEqual(before);
  for (const role of ["author", "guide", "other", "unbooked"] as const)
    if (world[role] !== user && TARGETS[name] !== role)
      expect(belongings(after, world[role]), role).toBe(belongings(before, world[role]));
}

describe.each(Object.entries(TABLE))("%s", (name, row) => {
  const cells = ACTORS.flatMap((actor) =>
    parts(name).api && !STRANGERS.includes(actor as never)
      ? ([
          [actor, "cookie"],
          [actor, "token"],
        ] as const)
      : ([[actor, "cookie"]] as const),
  );
  const refusals = cells.filter(([actor]) => !row[actor].writes);

  if (refusals.length > 0)
    test("refuses whom it should, and writes nothing", async () => {
      const world = await makeWorld();
      for (const [actor, credential] of refusals) await check(name, world, actor, credential);
    });

  test.each(cells.filter(([actor]) => row[actor].writes))("%s (%s)", async (actor, credential) => {
    await check(name, await makeWorld(), actor, credential);
  });
});

describe("the author's last milliseconds, in the service of pages and API", () => {
  const posted = new Date("2026-05-01T12:00:00.000Z");

  test.each([
    ["24 h - 1 ms", -1, true],
    ["24 h", 0, true],
    ["24 h + 1 ms", 1, false],
  ])("%s", async (_, ms, allowed) => {
    const clock = () => new Date(posted.getTime() + EDIT_WINDOW_MS + ms);
    const author = await makeUser();
    const { _id } = await makeReview(author, await makeTour(), { rating: 2, createdAt: posted });
    const before = await stored();
    const asked = [
      // The page of the form, the write of the form and of the API.
      () => findEditableReview(as(author), _id.toString(), { clock }),
      () => updateReview(as(author), _id.toString(), { rating: 5 }, { clock }),
    ];
    for (const ask of asked)
      if (allowed) expect(await ask()).toMatchObject({ id: _id.toString() });
      else await expect(ask()).rejects.toMatchObject({ status: 403, message: TOO_LATE.text });
    if (allowed) expect((await Review.findById(_id).lean())!.rating).toBe(5);
    else expect(await stored()).toBe(before);
    await deleteReview(as(author), _id.toString());
    expect(await Review.countDocuments()).toBe(0);
  });
});

describe("reading", () => {
  /** The patterns that nobody in particular may read; every other one asks for a log-in. */
  const PUBLIC = [
    ...[
      "/",
      "/*",
      "/tours/:slug",
      "/tours/:slug/reviews",
      "/guides/:id",
      "/about/reviews",
      "/reviews/:id",
      "/login",
      "/signup",
      "/logout",
      "/unsubscribe/:token",
      "/covers/:name",
    ],
    ...["/signup/:token", "/reset", "/reset/:token"],
    ...["/robots.txt", "/sitemap.xml", "/sitemap/:part"],
    // Of the developer's own machine, and without anything of a visitor.
    ...["/dev/mail", "/dev/mail/:id", "/errors/:status"],
    ...[
      "/api/*",
      "/api/openapi.json",
      "/api/reviews",
      "/api/reviews/:id",
      "/api/tours",
      "/api/tours/:id",
      "/healthz",
    ],
  ];
  /** What everybody but the author is told at what is the author's own. */
  const OTHERS: Record<string, number> = {
    "/reviews/:id/edit": 403,
    "/reviews/:id/delete": 403,
    "/me/address/:token": 404,
  };
  const PRIVATE = PATTERNS.filter((pattern) => !PUBLIC.includes(pattern));

  it("is open at no pattern that is gone", () => {
    expect(PATTERNS).toEqual(expect.arrayContaining(PUBLIC));
    expect(PRIVATE.some(isApi)).toBe(false);
  });

  test.each(PRIVATE)("%s is for who is logged in", async (pattern) => {
    const world = await makeWorld();
    const path = addressOf(pattern, world);
    for (const actor of STRANGERS) {
      const options = await show(actor, world.author, "cookie");
      for (const target of [path, `${path}.data`]) {
        const answer = await call(app, "GET", target, options);
        expect([actor, answer.status]).toEqual([actor, target === path ? 302 : 202]);
        expect(answer.headers.get("location") ?? answer.text).toContain("/login?redirectTo=");
        expect(answer.text).not.toMatch(/Ann Author|as it was/);
      }
    }
    for (const reader of [world.other, world.guide, world.unbooked]) {
      const answer = await call(app, "GET", path, { cookie: await sessionOf(reader) });
      expect(answer.status).toBe(OTHERS[pattern] ?? 200);
      // A guide reads the reviews of their own tours.
      if (pattern !== "/guide") expect(answer.text).not.toContain("as it was");
      expect(answer.text).not.toContain(world.author.email);
    }
    const own = await call(app, "GET", path, { cookie: await sessionOf(world.author) });
    expect(own.status).toBe(200);
  });
});
