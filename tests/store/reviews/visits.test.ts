import { Types } from "mongoose";
import { expect, it, test } from "vitest";
import { pageOfReviews, REVIEWS_PER_PAGE } from "~/store/reviews/page.server";
import { findVisits } from "~/store/reviews/visits.server";
import { Booking, COMPLETED, CONFIRMED, NO_SHOW } from "../../../models/booking";
import { Review, type ReviewDocument } from "../../../models/review";
import type { TourDocument } from "../../../models/tour";
import { useDatabase } from "../../support/database";
import { rowsOfAnswers, sentBy } from "../../support/explain";
import { makeBooking, makeReview, makeTour, makeUser } from "../../support/factories";

useDatabase();

const WRITTEN = new Date("2026-11-15T12:00:00Z");
const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12));

/** A review of that moment, by an explorer who has no booking yet. */
async function makeWritten(tour?: TourDocument, createdAt = WRITTEN) {
  const explorer = await makeUser();
  const review = await makeReview(explorer, tour ?? (await makeTour()), { createdAt });
  return { explorer, review, tour: { _id: review.tourId } };
}

/** Stores a booking as a platform may have it, past the model. */
const storeBooking = ({ userId, tourId }: ReviewDocument, fields: object) =>
  Booking.collection.insertOne({ userId, tourId, status: COMPLETED, ...fields });

const visitOf = async (review: ReviewDocument) =>
  (await findVisits([review])).get(review._id.toString())?.toISOString();

it("is the latest date of a completed booking until the review, whatever comes after", async () => {
  const { explorer, review, tour } = await makeWritten();
  for (const day of [3, 12, 5, 18]) await makeBooking(explorer, tour, { date: at(day) });
  expect(await visitOf(review)).toBe(at(12).toISOString());
});

it("is that of the very moment, and not of a millisecond later", async () => {
  const [now, later] = [await makeWritten(), await makeWritten()];
  await makeBooking(now.explorer, now.tour, { date: WRITTEN });
  await makeBooking(later.explorer, later.tour, { date: new Date(WRITTEN.getTime() + 1) });
  expect(await visitOf(now.review)).toBe(WRITTEN.toISOString());
  expect(await visitOf(later.review)).toBeUndefined();
});

it.each([CONFIRMED, NO_SHOW, "CANCELLED", "PENDING", "completed"])(
  "is none of a booking that is %s",
  async (status) => {
    const { explorer, review, tour } = await makeWritten();
    await makeBooking(explorer, tour, { date: at(12), status });
    expect(await visitOf(review)).toBeUndefined();
  },
);

it("is none of another explorer's booking, nor of another tour's", async () => {
  const [tour, other] = [await makeTour(), await makeTour()];
  const [ann, ben, cleo] = [
    await makeWritten(tour),
    await makeWritten(tour, at(20)),
    await makeWritten(tour),
  ];
  for (const day of [12, 18]) await makeBooking(ann.explorer, tour, { date: at(day) });
  await makeBooking(ben.explorer, tour, { date: at(19) });
  await makeBooking(cleo.explorer, other, { date: at(13) });
  const visits = await findVisits([ann.review, ben.review, cleo.review]);
  expect([...visits]).toEqual([
    [ann.review._id.toString(), at(12)],
    [ben.review._id.toString(), at(19)],
  ]);
});

it.each([
  ["no date", {}],
  ["null", { date: null }],
  ["a text", { date: "2026-11-12T12:00:00Z" }],
  ["a number", { date: at(12).getTime() }],
  ["a list", { date: [at(12)] }],
  ["an object", { date: { day: at(12) } }],
])("is none of a booking with %s, which harms no other", async (_, fields) => {
  const { review } = await makeWritten();
  await storeBooking(review, fields);
  expect(await visitOf(review)).toBeUndefined();
  await storeBooking(review, { date: at(11) });
  expect(await visitOf(review)).toBe(at(11).toISOString());
});

it("is each its own of one author's reviews of several tours, and of two of one tour", async () => {
  const { explorer, review, tour } = await makeWritten();
  const second = await makeReview(explorer, await makeTour(), { createdAt: at(20) });
  // Between the two reviews: before the other one only.
  for (const day of [4, 16]) await makeBooking(explorer, tour, { date: at(day) });
  await makeBooking(explorer, { _id: second.tourId }, { date: at(18) });
  // The unique index refuses two of one tour, except those of a platform with ids of another type.
  const again = { ...review, _id: new Types.ObjectId(), createdAt: at(3) };
  const visits = await findVisits([review, second, again]);
  expect([...visits.values()]).toEqual([at(4), at(18)]);
});

it("says that the booking is there, also of a review that was not checked", async () => {
  const tour = await makeTour();
  const [ann, ben] = [await makeWritten(tour, at(16)), await makeWritten(tour)];
  await makeBooking(ann.explorer, tour, { date: at(12) });
  await Review.updateOne({ _id: ben.review._id }, { $set: { verified: true } });
  const { reviews } = await pageOfReviews(tour, { sort: "newest", stars: null, after: null });
  expect(reviews.map(({ verified, visitedAt }) => [verified, visitedAt])).toEqual([
    [true, at(12).toISOString()],
    [true, null],
  ]);
});

test("a page costs one command for its bookings, and none while it is kept", async () => {
  const tour = await makeTour();
  const page = async () => {
    let visits: (string | null)[] = [];
    const sent = await sentBy(async () => {
      const kept = { ...tour, ratingsVersion: 1 };
      const { reviews } = await pageOfReviews(kept, { sort: "newest", stars: null, after: null });
      visits = reviews.map(({ visitedAt }) => visitedAt);
    });
    return { visits, asked: sent.filter(({ collection }) => collection === "bookings").length };
  };
  for (let n = 0; n < REVIEWS_PER_PAGE; n++) {
    const { explorer } = await makeWritten(tour);
    await makeBooking(explorer, tour, { date: at(12) });
  }
  const visits = Array.from({ length: REVIEWS_PER_PAGE }, () => at(12).toISOString());
  expect(await page()).toEqual({ visits, asked: 1 });
  expect(await page()).toEqual({ visits, asked: 0 });
});

test("an author with thousands of bookings of a tour costs no more rows", async () => {
  const { review } = await makeWritten();
  const { userId, tourId } = review;
  await Booking.collection.insertMany(
    Array.from({ length: 2_000 }, (_, n) => ({
      ...{ userId, tourId, status: COMPLETED },
      date: new Date(WRITTEN.getTime() - n * 1_000),
    })),
  );
  let visit: string | undefined;
  expect(await rowsOfAnswers(Booking, async () => (visit = await visitOf(review)))).toEqual([1]);
  expect(visit).toBe(WRITTEN.toISOString());
});

test("no review, no command", async () => {
  expect(await sentBy(() => findVisits([]))).toEqual([]);
});
