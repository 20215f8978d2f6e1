import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import mongoose, { Types } from "mongoose";
import type { ProvenUser } from "~/accounts/users.server";
import { keepPicture } from "~/db/pictures.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import type { PostedReply } from "~/reviews/replies/replies.server";
import { Absence, type AbsenceDocument } from "#models/absence";
import { Booking, type BookingDocument, COMPLETED, NO_SHOW } from "#models/booking";
import { Reply, type ReplyDocument } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";

export const PASSWORD = "walk the old town 2026";
export const PASSWORD_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$e3sdzWU84F0z5cg/owqAYA$u/38GWILa+gOydNWYobllAA3H6hYiErbt6DCMoJZmW8";

/** The account of that id as if it had been proven just now. */
export async function provenUser(userId: Types.ObjectId | string): Promise<ProvenUser> {
  const user = await User.findById(userId).lean<UserDocument>();
  return { _id: new Types.ObjectId(userId), passwordHash: user?.passwordHash ?? null };
}

/** A test gives only the fields that matter to it; the others are plausible and unique. */
export async function makeUser(fields: Partial<UserDocument> = {}): Promise<UserDocument> {
  const _id = new Types.ObjectId();
  const user: UserDocument = {
    _id,
    name: `Explorer ${_id.toString().slice(-4)}`,
    email: `${_id.toString()}@example.test`,
    image: null,
    passwordHash: PASSWORD_HASH,
    reviewMails: "each",
    replyMails: "each",
    reviewRequests: true,
    suspendedUntil: null,
    ...fields,
  };
  await User.create(user);
  return user;
}

export async function makeTour(fields: Partial<TourDocument> = {}): Promise<TourDocument> {
  const _id = new Types.ObjectId();
  const tour: TourDocument = {
    _id,
    title: `Tour ${_id.toString().slice(-4)}`,
    slug: `tour-${_id.toString()}`,
    createdById: fields.createdById ?? (await makeUser({ name: "Gwen Guide" }))._id,
    description: "",
    date: null,
    dates: [],
    timeZone: null,
    location: null,
    durationMinutes: null,
    image: null,
    images: [],
    bookingUrl: null,
    price: null,
    currency: null,
    meetingPoint: null,
    groupSize: null,
    minAge: null,
    languages: [],
    included: [],
    bring: [],
    avgRating: 0,
    reviewCount: 0,
    ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 },
    ratingsVersion: 0,
    removedReviews: 0,
    closedHereAt: null,
    lastChange: null,
    ...fields,
  };
  await Tour.create(tour);
  return tour;
}

/** Keeps some of the site's drawings as pictures, which a tour can have. */
export const keepPictures = (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const hash = randomBytes(16).toString("hex");
      // Browsers see what it is.
      const bytes = readFileSync(`public/share/${1 + (n % 6)}.png`);
      await keepPicture(hash, [bytes, bytes, bytes]);
      return { url: `/pictures/${hash}`, alt: `Hills in the evening, ${n + 1}` };
    }),
  );

export async function makeBooking(
  user: { _id: Types.ObjectId },
  tour: { _id: Types.ObjectId },
  fields: Partial<BookingDocument> = {},
): Promise<void> {
  await Booking.create({ userId: user._id, tourId: tour._id, status: COMPLETED, ...fields });
}

/** A booking of which the tour's guide said an hour ago that the user did not come; the user has been asked. */
export async function makeAbsence(
  user: { _id: Types.ObjectId },
  { _id: tourId, createdById: guideId }: Pick<TourDocument, "_id" | "createdById">,
  fields: Partial<AbsenceDocument> = {},
): Promise<AbsenceDocument> {
  const [date, at] = [4, 1].map((hours) => new Date(Date.now() - hours * 3_600_000)) as [
    Date,
    Date,
  ];
  const booking = await Booking.create({ userId: user._id, tourId, date, status: NO_SHOW });
  const absence = { bookingId: booking._id, userId: user._id, tourId, guideId, date, at };
  return (await Absence.create({ ...absence, ...fields })).toObject();
}

