import { expect, it } from "vitest";
import { getReviewPage } from "~/reviews/list/page.server";
import { findVisits } from "~/reviews/list/visits.server";
import { Booking, type BookingDocument, COMPLETED, CONFIRMED, NO_SHOW } from "#models/booking";
import { Review, type ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeBooking, makeReview, makeTour, makeUser } from "../support/factories";

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

it("is the same by bookings that were read before", async () => {
  const [early, late] = [await makeWritten(), await makeWritten()];
  const { _id: userId } = early.explorer;
  await Review.updateOne({ _id: late.review._id }, { userId });
  const reviews = [early.review, { ...late.review, userId, createdAt: at(20) }];
  for (const day of [3, 12, 18, 25])
    await makeBooking(early.explorer, early.tour, { date: at(day) });
  await makeBooking(early.explorer, early.tour, { date: at(13), status: CONFIRMED });
  await makeBooking(early.explorer, late.tour, { date: at(19) });
  await makeBooking(early.explorer, late.tour, { date: null });
  const bookings = await Booking.find({ userId }).lean<BookingDocument[]>();
  const visits = await findVisits(reviews, bookings);
  expect(visits).toEqual(await findVisits(reviews));
  expect([...visits.values()]).toEqual([at(12), at(19)]);
});

it.each([CONFIRMED, NO_SHOW, "completed"])("is none of a booking that is %s", async (status) => {
  const { explorer, review, tour } = await makeWritten();
  await makeBooking(explorer, tour, { date: at(12), status });
  expect(await visitOf(review)).toBeUndefined();
});

it.each([
  ["no date", {}],
  ["null", { date: null }],
  ["a text", { date: "2026-11-12T12:00:00Z" }],
])("is none of a booking with %s, which harms no other", async (_, fields) => {
  const { review } = await makeWritten();
  await storeBooking(review, fields);
  expect(await visitOf(review)).toBeUndefined();
  await storeBooking(review, { date: at(11) });
  expect(await visitOf(review)).toBe(at(11).toISOString());
});

it("says that the booking is there, also of a review that was not checked", async () => {
  const tour = await makeTour();
  const [ann, ben] = [await makeWritten(tour, at(16)), await makeWritten(tour)];
  await makeBooking(ann.explorer, tour, { date: at(12) });
  await Review.updateOne({ _id: ben.review._id }, { $set: { verified: true } });
  const { reviews } = await getReviewPage(tour, { sort: "newest", stars: null, after: null });
  expect(reviews.map(({ verified, visitedAt }) => [verified, visitedAt])).toEqual([
    [true, at(12).toISOString()],
    [true, null],
  ]);
});
