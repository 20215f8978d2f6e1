import { Types } from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { computeRatings, storedRatings } from "~/services/reviews/ratings.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { EDIT_WINDOW_MS } from "~/services/reviews/limits";
import { updateReview } from "~/services/reviews/update.server";
import { Tour } from "../../../models/tour";
import { Review } from "../../../models/review";
import { Notification } from "../../../models/notification";
import { Booking } from "../../../models/booking";
import { useDatabase } from "../../support/database";
import {
  as,
  makeBooking,
  makeGuest,
  makeReview,
  makeTour,
  makeUser,
} from "../../support/factories";

useDatabase();

const refusal = (status: number, message: string | RegExp) =>
  expect.objectContaining({
    status,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });

/** The tour's stored aggregates, which must be those of its reviews. */
async function ratingsOf(tour: { _id: Types.ObjectId }) {
  const stored = storedRatings((await Tour.findById(tour._id).lean())!);
  expect(stored).toEqual(await computeRatings(tour._id));
  return stored;
}

describe("creating", () => {
  test("stores the review, its aggregates and its notification together", async () => {
    const tour = await makeTour({ title: "Old Town Walk" });
    await makeReview(await makeUser(), tour, { rating: 4 });
    const ann = await makeGuest(tour, { name: "Ann", image: "https://img.example.test/ann.png" });

    const review = await createReview(as(ann), {
      tourId: tour._id.toString(),
      rating: 5,
      comment: "Best walk",
    });

    expect(review).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      tourId: tour._id.toString(),
      userId: ann._id.toString(),
      rating: 5,
      comment: "Best walk",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      user: { name: "Ann", image: "https://img.example.test/ann.png" },
    });
    expect(await ratingsOf(tour)).toEqual({
      avgRating: 4.5,
      reviewCount: 2,
      ratingCounts: { "1": 0, "2": 0, "3": 0, "4": 1, "5": 1 },
    });
    const outbox = await Notification.find().lean();
    expect(outbox).toHaveLength(1);
    expect(outbox[0]).toMatchObject({
      _id: new Types.ObjectId(review.id),
      state: "pending",
      inputs: {
        guideName: "Gwen Guide",
        guideEmail: expect.stringContaining("@example.test"),
        explorerName: "Ann",
        tourTitle: "Old Town Walk",
        rating: 5,
        comment: "Best walk",
        tourSlug: tour.slug,
      },
    });
  });

  test("is decided again inside the transaction: a booking cancelled meanwhile refuses", async () => {
    const tour = await makeTour();
    const ann = await makeGuest(tour);
    // The clock is read inside the transaction only; by then the outer checks have passed.
    const exists = Booking.exists.bind(Booking);
    let looks = 0;
    Booking.exists = (filter: never) => {
      looks++;
      return looks === 1
        ? exists(filter)
        : exists({ ...(filter as object), status: "NONE" } as never);
    };
    try {
      await expect(
        createReview(as(ann), { tourId: tour._id.toString(), rating: 5 }),
      ).rejects.toEqual(refusal(400, /24 hours/));
    } finally {
      Booking.exists = exists;
    }
    expect(looks).toBe(2);
    expect(await Review.countDocuments()).toBe(0);
    expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(0);
  });

  test("a failure after the insert leaves nothing", async () => {
    const tour = await makeTour();
    const ann = await makeGuest(tour);
    vi.spyOn(Notification, "create").mockRejectedValueOnce(new Error("disk full"));
    await expect(createReview(as(ann), { tourId: tour._id.toString(), rating: 5 })).rejects.toThrow(
      "disk full",
    );
    expect(await Review.countDocuments()).toBe(0);
    expect(await Notification.countDocuments()).toBe(0);
    expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(0);
  });

  test("a tour whose guide has no account can be reviewed, and nobody is notified", async () => {
    const tour = await makeTour({ createdById: new Types.ObjectId() });
    const ann = await makeGuest(tour);
    await createReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
    expect(await Notification.countDocuments()).toBe(0);
    expect((await ratingsOf(tour)).reviewCount).toBe(1);
  });

  test("a deleted review may be posted anew, with a notification of its own", async () => {
    const tour = await makeTour();
    const ann = await makeGuest(tour);
    const first = await createReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
    await deleteReview(as(ann), first.id);
    expect(await ratingsOf(tour)).toMatchObject({ avgRating: 0, reviewCount: 0 });
    await createReview(as(ann), { tourId: tour._id.toString(), rating: 3 });
    expect(await ratingsOf(tour)).toMatchObject({ avgRating: 3, reviewCount: 1 });
    expect(await Notification.countDocuments()).toBe(2);
  });

  test("only a COMPLETED booking of this explorer for this tour counts", async () => {
    const [tour, other] = [await makeTour(), await makeTour()];
    const ann = await makeUser();
    for (const status of ["PENDING", "CONFIRMED", "CANCELLED", "completed"])
      await makeBooking(ann, tour, { status });
    await makeBooking(ann, other);
    await makeBooking(await makeUser(), tour);
    await expect(createReview(as(ann), { tourId: tour._id.toString(), rating: 5 })).rejects.toEqual(
      refusal(400, /guide.*24 hours/),
    );
  });
});

