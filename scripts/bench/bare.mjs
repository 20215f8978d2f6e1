// The list of reviews and the POST of a review by hand, with only `node:http` and the driver. It keeps the app's
// promises for these two in as few round trips as possible, and has no cache, log, or guard against malformed requests.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { mongo } from "mongoose";
import * as shared from "./shared.mjs";

const { ObjectId } = mongo;
const AUTHORS_AT_ONCE = 100;

const client = new mongo.MongoClient(shared.MONGODB_URI, shared.CONNECTION);
await client.connect();
const db = client.db();
const tours = db.collection("tours");
const users = db.collection("users");
const reviews = db.collection("reviews");
const bookings = db.collection("bookings");
const notifications = db.collection("tourReviews.notifications");
const sessions = db.collection("tourReviews.sessions");
const limits = db.collection("tourReviews.rateLimits", { writeConcern: { w: 1 } });

function answer(response, status, body, headers) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const type = { "Content-Type": "application/json; charset=utf-8" };
  response.writeHead(status, { ...type, "Content-Length": bytes.length, ...headers }).end(bytes);
}

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
  const authorOf = ({ userId }) => authors.get(userId.toHexString());
  const body = { reviews: found.map((review) => shared.publicReview(review, authorOf(review))) };
  const bytes = Buffer.from(JSON.stringify(body));
  const etag = `"${createHash("sha1").update(bytes).digest("base64url")}"`;
  if (request.headers["if-none-match"] === etag) return response.writeHead(304, { etag }).end();
  answer(response, 200, bytes, { etag });
}

async function create(request, response) {
  const user = await shared.findUser({ sessions, users }, request.headers.cookie);
  const body = await json(request);
  shared.checkInput(body);
  const { rating, comment = null } = body;
  const [userId, tourId] = [user._id, new ObjectId(body.tourId)];
  const [tour, existing, booking] = await Promise.all([
    tours.findOne({ _id: tourId }),
    reviews.findOne({ tourId, userId }, { projection: { _id: 1 } }),
    bookings.findOne({ userId, tourId, status: "COMPLETED" }, { projection: { _id: 1 } }),
    shared.countWrite(limits, userId),
  ]);
  shared.checkRights({ tour, guideId: tour?.createdById, existing, booking, user });
  const guide = await users.findOne({ _id: tour?.createdById });

  const _id = new ObjectId();
  const review = { _id, tourId, userId, rating, comment, createdAt: new Date(), verified: true };
  const options = { ...shared.CONNECTION, readConcern: { level: "snapshot" } };
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await tours.updateOne({ _id: tourId }, { $inc: { ratingsVersion: 1 } }, { session });
      await reviews.insertOne(review, { session });
      if (guide?.email)
        await notifications.insertOne(shared.digestOf(review, { tour, user, guide }), { session });
      const groups = reviews.aggregate(
        [{ $match: { tourId } }, { $group: { _id: "$rating", count: { $sum: 1 } } }],
        { session },
      );
      const $set = shared.figuresOf(await groups.toArray());
      await tours.updateOne({ _id: tourId }, { $set }, { session });
    }, options),
  );
  const message = "Review submitted successfully";
  answer(response, 201, { review: shared.publicReview(review, user), message });
}

async function handle(request, response) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://bare");
  if (pathname === "/healthz") return answer(response, 200, { status: "ok" });
  shared.check(pathname === "/api/reviews", 404, "Not found");
  if (request.method === "POST") return create(request, response);
  const tourId = searchParams.get("tourId");
  shared.check(tourId, 400, "Tour ID is required");
  return list(request, response, tourId);
}

createServer((request, response) => {
  handle(request, response).catch((error) => {
    if (!error.status) process.stderr.write(`${error.stack}\n`);
    answer(response, error.status ?? 500, { error: error.message });
  });
}).listen(Number(shared.PORT));
