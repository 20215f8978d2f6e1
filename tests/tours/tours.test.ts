import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { reviewEligibility } from "~/reviews/may-review.server";
import { useDatabase } from "../support/database";
import {
  as,
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";

useDatabase();

describe("who may review", () => {
  const standing = async (
    user: { _id: mongoose.Types.ObjectId } | null,
    tour: { _id: mongoose.Types.ObjectId; createdById: mongoose.Types.ObjectId },
  ) =>
    reviewEligibility(user && as(user), {
      id: tour._id.toString(),
      date: null,
    });

  it("is decided in the order of the rules", async () => {
    const tour = await makeTour();
    expect(await standing(null, tour)).toEqual({ kind: "loggedOut" });
    const guide = { _id: tour.createdById };
    await makeBooking(guide, tour);
    expect(await standing(guide, tour)).toMatchObject({
      kind: "ownTour",
      text: "You cannot review your own tour",
    });
    const user = await makeUser();
    expect(await standing(user, tour)).toMatchObject({ kind: "notCompleted" });
    await makeBooking(user, tour, { status: "CONFIRMED" });
    expect(await standing(user, tour)).toMatchObject({ kind: "notCompleted" });
    const guest = await makeBookedExplorer(tour);
    expect(await standing(guest, tour)).toEqual({ kind: "eligible", guideIsTold: "each" });
    const { _id } = await makeReview(guest, tour);
    expect(await standing(guest, tour)).toMatchObject({
      kind: "alreadyReviewed",
      text: "You have already reviewed this tour",
      reviewId: _id.toString(),
    });
  });
});
