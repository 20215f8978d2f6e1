// @ts-check
// What the app is measured against: the list of reviews and the POST of a review, written by hand with only
// `node:http` and the driver. It keeps the app's promises for these two (session, limit, checks, one transaction with
// claim, review, e-mail and fresh mean) in as few round trips as possible, and does nothing else: no cache, no log,
// no guard against malformed requests or records.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { mongo } from "mongoose";
import { sessionIdOf } from "./session-cookie.mjs";

const { MONGODB_URI = "", PORT = "", SESSION_SECRET = "" } = process.env;
const { ObjectId } = mongo;
const AUTHORS_AT_ONCE = 100;
const WRITES_A_MINUTE = 600;

const client = new mongo.MongoClient(MONGODB_URI, {
  maxPoolSize: 50,
  writeConcern: { w: "majority", journal: true },
});
await client.connect();
const db = client.db();
const tours = db.collection("tours");
const users = db.collection("users");
const reviews = db.collection("reviews");
const bookings = db.collection("bookings");
const notifications = db.collection("tourReviews.notifications");
/** @type {mongo.Collection<{ _id: string, userId: mongo.ObjectId, expiresAt: Date }>} */
const sessions = db.collection("tourReviews.sessions");
const limits = db.collection("tourReviews.rateLimits", { writeConcern: { w: 1 } });

class Refusal extends Error {
  /** @param {number} status @param {string} text */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** @typedef {import("node:http").IncomingMessage} Request */
/** @typedef {import("node:http").ServerResponse} Response */

/** @param {Response} response @param {number} status @param {unknown} body @param {Record<string, string>} [headers] */
function answer(response, status, body, headers) {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": bytes.length,
      ...headers,
    })
    .end(bytes);
}

/** @param {mongo.Document} review @param {mongo.Document | undefined} author */
const publicReview = (review, author) => ({
  id: review._id.toHexString(),
  tourId: review.tourId.toHexString(),
  userId: review.userId.toHexString(),
  rating: review.rating,
  comment: review.comment,
  createdAt: review.createdAt.toISOString(),
  user: { name: author?.name ?? "", image: author?.image ?? null },
});

/** @param {Request} request @param {Response} response @param {string} tourId */
async function list(request, response, tourId) {
  const found = await reviews
    .find({ tourId: new ObjectId(tourId) })
    .sort({ createdAt: -1, _id: -1 })
    .toArray();
  const authors = new Map();
  for (let start = 0; start < found.length; start += AUTHORS_AT_ONCE) {
    const ids = found.slice(start, start + AUTHORS_AT_ONCE).map(({ userId }) => userId);
    const some = users.find({ _id: { $in: ids } }, { projection: { name: 1, image: 1 } });
    for await (const user of some) authors.set(user._id.toHexString(), user);
  }
  const body = Buffer.from(
    JSON.stringify({
      reviews: found.map((review) =>
        publicReview(review, authors.get(review.userId.toHexString())),
      ),
    }),
  );
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
  const headers = { "Content-Type": "application/json; charset=utf-8", etag };
  response.writeHead(200, { ...headers, "Content-Length": body.length }).end(body);
}

/** @param {Request} request */
async function currentUser(request) {
  const id = sessionIdOf(request.headers.cookie, SESSION_SECRET);
  const session = id && (await sessions.findOne({ _id: id, expiresAt: { $gt: new Date() } }));
  return session ? users.findOne({ _id: session.userId }) : null;
}

/** @param {string} userId */
async function countWrite(userId) {
  const key = `write:${userId}`;
  const now = new Date();
  const count = await limits.findOneAndUpdate(
    { key, expire: { $gt: now } },
    { $inc: { points: 1 } },
    { returnDocument: "after" },
  );
  if (!count) await limits.insertOne({ key, points: 1, expire: new Date(+now + 60_000) });
  if (count && count.points > WRITES_A_MINUTE) throw new Refusal(429, "Too many requests");
}

