import { mongo } from "mongoose";
import { exportData } from "~/personal-data/export.server";
import { checkRatings, rebuildRatings } from "~/reviews/ratings.server";
import { type Answer, type App, call, logIn, mailsCookie, sessionOf, tokenOf } from "./app";
import { PASSWORD, PASSWORD_HASH } from "./factories";

// A tours platform's own database, as plain data: its collections with their indexes and fields, some of
// whose names are like ours, and records that are odd in every way that this service meets.

const { Decimal128, Double, Long, ObjectId } = mongo;

const DAY_MS = 24 * 60 * 60 * 1_000;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const id = (hex: string) => new ObjectId(hex.padStart(24, "6"));
const RICH_TEXT = { type: "doc", content: [{ type: "paragraph", content: [{ text: "Rich" }] }] };

/** The users of the proof, who have the password of the factories. */
const GITA = { _id: id("a1"), email: "gita@platform.test" };
export const ANN = { _id: id("a2"), email: "Ann@Platform.test" };
const DORA = { _id: id("a3"), email: "dora@platform.test" };
/** Has neither a name nor an address that can be used, and leads tours. */
const NAMELESS = { _id: id("a4") };

const person = { passwordHash: PASSWORD_HASH, role: "member", joinedAt: ago(900), __v: 3 };
const users = [
  { ...person, ...GITA, name: "Gita", image: "https://img.platform.test/gita.png", role: "guide" },
  { ...person, ...ANN, name: "Ann", image: null, settings: { locale: "en", tags: ["a", "b"] } },
  { ...person, ...DORA, name: "Dora" },
  { ...person, ...NAMELESS, email: { primary: "nameless@platform.test" }, image: 7 },
  {
    _id: id("a5"),
    name: 42,
    email: "number@platform.test",
    image: "http://img.platform.test/5.png",
  },
  { _id: id("a6"), name: ["Ed", "Explorer"], image: { url: "x" }, email: "ed@platform.test" },
  {
    _id: id("a7"),
    name: "Bcrypt",
    email: "b@platform.test",
    passwordHash: "$2b$10$abc",
    reviewMails: 1,
  },
  { _id: id("a8"), name: null, email: null, passwordHash: { algorithm: "scrypt" } },
  { _id: id("a9"), name: "No address" },
  { _id: id("aa"), lastSeenAt: ago(2) },
];

const tour = (hex: string, fields: object) => ({
  _id: id(hex),
  title: `Tour ${hex}`,
  slug: `tour-${hex}`,
  createdById: GITA._id,
  description: "A walk.",
  price: Decimal128.fromString("19.90"),
  ...fields,
});
function without<Fields extends object, Name extends keyof Fields>(record: Fields, name: Name) {
  const { [name]: _, ...rest } = record;
  return rest;
}

export const TOURS = {
  nothing: tour("b0", { title: "Old Quarter Walk", date: ago(3), slug: "old-quarter" }),
  "a date in words": tour("b1", { date: "every Saturday at noon" }),
  "a date as text": tour("b2", { date: ago(40).toISOString(), timeZone: "Mars/Base" }),
  "a date as a number": tour("b3", { date: Date.now(), timeZone: 9 }),
  "a date beyond the calendar": tour("b4", { date: Long.fromString("9007199254740993000") }),
  "no guide": without(tour("b5", {}), "createdById"),
  "a guide as text": tour("b6", { createdById: "auth0|gita" }),
  "a guide's id as text": tour("b7", { createdById: GITA._id.toHexString() }),
  "a guide without name and address": tour("b8", { createdById: NAMELESS._id }),
  "rich text": tour("b9", { description: RICH_TEXT, location: { lat: 1, lng: 2 } }),
  "a list of blocks": tour("ba", { description: ["One", RICH_TEXT], durationMinutes: "90" }),
  "no title": without(tour("bb", {}), "title"),
  "a number as title": tour("bc", { title: 1984 }),
  "no slug": without(tour("bd", {}), "slug"),
  "no slug and no title": without(without(tour("c8", {}), "slug"), "title"),
  "a number as slug": tour("be", { slug: 42 }),
  "a slug that is no path": tour("bf", { slug: ".." }),
  "a slug with delimiters": tour("c0", { slug: "a/b c?d#e%&ü" }),
  "a slug with an escape": tour("c9", { slug: "a%2Fb" }),
  "a number as image": tour("c1", { image: 5, durationMinutes: -10, bookingUrl: 5 }),
  "an unencrypted image": tour("c2", {
    image: "http://img.platform.test/t.png",
    bookingUrl: "javascript:alert(1)",
  }),
  "aggregates of other types": tour("c3", {
    avgRating: "4.5",
    reviewCount: null,
    ratingCounts: [1, 2, 3],
    ratingsVersion: "x",
  }),
  "aggregates that are no numbers": tour("c4", {
    avgRating: NaN,
    reviewCount: NaN,
    ratingCounts: "none",
    ratingsVersion: NaN,
  }),
  "aggregates out of range": tour("c5", {
    avgRating: -3,
    reviewCount: -7,
    ratingCounts: { 5: -1, 4: "two" },
    ratingsVersion: null,
  }),
  "endless aggregates": tour("c6", {
    avgRating: Infinity,
    reviewCount: Infinity,
    ratingCounts: null,
    ratingsVersion: {},
  }),
  "null everywhere": {
    _id: id("c7"),
    title: null,
    slug: null,
    createdById: null,
    description: null,
    date: null,
    image: null,
  },
} satisfies Record<string, Document>;

