// @ts-check
// What the app is measured against: the same list and POST as people usually write them with Express and Mongoose,
// with models, hydrated documents and `populate`. Express makes and compares the tags of its answers itself.
import express from "express";
import mongoose, { Schema } from "mongoose";
import { sessionIdOf } from "./session-cookie.mjs";

const { MONGODB_URI = "", PORT = "", SESSION_SECRET = "" } = process.env;
const WRITES_A_MINUTE = 600;
const ref = (/** @type {string} */ name) => ({ type: Schema.Types.ObjectId, ref: name });
const plain = { versionKey: /** @type {false} */ (false), autoIndex: false };

const User = mongoose.model(
  "User",
  new Schema({ name: String, email: String, image: String }, plain),
);
const Tour = mongoose.model(
  "Tour",
  new Schema(
    {
      ...{ title: String, slug: String, createdById: ref("User"), avgRating: Number },
      ...{ reviewCount: Number, ratingsVersion: Number, ratingCounts: Object },
    },
    plain,
  ),
);
const Booking = mongoose.model(
  "Booking",
  new Schema({ userId: ref("User"), tourId: ref("Tour"), status: String }, plain),
);
const Review = mongoose.model(
  "Review",
  new Schema(
    {
      tourId: { ...ref("Tour"), required: true },
      userId: { ...ref("User"), required: true },
      rating: { type: Number, required: true, min: 1, max: 5 },
      comment: { type: String, default: null },
      createdAt: { type: Date, default: Date.now },
      verified: Boolean,
    },
    plain,
  ),
);
const Session = mongoose.model(
  "Session",
  new Schema({ _id: String, userId: Schema.Types.ObjectId, expiresAt: Date }, plain),
  "tourReviews.sessions",
);
const Limit = mongoose.model(
  "Limit",
  new Schema({ key: String, points: Number, expire: Date }, plain),
  "tourReviews.rateLimits",
);
const Notification = mongoose.model(
  "Notification",
  new Schema(
    {
      ...{ kind: String, guideId: ref("User"), explorerId: ref("User"), inputs: Object },
      ...{ state: String, createdAt: Date, dueAt: Date, retryUntil: Date, attempts: Number },
    },
    plain,
  ),
  "tourReviews.notifications",
);

/** @param {any} review @param {any} author */
const toJson = (review, author) => ({
  id: review.id,
  tourId: String(review.tourId),
  userId: String(author?._id ?? review.userId),
  rating: review.rating,
  comment: review.comment,
  createdAt: review.createdAt,
  user: { name: author?.name ?? "", image: author?.image ?? null },
});

const app = express();
app.use(express.json());

app.get("/healthz", (_request, response) => {
  response.json({ status: "ok" });
});

app.get("/api/reviews", async (request, response) => {
  const { tourId } = /** @type {Record<string, string>} */ (request.query);
  if (!tourId) return response.status(400).json({ error: "Tour ID is required" });
  try {
    const found = await Review.find({ tourId })
      .sort({ createdAt: -1, _id: -1 })
      .populate("userId", "name image");
    response.json({
      reviews: found.map((/** @type {any} */ review) => toJson(review, review.userId)),
    });
  } catch {
    response.status(500).json({ error: "Failed to fetch reviews" });
  }
});

app.post("/api/reviews", async (request, response) => {
  const id = sessionIdOf(request.headers.cookie, SESSION_SECRET);
  const session = id && (await Session.findOne({ _id: id, expiresAt: { $gt: new Date() } }));
  const user = session ? await User.findById(session.userId) : null;
  if (!user) return response.status(401).json({ error: "Unauthorized" });
  if (await isOverLimit(user.id)) return response.status(429).json({ error: "Too many requests" });
  const refuse = (/** @type {number} */ status, /** @type {string} */ error) =>
    response.status(status).json({ error });
  const { tourId, rating, comment } = request.body;
  if (!tourId || !rating) return refuse(400, "Missing required fields");
  if (!Number.isInteger(rating) || rating < 1 || rating > 5)
    return refuse(400, "Rating must be an integer between 1 and 5");
  const tour = await Tour.findById(tourId).populate("createdById");
  if (!tour) return refuse(404, "Tour not found");
  if (user._id.equals(tour.createdById?._id)) return refuse(400, "You cannot review your own tour");
  if (await Review.findOne({ tourId, userId: user._id }))
    return refuse(400, "You have already reviewed this tour");
  if (!(await Booking.findOne({ userId: user._id, tourId, status: "COMPLETED" })))
    return refuse(400, "You can only review completed tours");
  try {
    const review = await mongoose.connection.transaction((session) =>
      store({ tour, user, rating, comment }, session),
    );
    const message = "Review submitted successfully";
    response.status(201).json({ review: toJson(review, user), message });
  } catch {
    refuse(500, "Failed to create review");
  }
});

/** @param {string} userId */
async function isOverLimit(userId) {
  const key = `write:${userId}`;
  const now = new Date();
  const count = await Limit.findOneAndUpdate(
    { key, expire: { $gt: now } },
    { $inc: { points: 1 } },
    { returnDocument: "after" },
  );
  if (!count) await Limit.create({ key, points: 1, expire: new Date(+now + 60_000) });
  return (count?.points ?? 0) > WRITES_A_MINUTE;
}

/** @param {any} input @param {mongoose.ClientSession} session */
async function store({ tour, user, rating, comment }, session) {
  const tourId = tour._id;
  await Tour.updateOne({ _id: tourId }, { $inc: { ratingsVersion: 1 } }, { session });
  const [review] = await Review.create(
    [{ tourId, userId: user._id, rating, comment, verified: true }],
    { session },
  );
  if (!review) throw new Error("Nothing was stored");
  const guide = tour.createdById;
  const dueAt = new Date(review.createdAt);
  dueAt.setUTCHours(31, 0, 0, 0);
  await Notification.create(
    [
      {
        ...{ _id: review._id, kind: "digest", guideId: guide._id, explorerId: user._id },
        inputs: {
          guideName: guide.name,
          guideEmail: guide.email,
          explorerName: user.name,
          tourTitle: tour.title,
          ...{ rating, comment },
          tourSlug: tour.slug,
        },
        ...{ state: "pending", createdAt: review.createdAt, dueAt, attempts: 0 },
        retryUntil: new Date(dueAt.getTime() + 48 * 3_600_000),
      },
    ],
    { session },
  );
  const groups = await Review.aggregate([
    { $match: { tourId } },
    { $group: { _id: "$rating", count: { $sum: 1 } } },
  ]).session(session);
  const ratingCounts = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  for (const { _id, count } of groups) Object.assign(ratingCounts, { [_id]: count });
  const reviewCount = groups.reduce((total, { count }) => total + count, 0);
  const avgRating = groups.reduce((total, { _id, count }) => total + _id * count, 0) / reviewCount;
  await Tour.updateOne({ _id: tourId }, { avgRating, reviewCount, ratingCounts }, { session });
  return review;
}

await mongoose.connect(MONGODB_URI, {
  autoIndex: false,
  autoCreate: false,
  maxPoolSize: 50,
  writeConcern: { w: "majority", journal: true },
});
app.listen(Number(PORT), "127.0.0.1");
