import { beforeEach, expect, it, vi } from "vitest";
import { completeDeparture } from "~/guides/departures/completions.server";
import { completeDue } from "~/guides/departures/departures.server";
import { importData } from "~/import/import.server";
import { patchBooking, putRecord } from "~/import/put-record.server";
import { ReviewRequests } from "~/requests/worker.server";
import { Booking } from "#models/booking";
import { ReviewRequest } from "#models/review-request";
import { useDatabase } from "../support/database";
import { as, makeTour, makeUser } from "../support/factories";

// docs/rules/review-requests.md, Review requests: every way in which a booking is completed makes a request. This file
// has the settings of a site that asks.

vi.mock(import("~/config/env.server"), async (original) => {
  const real = await original();
  return { ...real, env: () => ({ ...real.env(), reviewRequests: true }) };
});

useDatabase();
beforeEach(async () => {
  // Nobody has taken a tour when it is switched on.
  await new ReviewRequests().turn();
});

const HOUR = 60 * 60 * 1_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

/** A booking of a new explorer; `undated` ones and their tours have no date of their own, or no date at all. */
async function booked({ date = ago(3), tourDate = null as Date | null, undated = false } = {}) {
  const [guide, guest] = [await makeUser(), await makeUser()];
  const tour = await makeTour({ createdById: guide._id, date: tourDate });
  const own = undated ? null : date;
  const fields = { userId: guest._id, tourId: tour._id, status: "CONFIRMED", date: own };
  const { _id } = await Booking.create(fields);
  const tourId = tour._id.toString();
  return { guide, guest, tourId, date: own, record: { userId: guest._id.toString(), tourId }, _id };
}
const asked = async () => (await ReviewRequest.find({ notAsked: null }).lean()).length;

const WAYS: Record<string, (of: Awaited<ReturnType<typeof booked>>) => Promise<unknown>> = {
  "its guide": ({ guide, tourId, date }) =>
    completeDeparture(as(guide), { tourId, date: date?.toISOString() ?? null }),
  "a PATCH": ({ _id }) => patchBooking(_id.toString(), { status: "COMPLETED" }),
  "a PUT": ({ _id, record, date }) =>
    putRecord("bookings", _id.toString(), {
      ...record,
      status: "COMPLETED",
      ...(date && { date: date.toISOString() }),
    }),
};

it.each(Object.keys(WAYS))("asks at once about a booking that is completed by %s", async (way) => {
  const dated = await booked();
  await WAYS[way]!(dated);
  expect(await asked()).toBe(1);
  const undated = await booked({ undated: true });
  await WAYS[way]!(undated);
  expect(await asked()).toBe(2);
  const old = await booked({ date: ago(15 * 24) });
  await WAYS[way]!(old);
  expect(await asked()).toBe(2);
});

it("asks about bookings that are completed by time, or by a platform's own write", async () => {
  await booked({ date: ago(25) });
  // Of the date of its tour.
  await booked({ undated: true, tourDate: ago(26) });
  expect(await completeDue()).toBe(2);
  expect(await asked()).toBe(1);
  const { _id } = await booked();
  await Booking.collection.updateOne({ _id }, { $set: { status: "COMPLETED" } });
  await new ReviewRequests().turn();
  expect(await asked()).toBe(3);
});

it("asks nobody about bookings that an import completes or brings", async () => {
  const { _id, record } = await booked();
  const completed = { ...record, status: "COMPLETED", date: ago(3).toISOString() };
  const other = await booked();
  const brought = { ...other.record, status: "COMPLETED", date: ago(2).toISOString() };
  await importData({
    bookings: [
      { id: _id.toString(), ...completed },
      { id: "new-1", ...brought },
    ],
  });
  await new ReviewRequests().turn();
  expect(await asked()).toBe(0);
  expect(await ReviewRequest.distinct("notAsked")).toEqual(["imported"]);
});