/** Stores a review, and updates its tour's aggregates. */
export async function makeReview(
  user: { _id: Types.ObjectId },
  tour: { _id: Types.ObjectId },
  fields: Partial<ReviewDocument> = {},
): Promise<ReviewDocument> {
  const review = await Review.create({
    userId: user._id,
    tourId: tour._id,
    rating: 4,
    comment: null,
    createdAt: new Date(),
    ...fields,
  });
  await rebuildRatings({ tourIds: [tour._id] });
  return review.toObject();
}

/**
 * Stores that many reviews of a tour at once, malformed ones too: from nobody, each a second older than the one before.
 * The tour's aggregates stay as they are.
 */
export async function insertReviews(
  tourId: Types.ObjectId,
  count: number,
  fieldsOf: (n: number) => object = () => ({}),
): Promise<ReviewDocument[]> {
  const now = Date.now();
  const reviews = Array.from({ length: count }, (_, n) => ({
    _id: new Types.ObjectId(),
    tourId,
    userId: new Types.ObjectId(),
    rating: 1 + (n % 5),
    comment: null,
    createdAt: new Date(now - n * 1_000),
    ...fieldsOf(n),
  }));
  if (count > 0) await Review.collection.insertMany(reviews, { ignoreUndefined: true });
  return reviews;
}

export async function makeReply(
  guide: { _id: Types.ObjectId },
  review: Pick<ReviewDocument, "_id" | "tourId">,
  fields: Partial<ReplyDocument> = {},
): Promise<PostedReply> {
  const reply = {
    _id: review._id,
    tourId: review.tourId,
    userId: guide._id,
    text: "Thank you.",
    createdAt: new Date(),
    editedAt: null,
    hidden: null,
    ...fields,
  };
  await Reply.create(reply);
  return { ...reply, text: reply.text ?? "" };
}

/** An explorer with a completed booking of the tour, who may review it. */
export async function makeBookedExplorer(
  tour: { _id: Types.ObjectId },
  fields: Partial<UserDocument> = {},
): Promise<UserDocument> {
  const user = await makeUser(fields);
  await makeBooking(user, tour);
  return user;
}

/** Records that many attempts for a limit of app/db/rate-limits.server.ts, in a long window. */
export async function fillLimit(name: string, key: string, points: number): Promise<void> {
  const count = { key: `${name}:${key}`, points, expire: new Date(Date.now() + 600_000) };
  await mongoose.connection.collection("tourReviews.rateLimits").insertOne(count);
}

export const as = (user: { _id: Types.ObjectId }) => ({ id: user._id.toString() });

/** The aggregates of a tour, from the tests' own query. */
export async function freshRatings(tourId: Types.ObjectId) {
  const groups = await Review.aggregate<{ _id: number; count: number }>([
    { $match: { tourId } },
    { $group: { _id: "$rating", count: { $sum: 1 } } },
  ]);
  const ratingCounts = { "1": 0, "2": 0, "3": 0, "4": 0, "5": 0 } as Record<string, number>;
  for (const { _id, count } of groups) ratingCounts[_id] = count;
  const reviewCount = groups.reduce((sum, { count }) => sum + count, 0);
  const sum = groups.reduce((total, { _id, count }) => total + _id * count, 0);
  return { avgRating: reviewCount ? sum / reviewCount : 0, reviewCount, ratingCounts };
}

/** A generator of numbers from 0 up to 1, determined by the seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Slugs that look like an address of the site or of Remix, or need every kind of escape. */
export const HOSTILE_SLUGS = [
  ...`x.data x.data.data .data _root.data _root _index index __manifest reviews edit delete api build tours
    reviews.data ... - ~.. a+b a&b=c a;b=c 100% <b> a\\b a:b@c UPPER-Case a,b|c^d\`e{f}[g]$ \u{1f9ed}
    \u4eac\u90fd\u306e\u6563\u6b69 \u062c\u0648\u0644\u0629 cafe\u0301 na\u00efve`.split(/\s+/),
  "50% off",
  'it\'s "quoted" (really)!*',
];

/** Names in which nobody sees anything. */
export const INVISIBLE_NAMES = [
  "   ",
  "\u200B",
  "\u00AD",
  "\u2800",
  "\uFE0F",
  "\u3164\u115F\uFFA0",
  "\u{E0020}\u{E0041}",
  "\u202E\u2066",
  " \u0301",
];