type Document = { _id: mongo.ObjectId; [field: string]: unknown };
const normal = TOURS.nothing._id;

let bookingNumber = 0;
const booking = (userId: unknown, tourId: unknown, fields: object) => ({
  _id: id(`d${(bookingNumber++).toString(16).padStart(3, "0")}`),
  userId,
  tourId,
  status: "COMPLETED",
  seats: 2,
  ...fields,
});
const bookings = [
  ...Object.values(TOURS).map(({ _id }) => booking(ANN._id, _id, { date: ago(2) })),
  booking(DORA._id, normal, {}),
  // Long over: whether they took place is the platform's to say.
  booking(id("a5"), normal, { status: "CONFIRMED", date: ago(3) }),
  booking(id("a6"), normal, { status: "CONFIRMED", date: ago(20) }),
  booking(id("a6"), TOURS["a date in words"]._id, { status: "CONFIRMED" }),
  booking(id("a7"), normal, { status: "CONFIRMED" }),
  booking(id("a8"), normal, { status: 3, date: ago(3) }),
  booking(id("a8"), normal, { status: { code: "paid" }, date: ago(3) }),
  booking(ANN._id, normal, { status: null, date: ago(3) }),
  booking(ANN._id, "some-tour", { date: "next Tuesday" }),
  booking(ANN._id, normal, { status: "CONFIRMED", date: "2026-01-01" }),
  booking("ann", normal, { date: ago(3) }),
  booking(ANN._id, TOURS["no title"]._id, { date: 1_760_000_000_000 }),
];

/** Ratings as they are stored, and what is shown of each. */
export const RATINGS = [
  [4, 4],
  [new Double(4), 4],
  [Long.fromNumber(5), 5],
  [Decimal128.fromString("3"), 3],
  [4.5, 4.5],
  ["4", null],
  [9, null],
  [0, null],
  [null, null],
  [undefined, null],
  [{ stars: 4 }, null],
  [[5], null],
  [NaN, null],
] as const;

const review = (hex: string, fields: object) => ({
  _id: id(hex),
  tourId: normal,
  userId: id(`f${hex}`),
  rating: 5,
  comment: "Well done",
  createdAt: ago(100),
  helpfulVotes: Long.fromNumber(3),
  photos: [{ url: "https://img.platform.test/p.png" }],
  ...fields,
});

/** The reviews of the ordinary tour: odd in their ratings, and in everything else. */
const REVIEWS = [
  ...RATINGS.map(([rating], n) => {
    const stored = review(`e${n.toString(16)}`, { rating });
    return rating === undefined ? without(stored, "rating") : stored;
  }),
  without(review("ee", {}), "createdAt"),
  review("ef", { createdAt: "2026-02-03T04:05:06Z" }),
  review("f0", { createdAt: ago(1).getTime() }),
  review("f1", { createdAt: "last summer", editedAt: "yes" }),
  review("f2", { comment: 42 }),
  review("f3", { comment: RICH_TEXT }),
  without(review("f4", {}), "comment"),
  review("f5", { userId: "ann" }),
  without(review("f6", {}), "userId"),
  review("f7", { userId: NAMELESS._id }),
  review("f8", { userId: id("a5") }),
  review("f9", { userId: id("a6"), rating: "five" }),
  review("fa", { userId: DORA._id }),
] as Document[];

/** A review of Ann's own, without a time but that of its id, which is now, and with a malformed rating. */
const annsReview = () =>
  without(
    {
      ...review("fb", { userId: ANN._id, rating: "4", comment: ["odd"] }),
      _id: new ObjectId(),
      tourId: TOURS["a date as text"]._id,
    },
    "createdAt",
  ) as Document;

