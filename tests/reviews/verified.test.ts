import { Types } from "mongoose";
import { expect, test } from "vitest";
import { getReviewPage } from "~/reviews/list/page.server";
import { verifyReviews } from "~/reviews/list/verified.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { useDatabase } from "../support/database";
import { insertReviews, makeBooking, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

/** The reviews as the tour's page shows them. */
const shown = async ({ _id }: { _id: Types.ObjectId }) =>
  (await getReviewPage({ _id, ratingsVersion: 0 }, { stars: null, sort: "newest", after: null }))
    .reviews;

const stored = async ({ _id }: { _id: Types.ObjectId }) => (await Review.findById(_id).lean())!;

test("a platform's review is not verified unless its field is exactly true", async () => {
  const tour = await makeTour();
  await insertReviews(tour._id, 2, (n) => (n === 0 ? {} : { verified: "yes" }));
  expect((await shown(tour)).map(({ verified }) => verified)).toEqual([false, false]);
});

test("only a completed booking of the same explorer and tour counts", async () => {
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
  expect(await verifyReviews()).toMatchObject({ done: 5, total: 5, verified: 2, changed: 2 });
  const after = await Promise.all(reviews.map(stored));
  expect(after.map(({ verified }) => verified)).toEqual([true, undefined, undefined, true, false]);

  expect(await verifyReviews()).toMatchObject({ done: 5, changed: 0 });
});

test("of many, reports its progress, can be stopped, and continues", async () => {
  const reviews = await insertReviews(new Types.ObjectId(), 250);
  await Booking.insertMany(
    reviews.map(({ userId, tourId }) => ({ userId, tourId, status: "COMPLETED" })),
  );
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
  expect(first).toMatchObject({
    done: 100,
    total: 250,
    changed: 100,
    last: reviews[99]!._id.toString(),
  });
  expect(await Review.countDocuments({ verified: true })).toBe(100);

  const rest = await verifyReviews({ after: new Types.ObjectId(first.last) });
  expect(rest).toMatchObject({ done: 150, total: 150, verified: 150, changed: 150 });
});
