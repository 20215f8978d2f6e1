import type mongoose from "mongoose";
import { describe, expect, it, test } from "vitest";
import { reviewEligibility } from "~/services/reviews/eligibility.server";
import { leadsTours } from "~/services/tours/tours.server";
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

test("a guide is who has a tour", async () => {
  const { createdById } = await makeTour();
  expect(await leadsTours(createdById.toString())).toBe(true);
  expect(await leadsTours((await makeUser())._id.toString())).toBe(false);
});

describe("who may review", () => {
  const standing = async (
    user: { _id: mongoose.Types.ObjectId } | null,
    tour: { _id: mongoose.Types.ObjectId; createdById: mongoose.Types.ObjectId },
  ) =>
    reviewEligibility(user && as(user), {
      id: tour._id.toString(),
      createdById: tour.createdById.toString(),
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
    const guest = await makeGuest(tour);
    expect(await standing(guest, tour)).toEqual({ kind: "eligible" });
    const { _id } = await makeReview(guest, tour);
    expect(await standing(guest, tour)).toMatchObject({
      kind: "alreadyReviewed",
      text: "You have already reviewed this tour",
      reviewId: _id.toString(),
    });
  });
});