/** @param {Request} request @param {Response} response */
async function create(request, response) {
  const user = await currentUser(request);
  if (!user) throw new Refusal(401, "Unauthorized");
  const { tourId: id, rating, comment = null } = /** @type {any} */ (await json(request));
  if (!id || !rating) throw new Refusal(400, "Missing required fields");
  if (!Number.isInteger(rating) || rating < 1 || rating > 5)
    throw new Refusal(400, "Rating must be an integer between 1 and 5");
  const userId = user._id;
  const tourId = new ObjectId(/** @type {string} */ (id));
  const [tour, existing, booking] = await Promise.all([
    tours.findOne({ _id: tourId }),
    reviews.findOne({ tourId, userId }, { projection: { _id: 1 } }),
    bookings.findOne({ userId, tourId, status: "COMPLETED" }, { projection: { _id: 1 } }),
    countWrite(userId.toHexString()),
  ]);
  if (!tour) throw new Refusal(404, "Tour not found");
  if (userId.equals(tour.createdById)) throw new Refusal(400, "You cannot review your own tour");
  if (existing) throw new Refusal(400, "You have already reviewed this tour");
  if (!booking) throw new Refusal(400, "You can only review completed tours");
  const guide = await users.findOne({ _id: tour.createdById });

  const review = {
    _id: new ObjectId(),
    ...{ tourId, userId, rating, comment, createdAt: new Date(), verified: true },
  };
  const session = client.startSession();
  try {
    await session.withTransaction(() => store(review, { tour, user, guide }, session), {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority", journal: true },
    });
  } finally {
    await session.endSession();
  }
  const message = "Review submitted successfully";
  answer(response, 201, { review: publicReview(review, user), message });
}

/**
 * @param {mongo.Document} review
 * @param {{ tour: mongo.Document, user: mongo.Document, guide: mongo.Document | null }} people
 * @param {mongo.ClientSession} session
 */
async function store(review, { tour, user, guide }, session) {
  const { _id, tourId, userId, rating, comment, createdAt } = review;
  await tours.updateOne({ _id: tourId }, { $inc: { ratingsVersion: 1 } }, { session });
  await reviews.insertOne(review, { session });
  if (guide?.email) {
    const dueAt = nextMorning(createdAt);
    const inputs = {
      guideName: guide.name,
      guideEmail: guide.email,
      explorerName: user.name,
      tourTitle: tour.title,
      ...{ rating, comment },
      tourSlug: tour.slug,
    };
    const retryUntil = new Date(dueAt.getTime() + 48 * 3_600_000);
    await notifications.insertOne(
      {
        ...{ _id, kind: "digest", guideId: guide._id, explorerId: userId, inputs, attempts: 0 },
        ...{ state: "pending", createdAt, dueAt, retryUntil },
      },
      { session },
    );
  }
  const groups = await reviews
    .aggregate([{ $match: { tourId } }, { $group: { _id: "$rating", count: { $sum: 1 } } }], {
      session,
    })
    .toArray();
  /** @type {Record<string, number>} */
  const ratingCounts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  let reviewCount = 0;
  let sum = 0;
  for (const { _id: stars, count } of groups) {
    ratingCounts[stars] = count;
    reviewCount += count;
    sum += stars * count;
  }
  const $set = { avgRating: sum / reviewCount, reviewCount, ratingCounts };
  await tours.updateOne({ _id: tourId }, { $set }, { session });
}

/** @param {Date} after */
function nextMorning(after) {
  const due = new Date(after);
  due.setUTCHours(7, 0, 0, 0);
  if (due <= after) due.setUTCDate(due.getUTCDate() + 1);
  return due;
}

/** @param {Request} request @param {Response} response */
async function handle(request, response) {
  const url = new URL(request.url ?? "/", "http://bare");
  if (url.pathname === "/healthz") return answer(response, 200, { status: "ok" });
  if (url.pathname !== "/api/reviews") throw new Refusal(404, "Not found");
  if (request.method === "POST") return create(request, response);
  const tourId = url.searchParams.get("tourId");
  if (!tourId) throw new Refusal(400, "Tour ID is required");
  return list(request, response, tourId);
}

createServer((request, response) => {
  handle(request, response).catch((/** @type {any} */ error) => {
    if (!error.status) process.stderr.write(`${error.stack}\n`);
    answer(response, error.status ?? 500, { error: error.message });
  });
}).listen(Number(PORT), "127.0.0.1");
