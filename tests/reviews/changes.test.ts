import { describe, expect, test, vi } from "vitest";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { editReview } from "~/reviews/edit.server";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { Review } from "#models/review";
import { Notification } from "#models/notification";
import { Booking } from "#models/booking";
import { useDatabase } from "../support/database";
import { beforeTransaction } from "../support/interrupt";
import { as, makeBookedExplorer, makeReview, makeTour, makeUser } from "../support/factories";
import { moveTime, setTime } from "../support/time";

useDatabase();

const refusal = (status: number, message: string | RegExp) =>
  expect.objectContaining({
    status,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });

const SOON = new Date(Date.now() + 3_600_000);

interface Scene {
  tour: TourDocument;
  ann: UserDocument;
}

describe("creating", () => {
  const cancel = ({ ann }: Scene) =>
    Booking.updateMany({ userId: ann._id }, { $set: { status: "CANCELLED" } });
  const leadBy = ({ tour, ann }: Scene) =>
    Tour.updateOne({ _id: tour._id }, { $set: { createdById: ann._id } });

  test.each<[string, number, string | RegExp, (scene: Scene) => Promise<unknown>]>([
    ["the booking", 400, /24 hours/, cancel],
    ["the explorer", 401, "Unauthorized", ({ ann }) => User.deleteOne({ _id: ann._id })],
    [
      "the explorer, who is suspended,",
      401,
      "Unauthorized",
      ({ ann }) => User.updateOne({ _id: ann._id }, { suspendedUntil: SOON }),
    ],
    ["the tour", 404, "Tour not found", ({ tour }) => Tour.deleteOne({ _id: tour._id })],
    ["the guide", 400, "You cannot review your own tour", leadBy],
    [
      "the guide, before the booking,",
      400,
      "You cannot review your own tour",
      (scene) => Promise.all([cancel(scene), leadBy(scene)]),
    ],
  ])("%s is decided again inside the transaction", async (_, status, text, change) => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    beforeTransaction(() => change({ tour, ann }));
    await expect(postReview(as(ann), { tourId: tour._id.toString(), rating: 5 })).rejects.toEqual(
      refusal(status, text),
    );
    expect(await Review.countDocuments()).toBe(0);
    expect(await Notification.countDocuments()).toBe(0);
    expect((await Tour.findById(tour._id).lean())?.ratingsVersion ?? 0).toBe(0);
  });

  test("notifies the guide, and names the tour, as they are inside the transaction", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    const next = await makeUser({ name: "Nora", email: "nora@example.test" });
    beforeTransaction(async () => {
      await User.updateOne({ _id: ann._id }, { $set: { name: "Anna" } });
      await Tour.updateOne({ _id: tour._id }, { $set: { createdById: next._id, title: "New" } });
    });
    const { review } = await postReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
    expect(review.user.name).toBe("Anna");
    expect(await Notification.findById(review.id).lean()).toMatchObject({
      guideId: next._id,
      inputs: { guideName: "Nora", explorerName: "Anna", tourTitle: "New" },
    });
  });

  test("a failure after the insert leaves nothing", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    vi.spyOn(Notification.collection, "insertMany").mockRejectedValueOnce(new Error("disk full"));
    await expect(postReview(as(ann), { tourId: tour._id.toString(), rating: 5 })).rejects.toThrow(
      "disk full",
    );
    expect(await Review.countDocuments()).toBe(0);
    expect(await Notification.countDocuments()).toBe(0);
    expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(0);
  });
});

test("an edit window that ends between the check and the write refuses the write", async () => {
  const createdAt = new Date("2026-05-01T12:00:00.000Z");
  const [tour, ann] = [await makeTour(), await makeUser()];
  const review = await makeReview(ann, tour, { rating: 2, createdAt });
  setTime(createdAt.getTime() + EDIT_WINDOW_MS);
  beforeTransaction(() => Promise.resolve(moveTime(1)));
  await expect(editReview(as(ann), review._id.toString(), { rating: 5 })).rejects.toEqual(
    refusal(403, "Reviews can only be edited within 24 hours of posting"),
  );
  expect((await Review.findById(review._id).lean())!.rating).toBe(2);
});

test("reviews of a tour that is gone can still be edited and deleted", async () => {
  const [tour, ann] = [await makeTour(), await makeUser()];
  const review = await makeReview(ann, tour);
  await Tour.deleteOne({ _id: tour._id });
  expect((await editReview(as(ann), review._id.toString(), { rating: 1 })).rating).toBe(1);
  await deleteReview(as(ann), review._id.toString());
  expect(await Review.countDocuments()).toBe(0);
  expect(await Tour.countDocuments()).toBe(0);
});

describe("ownership", () => {
  test("a review that changed hands between the check and the write is not edited or deleted", async () => {
    const tour = await makeTour();
    const [ann, bob] = [await makeUser(), await makeUser()];
    const { _id } = await makeReview(ann, tour, { rating: 2 });
    const changeHands = () => Review.updateOne({ _id }, { $set: { userId: bob._id } });
    beforeTransaction(changeHands);
    await expect(editReview(as(ann), _id.toString(), { rating: 5 })).rejects.toEqual(
      refusal(403, "You can only edit your own reviews"),
    );
    await Review.updateOne({ _id }, { $set: { userId: ann._id } });
    beforeTransaction(changeHands);
    await expect(deleteReview(as(ann), _id.toString())).rejects.toEqual(
      refusal(403, "You can only delete your own reviews"),
    );
    expect((await Review.findById(_id).lean())!.rating).toBe(2);
  });

  test.each<[string, (ann: UserDocument) => Promise<unknown>]>([
    ["suspended", ({ _id }) => User.updateOne({ _id }, { suspendedUntil: SOON })],
    ["deleted", ({ _id }) => User.deleteOne({ _id })],
  ])("a review is not edited once its author is %s", async (_, change) => {
    const ann = await makeUser();
    const { _id } = await makeReview(ann, await makeTour(), { rating: 2 });
    beforeTransaction(() => change(ann));
    await expect(editReview(as(ann), _id.toString(), { rating: 5 })).rejects.toEqual(
      refusal(401, "Unauthorized"),
    );
    expect((await Review.findById(_id).lean())!.rating).toBe(2);
  });

  test("a review that is gone between the check and the write is not found", async () => {
    const tour = await makeTour();
    const ann = await makeUser();
    const changes = [
      (id: string) => editReview(as(ann), id, { rating: 5 }),
      (id: string) => deleteReview(as(ann), id),
    ];
    for (const change of changes) {
      const { _id } = await makeReview(ann, tour);
      beforeTransaction(() => Review.deleteOne({ _id }));
      await expect(change(_id.toString())).rejects.toEqual(refusal(404, "Review not found"));
    }
  });
});
