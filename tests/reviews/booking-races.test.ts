import { expect, it } from "vitest";
import { importData } from "~/import/import.server";
import { patchBooking, putRecord } from "~/import/put-record.server";
import { postReview } from "~/reviews/post.server";
import { verifyReviews } from "~/reviews/list/verified.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { beforeCommit } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeReview, makeTour } from "../support/factories";

// A review and a change of the booking that entitles to it, at the same time
// (docs/decisions/002-rights-are-written.md).

useDatabase();

async function scene() {
  const [tour, other] = [await makeTour(), await makeTour()];
  const ann = await makeBookedExplorer(tour);
  const { _id } = await Booking.findOne().orFail();
  const record = { userId: ann._id.toString(), tourId: tour._id.toString(), status: "COMPLETED" };
  return {
    tour,
    other,
    ann,
    id: _id.toString(),
    record,
    post: () => postReview(as(ann), { tourId: record.tourId, rating: 5 }),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const CHANGES: [string, (scene: Scene) => Promise<unknown>][] = [
  ["PATCH of its status", ({ id }) => patchBooking(id, { status: "CANCELLED" })],
  [
    "PUT of another status",
    ({ id, record }) => putRecord("bookings", id, { ...record, status: "CONFIRMED" }),
  ],
  [
    "PUT of another tour",
    ({ id, record, other }) =>
      putRecord("bookings", id, { ...record, tourId: other._id.toString() }),
  ],
  [
    "import",
    ({ id, record }) => importData({ bookings: [{ id, ...record, status: "CANCELLED" }] }),
  ],
];

it.each(CHANGES)("of a review that is being posted, %s takes the check away", async (_, change) => {
  const found = await scene();
  const changed = beforeCommit(() => change(found));
  await found.post();
  expect((await changed).result).not.toBeInstanceOf(Error);
  expect(await Review.find().lean()).toMatchObject([{ verified: false }]);
});

it.each(CHANGES)("while a booking is changed by %s, a review is refused", async (_, change) => {
  const found = await scene();
  const posted = beforeCommit(found.post);
  await change(found);
  expect((await posted).result).toMatchObject({ status: 400 });
  expect(await Review.countDocuments()).toBe(0);
});

it("a check of all reviews does not overlook a booking that is being cancelled", async () => {
  const { tour, ann, id } = await scene();
  const review = await makeReview(ann, tour);
  const cancelled = beforeCommit(() => patchBooking(id, { status: "CANCELLED" }));
  await verifyReviews();
  await cancelled;
  expect((await Review.findById(review._id).lean())!.verified).toBe(false);
});

it("a booking that takes nothing away claims no tour", async () => {
  const { tour, id, record } = await scene();
  await Booking.updateOne({ _id: id }, { status: "CONFIRMED" });
  for (const status of ["PENDING", "CANCELLED", "COMPLETED"]) {
    await patchBooking(id, { status });
    if (status !== "COMPLETED") await putRecord("bookings", id, { ...record, status: "CONFIRMED" });
  }
  await importData({ bookings: [{ id, ...record }] });
  expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(0);
});