// Fields of other software of the platform, under names like ours.
const past = ago(400);
const others: Record<string, object[]> = {
  sessions: [{ _id: "s1", expiresAt: past, session: '{"cart":[]}' }, { expires: past }],
  notifications: [
    { sentAt: past, expiresAt: past, userId: ANN._id, text: "Your booking" },
    { state: "pending", dueAt: past, sentAt: past, digest: true },
    { state: "dead", credentialsRefused: true, createdAt: new Date() },
  ],
  accessTokens: [
    { token: "t", expiresAt: past },
    { token: "u", userId: ANN._id, lastUsedAt: past },
  ],
  idempotencyKeys: [{ userId: ANN._id, key: 7, expiresAt: past }],
  rateLimits: [
    { key: "login", expire: past, expiresAt: past },
    { key: "login", expire: past },
  ],
  migrations: [{ name: "0001", at: past }],
};

/** Fills an empty database as a platform has it; returns the review of Ann's own. */
export async function fillPlatform(db: mongo.Db): Promise<Document> {
  const own = annsReview();
  const collections: Record<string, object[]> = {
    users,
    tours: Object.values(TOURS),
    bookings,
    reviews: [...REVIEWS, own],
    ...others,
  };
  for (const [name, documents] of Object.entries(collections))
    await db.collection(name).insertMany(documents);
  await db.collection("users").createIndex({ email: 1 }, { unique: true, sparse: true });
  await db.collection("tours").createIndex({ slug: 1 }, { unique: true, sparse: true });
  await db.collection("bookings").createIndex({ userId: 1 });
  await db.collection("reviews").createIndex({ tourId: 1, createdAt: -1 });
  await db.collection("notifications").createIndex({ userId: 1 }, { name: "byUser" });
  await db.collection("sessions").createIndex({ session: 1 });
  return own;
}

const COLLECTIONS = ["users", "tours", "bookings", "reviews", ...Object.keys(others)];

/** The fields of the platform's documents that the visit changes, or null for a whole document. */
const CHANGED: Record<string, (document: mongo.Document) => string[] | null> = {
  tours: () => ["avgRating", "reviewCount", "ratingCounts", "ratingsVersion", "lastChange"],
  reviews: ({ userId, helpfulVotes }) => {
    if (DORA._id.equals(userId as mongo.ObjectId)) return null;
    if (!ANN._id.equals(userId as mongo.ObjectId)) return [];
    // A review that the visit has posted itself has no field of the platform.
    return helpfulVotes ? ["rating", "comment", "editedAt", "verified"] : null;
  },
  users: ({ _id }) => {
    if (DORA._id.equals(_id as mongo.ObjectId)) return null;
    if (ANN._id.equals(_id as mongo.ObjectId)) return ["name", "image"];
    return NAMELESS._id.equals(_id as mongo.ObjectId) ? ["reviewMails"] : [];
  },
};

/**
 * The bytes of everything that the visit must not change: every document of the platform in hex, by collection and
 * id, without the fields that the visit changes; and every index of the platform.
 */
export async function foreignBytes(db: mongo.Db): Promise<Record<string, string>> {
  const bytes: Record<string, string> = {};
  for (const name of COLLECTIONS) {
    for await (const document of db.collection(name).find({}, { promoteValues: false })) {
      const changed = CHANGED[name] ? CHANGED[name](document) : [];
      if (!changed) continue;
      const key = `${name} ${String(document._id)}`;
      for (const field of changed) delete document[field];
      bytes[key] = Buffer.from(mongo.BSON.serialize(document)).toString("hex");
    }
    for (const index of await db.collection(name).indexes()) {
      const { name: indexName } = index as { name: string };
      if (isForeignIndex(indexName)) bytes[`${name} index ${indexName}`] = JSON.stringify(index);
    }
  }
  return bytes;
}

const isForeignIndex = (name: string) => !name.startsWith("tourReviews.");

type Body = {
  error?: string;
  reviews?: { id: string; rating: unknown }[];
  review?: { id: string };
};

/**
 * Uses every page and operation of `app`, which serves a platform's database: without a log-in, as an explorer and as
 * two guides. Mongoose is connected to that database. Returns a line for every unexpected answer, and how many
 * answers there were.
 */
