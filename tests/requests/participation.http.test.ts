import { expect, it } from "vitest";
import { createServiceToken } from "~/accounts/tokens.server";
import { Booking } from "#models/booking";
import { User } from "#models/user";
import { tokenOf } from "../support/app";
import { makeTour, makeUser } from "../support/factories";
import { api, useApp } from "../support/shared-app";

// docs/rules/review-requests.md, Participation, by the API of a site without SHOW_PARTICIPATION.

useApp();

it("is told by GET /api/tours/{id}?include=participation to who may know, and changes no other answer", async () => {
  const tour = await makeTour();
  const date = new Date(Date.now() - 24 * 60 * 60 * 1_000);
  const { _id: userId } = await makeUser();
  await Booking.create({ userId, tourId: tour._id, status: "COMPLETED", date });
  const path = `/api/tours/${tour._id.toString()}`;
  const plain = (await api("GET", path)).json!.tour!;
  expect(Object.keys(plain)).not.toContain("participation");
  expect((await api("GET", `${path}?include=other`)).json!.tour).toEqual(plain);
  const read = async (token?: string) =>
    (await api("GET", `${path}?include=participation`, { token })).json!.tour;
  expect(await read()).toEqual({ ...plain, participation: null });
  const numbers = { went: 1, asked: 0, reviewed: 0 };
  const guide = await User.findById(tour.createdById).orFail();
  expect(await read(await tokenOf(guide))).toEqual({ ...plain, participation: numbers });
  expect(await read(await tokenOf(await makeUser()))).toEqual({ ...plain, participation: null });
  const service = await createServiceToken("Test");
  expect(await read(service)).toEqual({ ...plain, participation: numbers });
});
