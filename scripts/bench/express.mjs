// The same list and POST as people usually write them with Express and Mongoose, with models, hydrated documents and
// `populate`. Express makes and compares the tags of its answers itself.
import express from "express";
import mongoose, { Schema } from "mongoose";
import * as shared from "./shared.mjs";

const model = (collection, fields, options) =>
  mongoose.model(collection, new Schema(fields, { versionKey: false, ...options }), collection);
const user = { type: Schema.Types.ObjectId, ref: "users" };
const tour = { type: Schema.Types.ObjectId, ref: "tours" };

const Session = model("tourReviews.sessions", { _id: String, userId: user, expiresAt: Date });
const Limit = model("tourReviews.rateLimits", { key: String, points: Number, expire: Date });
const User = model("users", { name: String, email: String, image: String });
const Booking = model("bookings", { userId: user, tourId: tour, status: String });
const figures = { avgRating: Number, reviewCount: Number, ratingCounts: Object };
const titled = { title: String, slug: String, createdById: user };
const Tour = model("tours", { ...titled, ...figures, ratingsVersion: Number });
const Review = model("reviews", {
  tourId: { ...tour, required: true },
  userId: { ...user, required: true },
  rating: { type: Number, required: true, min: 1, max: 5 },
  comment: { type: String, default: null },
  createdAt: { type: Date, default: Date.now },
  verified: Boolean,
});
const Notification = model("tourReviews.notifications", { guideId: user }, { strict: false });

const refusing = (handler) => (request, response) =>
  handler(request, response).catch((error) => {
    if (!error.status) process.stderr.write(`${error.stack}\n`);
    response.status(error.status ?? 500).json({ error: error.message });
  });

const list = refusing(async (request, response) => {
  const { tourId } = request.query;
  shared.check(tourId, 400, "Tour ID is required");
  const found = await Review.find({ tourId })
    .sort({ createdAt: -1, _id: -1 })
    .populate("userId", "name image");
  response.json({
    reviews: found.map((review) => shared.publicReview(review, review.userId)),
  });
});

const create = refusing(async (request, response) => {
  const user = await shared.findUser({ sessions: Session, users: User }, request.headers.cookie);
  await shared.countWrite(Limit, user._id);
  shared.checkInput(request.body);
  const { tourId, rating, comment } = request.body;
  const userId = user._id;
  const tour = await Tour.findById(tourId).populate("createdById");
  const existing = await Review.findOne({ tourId, userId });
  const booking = await Booking.findOne({ userId, tourId, status: "COMPLETED" });
  const guide = tour?.createdById;
  shared.checkRights({ tour, guideId: guide?._id, existing, booking, user });
  const review = await mongoose.connection.transaction(async (session) => {
    await Tour.updateOne({ _id: tourId }, { $inc: { ratingsVersion: 1 } }, { session });
    const input = { tourId, userId, rating, comment, verified: true };
    const [review] = await Review.create([input], { session });
    await Notification.create([shared.digestOf(review, { tour, user, guide })], { session });
    const groups = await Review.aggregate([
      { $match: { tourId: tour._id } },
      { $group: { _id: "$rating", count: { $sum: 1 } } },
    ]).session(session);
    await Tour.updateOne({ _id: tourId }, shared.figuresOf(groups), { session });
    return review;
  });
  const message = "Review submitted successfully";
  response.status(201).json({ review: shared.publicReview(review, user), message });
});

const options = { ...shared.CONNECTION, autoIndex: false, autoCreate: false };
await mongoose.connect(shared.MONGODB_URI, options);
express()
  .use(express.json())
  .get("/healthz", (_request, response) => void response.json({ status: "ok" }))
  .get("/api/reviews", list)
  .post("/api/reviews", create)
  .listen(Number(shared.PORT));
