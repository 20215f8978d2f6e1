// @ts-check
// Parts that the two servers beside the app have in common. Collections are those of the driver or Mongoose's models.
import { createHmac, timingSafeEqual } from "node:crypto";

export const { MONGODB_URI = "", PORT = "", SESSION_SECRET = "" } = process.env;
/** @type {import("mongoose").mongo.WriteConcernSettings} */
const writeConcern = { w: "majority", journal: true };
export const CONNECTION = { maxPoolSize: 50, writeConcern };
const WRITES_A_MINUTE = 600;

export class Refusal extends Error {
  /** @param {number} status @param {string} text */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/**
 * The session id in a cookie of the app, or null: base64 of JSON, a dot, and an HMAC-SHA256 of what is before the dot.
 * @param {string | undefined} header
 */
function sessionIdOf(header) {
  const [, cookie] = /(?:^|;\s*)session=([^;]+)/.exec(header ?? "") ?? [];
  if (!cookie) return null;
  const [value = "", signature = ""] = decodeURIComponent(cookie).split(".");
  const digest = createHmac("sha256", SESSION_SECRET).update(value).digest("base64");
  const expected = Buffer.from(digest.replaceAll("=", ""));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(value, "base64").toString());
}

/** @param {{ sessions: any, users: any }} collections @param {string | undefined} cookies */
export async function findUser({ sessions, users }, cookies) {
  const id = sessionIdOf(cookies);
  const session = id && (await sessions.findOne({ _id: id, expiresAt: { $gt: new Date() } }));
  const user = session && (await users.findOne({ _id: session.userId }));
  if (!user) throw new Refusal(401, "Unauthorized");
  return user;
}

/** @param {any} limits @param {unknown} userId */
export async function countWrite(limits, userId) {
  const key = `write:${userId}`;
  const now = new Date();
  const count = await limits.findOneAndUpdate(
    { key, expire: { $gt: now } },
    { $inc: { points: 1 } },
    { returnDocument: "after" },
  );
  if (!count) await limits.insertOne({ key, points: 1, expire: new Date(+now + 60_000) });
  if (count?.points > WRITES_A_MINUTE) throw new Refusal(429, "Too many requests");
}

/** @param {any} body */
export function checkInput({ tourId, rating }) {
  if (!tourId || !rating) throw new Refusal(400, "Missing required fields");
  if (!Number.isInteger(rating) || rating < 1 || rating > 5)
    throw new Refusal(400, "Rating must be an integer between 1 and 5");
}

/** @param {Record<"tour" | "guideId" | "existing" | "booking" | "user", any>} found */
export function checkRights({ tour, guideId, existing, booking, user }) {
  if (!tour) throw new Refusal(404, "Tour not found");
  if (user._id.equals(guideId)) throw new Refusal(400, "You cannot review your own tour");
  if (existing) throw new Refusal(400, "You have already reviewed this tour");
  if (!booking) throw new Refusal(400, "You can only review completed tours");
}

/** The outbox's document for the guide's daily e-mail. @param {any} review @param {any} people */
export function digestOf({ _id, rating, comment, createdAt }, { tour, user, guide }) {
  const dueAt = new Date(createdAt);
  dueAt.setUTCHours(dueAt.getUTCHours() < 7 ? 7 : 31, 0, 0, 0);
  return {
    _id,
    kind: "digest",
    guideId: guide._id,
    explorerId: user._id,
    inputs: {
      guideName: guide.name,
      guideEmail: guide.email,
      explorerName: user.name,
      tourTitle: tour.title,
      tourSlug: tour.slug,
      rating,
      comment,
    },
    state: "pending",
    attempts: 0,
    createdAt,
    dueAt,
    retryUntil: new Date(+dueAt + 48 * 3_600_000),
  };
}

/** A tour's figures from its numbers of reviews by rating. @param {{ _id: number, count: number }[]} groups */
export function figuresOf(groups) {
  /** @type {Record<string, number>} */
  const ratingCounts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  for (const { _id, count } of groups) ratingCounts[_id] = count;
  const reviewCount = groups.reduce((total, { count }) => total + count, 0);
  const sum = groups.reduce((total, { _id, count }) => total + _id * count, 0);
  return { avgRating: reviewCount && sum / reviewCount, reviewCount, ratingCounts };
}

/** @param {any} review @param {any} author */
export const publicReview = (review, author) => ({
  id: String(review._id),
  tourId: String(review.tourId),
  userId: String(author?._id ?? review.userId),
  rating: review.rating,
  comment: review.comment,
  createdAt: review.createdAt,
  user: { name: author?.name ?? "", image: author?.image ?? null },
});