export async function visitPlatform(
  app: App,
  own: { _id: mongo.ObjectId },
): Promise<{ wrong: string[]; answers: number }> {
  const wrong: string[] = [];
  let answers = 0;
  const expectStatus = async (
    expected: number,
    method: string,
    path: string,
    options?: Parameters<typeof call>[3],
  ): Promise<Answer<Body>> => {
    const answer = await call<Body>(app, method, path, options);
    const { status, text } = answer;
    answers++;
    if (status !== expected) wrong.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    return answer;
  };
  const send = (path: string, cookie: string | undefined, fields: Record<string, string>) =>
    expectStatus(302, "POST", path, { cookie, raw: new URLSearchParams(fields) });

  const cookies = [
    undefined,
    await logIn(app, ANN.email),
    await logIn(app, GITA.email),
    await sessionOf(NAMELESS),
  ];
  const [, ann, , nameless] = cookies;
  const token = await tokenOf(ANN);
  const tours = Object.entries(TOURS).map(([oddity, tour]) => ({
    oddity,
    id: tour._id.toHexString(),
    path: `/tours/${encodeURIComponent(slugOf(tour))}`,
  }));

  for (const cookie of cookies) {
    for (const sort of ["best", "reviewed", "newest"])
      for (const page of ["1", "2", "3"])
        await expectStatus(200, "GET", `/?sort=${sort}&page=${page}`, { cookie });
    for (const { path } of tours) await expectStatus(200, "GET", path, { cookie });
  }
  for (const words of "walk gita undefined rich %00 %00walk%00 %F0%9F%A7%AD (".split(" "))
    await expectStatus(200, "GET", `/?q=${words}`);
  const queries =
    "sort=highest sort=lowest stars=4 comments=1 stars=5&sort=lowest after=0.0.x q=walk lang=en&q=a".split(
      " ",
    );
  for (const query of queries) await expectStatus(200, "GET", `${tours[0]!.path}?${query}`);
  const pages = "/me /me/account /me/account/delete /me/data.json /guide /guide/mail".split(" ");
  for (const cookie of cookies.slice(1))
    for (const path of pages) await expectStatus(200, "GET", path, { cookie });

  const ids = new Set(REVIEWS.map(({ _id }) => _id.toHexString()));
  for (const { id, oddity } of tours) {
    await expectStatus(200, "GET", `/api/tours/${id}`);
    const { json } = await expectStatus(200, "GET", `/api/reviews?tourId=${id}`);
    if (oddity === "nothing" && !json?.reviews?.every((review) => ids.delete(review.id)))
      wrong.push("the list has other reviews");
  }
  if (ids.size > 0) wrong.push(`the list lacks ${[...ids].join(", ")}`);

  const ownPath = `/reviews/${own._id.toHexString()}`;
  for (const page of ["edit", "delete"])
    await expectStatus(200, "GET", `${ownPath}/${page}`, { cookie: ann });
  await expectStatus(200, "PATCH", `/api${ownPath}`, { token, body: { comment: "Mended" } });
  await expectStatus(200, "PATCH", `/api${ownPath}`, { token, body: { rating: 4 } });
  const posted: string[] = [];
  for (const { id, oddity } of tours) {
    const isReviewed = oddity === "a date as text";
    const { json } = await expectStatus(isReviewed ? 400 : 201, "POST", "/api/reviews", {
      token,
      body: { tourId: id, rating: 5, comment: oddity },
    });
    if (json?.review) posted.push(json.review.id);
  }
  for (const id of posted)
    await expectStatus(200, "PATCH", `/api/reviews/${id}`, { token, body: { rating: 2 } });
  for (const id of posted.slice(0, 8))
    await expectStatus(200, "DELETE", `/api/reviews/${id}`, { token });
  for (const { id } of tours) await expectStatus(200, "GET", `/api/tours/${id}`);

  await expectStatus(200, "GET", "/dev/mail", { cookie: mailsCookie() });
  await send("/guide/mail", nameless, { reviewMails: "daily" });
  await send("/me/account", ann, { intent: "profile", name: "Ann Again", image: "" });
  await send("/me/account/delete", await logIn(app, DORA.email), { password: PASSWORD });

  for (const user of [ANN, GITA])
    await exportData({ id: user._id.toHexString(), name: "", email: user.email, image: null });
  await rebuildRatings();
  const mismatches = await checkRatings();
  if (mismatches.length > 0) wrong.push(`the ratings differ: ${JSON.stringify(mismatches)}`);
  const lines = app.log().split("\n");
  wrong.push(...lines.filter((line) => /"level":(50|60)/.test(line)));
  return { wrong, answers };
}

/** The address of a tour with an impossible slug has its id in the slug's place. */
function slugOf({ _id, slug }: { _id: mongo.ObjectId; slug?: unknown }): string {
  return typeof slug === "string" && !/^\.\.$|%2F/.test(slug) ? slug : _id.toHexString();
}
