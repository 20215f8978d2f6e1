import mongoose, { Types } from "mongoose";
import { expect, test } from "vitest";
import { postReview } from "~/reviews/post.server";
import { pageOfReviews } from "~/reviews/list/page.server";
import { editReview } from "~/reviews/edit.server";
import { verifyReviews } from "~/reviews/list/verified.server";
import { Booking } from "#models/booking";
import { Review, type ReviewDocument } from "#models/review";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import {
  as,
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { listedReviews } from "../support/services";

useDatabase();

/** The reviews as the tour's page shows them. */
const shown = async ({ _id }: { _id: Types.ObjectId }) =>
  (await pageOfReviews({ _id, ratingsVersion: 0 }, { stars: null, sort: "newest", after: null }))
    .reviews;

const stored = async ({ _id }: { _id: Types.ObjectId }) => (await Review.findById(_id).lean())!;

/** Reviews straight into the collection, as a platform has them. */
async function platformReviews(fields: Partial<ReviewDocument>[]): Promise<Types.ObjectId[]> {
  const reviews = fields.map((own) => ({
    _id: new Types.ObjectId(),
    tourId: new Types.ObjectId(),
    userId: new Types.ObjectId(),
    rating: 4,
    comment: null,
    createdAt: new Date(),
    ...own,
  }));
  await Review.collection.insertMany(reviews);
  return reviews.map(({ _id }) => _id);
}

test("a new review is verified, also after an edit; the API's answers do not say so", async () => {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  const { review: created } = await postReview(as(guest), {
    tourId: tour._id.toString(),
    rating: 5,
  });
  const updated = await editReview(as(guest), created.id, { rating: 4 });
  for (const answer of [created, updated]) expect(answer).not.toHaveProperty("verified");
  expect(await stored({ _id: new Types.ObjectId(created.id) })).toMatchObject({ verified: true });
  expect(await shown(tour)).toMatchObject([{ verified: true }]);
  expect((await listedReviews(tour._id.toString()))[0]).not.toHaveProperty("verified");
});

test("a platform's review is not verified unless its field is exactly true", async () => {
  const tour = await makeTour();
  await platformReviews([{ tourId: tour._id }, { tourId: tour._id, verified: "yes" as never }]);
  expect((await shown(tour)).map(({ verified }) => verified)).toEqual([false, false]);
});

test("only a completed booking of the same explorer and tour counts, and only changes are written", async () => {
  const [tour, other] = [await makeTour(), await makeTour()];
  const [ann, ben, cleo] = [await makeUser(), await makeUser(), await makeUser()];
  const [dan, eve] = [await makeUser(), await makeUser()];
  await makeBooking(ann, tour);
  await makeBooking(ben, tour, { status: "CONFIRMED" });
  await makeBooking(cleo, other);
  await makeBooking(dan, tour);
  const reviews = [
    await makeReview(ann, tour),
    await makeReview(ben, tour),
    await makeReview(cleo, tour),
    await makeReview(dan, tour, { verified: true }),
    await makeReview(eve, tour, { verified: true }),
  ];
  const tours = JSON.stringify(await Tour.find().lean());

  const writes: unknown[] = [];
  const note = ({ commandName, command }: mongoose.mongo.CommandStartedEvent) => {
    if (commandName === "update") writes.push(command.updates);
  };
  const client = mongoose.connection.getClient().on("commandStarted", note);
  expect(await verifyReviews()).toMatchObject({ done: 5, total: 5, verified: 2, changed: 2 });
  expect(writes).toHaveLength(2);
  const after = await Promise.all(reviews.map(stored));
  expect(after.map(({ verified }) => verified)).toEqual([true, undefined, undefined, true, false]);

  writes.length = 0;
  expect(await verifyReviews()).toMatchObject({ done: 5, changed: 0 });
  expect(writes).toEqual([]);
  client.off("commandStarted", note);
  expect(JSON.stringify(await Tour.find().lean())).toBe(tours);
});

test("of many, reports its progress, can be stopped, and continues", async () => {
  const pairs = Array.from({ length: 250 }, () => ({
    tourId: new Types.ObjectId(),
    userId: new Types.ObjectId(),
  }));
  const ids = await platformReviews(pairs);
  await Booking.insertMany(pairs.map((pair) => ({ ...pair, status: "COMPLETED" })));
  const stop = new AbortController();
  const seen: number[] = [];
  const first = await verifyReviews({
    signal: stop.signal,
    onProgress: ({ done, total }) => {
      seen.push(done, total);
      stop.abort();
    },
  });
  expect(seen).toEqual([100, 250]);
  expect(first).toMatchObject({ done: 100, total: 250, changed: 100, last: ids[99]!.toString() });
  expect(await Review.countDocuments({ verified: true })).toBe(100);

  const rest = await verifyReviews({ after: new Types.ObjectId(first.last) });
  expect(rest).toMatchObject({ done: 150, total: 150, verified: 150, changed: 150 });
});