describe("the edit window", () => {
  const posted = new Date("2026-05-01T12:00:00.000Z");
  const at = (ms: number) => () => new Date(posted.getTime() + ms);

  test.each([
    ["at once", 0, true],
    ["a millisecond before the end", EDIT_WINDOW_MS - 1, true],
    ["exactly at the end", EDIT_WINDOW_MS, true],
    ["a millisecond after the end", EDIT_WINDOW_MS + 1, false],
  ])("%s", async (_, age, allowed) => {
    const tour = await makeTour();
    const ann = await makeUser();
    const review = await makeReview(ann, tour, { rating: 2, createdAt: posted });
    const edit = updateReview(as(ann), review._id.toString(), { rating: 5 }, { clock: at(age) });
    if (allowed) expect((await edit).rating).toBe(5);
    else
      await expect(edit).rejects.toEqual(
        refusal(403, "Reviews can only be edited within 24 hours of posting"),
      );
    expect((await ratingsOf(tour)).avgRating).toBe(allowed ? 5 : 2);
  });

  test("that ends between the check and the write refuses the write", async () => {
    const tour = await makeTour();
    const ann = await makeUser();
    const review = await makeReview(ann, tour, { rating: 2, createdAt: posted });
    const ticks = [EDIT_WINDOW_MS, EDIT_WINDOW_MS + 1];
    const clock = () => at(ticks.shift() ?? EDIT_WINDOW_MS + 1)();
    await expect(
      updateReview(as(ann), review._id.toString(), { rating: 5 }, { clock }),
    ).rejects.toEqual(refusal(403, "Reviews can only be edited within 24 hours of posting"));
    expect((await Review.findById(review._id).lean())!.rating).toBe(2);
  });
});

describe("ownership", () => {
  test("a review that changed hands between the check and the write is not edited or deleted", async () => {
    const tour = await makeTour();
    const [ann, bob] = [await makeUser(), await makeUser()];
    const review = await makeReview(ann, tour, { rating: 2 });
    // As if another client had replaced the review just after the check.
    const findById = Review.findById.bind(Review);
    const stale = { ...review };
    await Review.updateOne({ _id: review._id }, { $set: { userId: bob._id } });
    let looks = 0;
    Review.findById = ((...args: Parameters<typeof findById>) =>
      looks++ === 0 ? { lean: () => Promise.resolve(stale) } : findById(...args)) as never;
    try {
      await expect(updateReview(as(ann), review._id.toString(), { rating: 5 })).rejects.toEqual(
        refusal(403, "You can only edit your own reviews"),
      );
      looks = 0;
      await expect(deleteReview(as(ann), review._id.toString())).rejects.toEqual(
        refusal(403, "You can only delete your own reviews"),
      );
    } finally {
      Review.findById = findById;
    }
    expect((await Review.findById(review._id).lean())!.rating).toBe(2);
  });

  test("the guide and other explorers can neither edit nor delete", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const review = await makeReview(await makeUser(), tour);
    for (const caller of [guide, await makeGuest(tour)]) {
      await expect(updateReview(as(caller), review._id.toString(), { rating: 1 })).rejects.toEqual(
        refusal(403, "You can only edit your own reviews"),
      );
      await expect(deleteReview(as(caller), review._id.toString())).rejects.toEqual(
        refusal(403, "You can only delete your own reviews"),
      );
    }
    expect(await Review.countDocuments()).toBe(1);
  });
});

describe("editing and deleting", () => {
  test("an edit changes only what it names and leaves the review count alone", async () => {
    const tour = await makeTour();
    const ann = await makeUser();
    const review = await makeReview(ann, tour, { rating: 4, comment: "Good" });
    await makeReview(await makeUser(), tour, { rating: 1 });
    await Tour.updateOne({ _id: tour._id }, { $set: { reviewCount: 99 } });

    expect(await updateReview(as(ann), review._id.toString(), { rating: 2 })).toMatchObject({
      rating: 2,
      comment: "Good",
      createdAt: review.createdAt.toISOString(),
    });
    expect(await updateReview(as(ann), review._id.toString(), { comment: "" })).toMatchObject({
      rating: 2,
      comment: null,
    });
    const stored = (await Tour.findById(tour._id).lean())!;
    expect(stored).toMatchObject({ avgRating: 1.5, reviewCount: 99 });
    expect(stored.ratingCounts).toEqual({ "1": 1, "2": 1, "3": 0, "4": 0, "5": 0 });
    expect(await Notification.countDocuments()).toBe(0);
  });

  test("reviews of a tour that is gone can still be edited and deleted", async () => {
    const tour = await makeTour();
    const ann = await makeUser();
    const review = await makeReview(ann, tour);
    await Tour.deleteOne({ _id: tour._id });
    expect((await updateReview(as(ann), review._id.toString(), { rating: 1 })).rating).toBe(1);
    await deleteReview(as(ann), review._id.toString());
    expect(await Review.countDocuments()).toBe(0);
    expect(await Tour.countDocuments()).toBe(0);
  });

  test("two deletes at once: one does it, the other finds nothing", async () => {
    const tour = await makeTour();
    const ann = await makeUser();
    const review = await makeReview(ann, tour);
    const results = await Promise.allSettled(
      [1, 2].map(() => deleteReview(as(ann), review._id.toString())),
    );
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find((result) => result.status === "rejected")?.reason).toEqual(
      refusal(404, "Review not found"),
    );
    expect(await ratingsOf(tour)).toMatchObject({ avgRating: 0, reviewCount: 0 });
  });
});
