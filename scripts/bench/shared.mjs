// Parts that the two servers beside the app have in common. Collections are those of the driver or Mongoose's models.
import { createCookie } from "@remix-run/node";

export const { MONGODB_URI, PORT, SESSION_SECRET } = process.env;
export const CONNECTION = { maxPoolSize: 50, writeConcern: { w: "majority", journal: true } };
const WRITES_A_MINUTE = 600;

const cookie = createCookie("session", { secrets: [SESSION_SECRET] });

/** Throws an error with that status unless the condition is true. */
export function check(condition, status, message) {
  if (!condition) throw Object.assign(new Error(message), { status });
}

export async function findUser({ sessions, users }, cookies) {
  const _id = await cookie.parse(cookies);
  const session = _id && (await sessions.findOne({ _id, expiresAt: { $gt: new Date() } }));
  const user = session && (await users.findOne({ _id: session.userId }));
  check(user, 401, "Unauthorized");
  return user;
}

export async function countWrite(limits, userId) {
  const key = `write:${userId}`;
  const now = new Date();
  const count = await limits.findOneAndUpdate(
    { key, expire: { $gt: now } },
    { $inc: { points: 1 } },
    { returnDocument: "after" },
  );
  if (!count) {
    const begun = { points: 1, expire: new Date(+now + 60_000) };
    const { matchedCount } = await limits.updateOne(
      { key, expire: { $lte: now } },
      { $set: begun },
    );
    if (matchedCount === 0) await limits.insertOne({ key, ...begun });
  }
  check(!count || count.points <= WRITES_A_MINUTE, 429, "Too many requests");
}

export function checkInput({ tourId, rating }) {
  check(tourId && rating, 400, "Missing required fields");
  const isRating = Number.isInteger(rating) && rating >= 1 && rating <= 5;
  check(isRating, 400, "Rating must be an integer between 1 and 5");
}

export function checkRights({ tour, guideId, existing, booking, user }) {
  check(tour, 404, "Tour not found");
  check(!user._id.equals(guideId), 400, "You cannot review your own tour");
  check(!existing, 400, "You have already reviewed this tour");
  check(booking, 400, "You can only review completed tours");
}

/** The outbox's document for the guide's daily e-mail. */
export const digestOf = ({ _id, rating, comment, createdAt }, { tour, user, guide }) => ({
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
  dueAt: new Date(+createdAt + 24 * 3_600_000),
  retryUntil: new Date(+createdAt + 72 * 3_600_000),
});

/** A tour's figures from its numbers of reviews by rating. */
export function figuresOf(groups) {
  const ratingCounts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  for (const { _id, count } of groups) ratingCounts[_id] = count;
  const reviewCount = groups.reduce((total, { count }) => total + count, 0);
  const sum = groups.reduce((total, { _id, count }) => total + _id * count, 0);
  return { avgRating: reviewCount && sum / reviewCount, reviewCount, ratingCounts };
}

export const publicReview = ({ _id, tourId, userId, rating, comment, createdAt }, author) => ({
  id: String(_id),
  tourId: String(tourId),
  userId: String(author?._id ?? userId),
  rating,
  comment,
  createdAt,
  user: { name: author?.name ?? "", image: author?.image ?? null },
});
