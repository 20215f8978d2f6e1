import { Types } from "mongoose";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { completeDue, completionPoller } from "~/guides/departures/departures.server";
import { log } from "~/lib/log.server";
import { Booking, type BookingDocument } from "#models/booking";
import { Notification } from "#models/notification";
import { useDatabase } from "../support/database";
import { makeAbsence, makeBooking, makeTour, makeUser } from "../support/factories";
import { setTime } from "../support/time";

/** After this long a departure completes its bookings. A number, so that a test fails when the product has another. */
const DAY_MS = 24 * 60 * 60 * 1_000;

// Departures complete by themselves when their guide does nothing.

useDatabase();

const NOW = new Date("2026-05-01T12:00:00.000Z");
beforeEach(() => setTime(NOW));
const at = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR = 60 * 60 * 1_000;

const CONFIRMED = { status: "CONFIRMED" };

/** A booking of somebody new; gives what is needed to look at it again. */
async function book(tour: { _id: Types.ObjectId }, fields: Partial<BookingDocument> = {}) {
  const user = await makeUser();
  await makeBooking(user, tour, { ...CONFIRMED, ...fields });
  return user;
}
const statusOf = async (user: { _id: Types.ObjectId }) =>
  (await Booking.findOne({ userId: user._id }).lean())!.status;

describe("24 hours after its date, by itself", () => {
  const times: [string, number, string][] = [
    ["a millisecond less", 1, "CONFIRMED"],
    ["exactly", 0, "COMPLETED"],
    ["a millisecond more", -1, "COMPLETED"],
  ];

  test.each(times)(
    "%s: a booking with a date, and one of a tour with a date",
    async (_, ms, expected) => {
      // The tour's own date is the next one, as for a tour that is repeated.
      const tour = await makeTour({ date: at(HOUR) });
      const explorer = await book(tour, { date: at(ms - DAY_MS) });
      const dated = await makeTour({ date: at(ms - DAY_MS) });
      const undated = await book(dated);
      await completeDue();
      expect(await Promise.all([explorer, undated].map(statusOf))).toEqual([expected, expected]);
    },
  );

  it("counts what it completed, and leaves everything else as it is", async () => {
    const over = at(-DAY_MS);
    const tour = await makeTour({ date: over });
    const undated = await makeTour({ date: null });
    await book(tour, { date: over });
    await book(tour);
    const kept = ["PENDING", "CANCELLED", "NO_SHOW"];
    const others = await Promise.all(
      kept.flatMap((status) => [book(tour, { date: over, status }), book(tour, { status })]),
    );
    const waiting = [await book(undated), await book(tour, { date: at(HOUR) })];
    expect(await completeDue()).toBe(2);
    expect(await completeDue()).toBe(0);
    expect(await Promise.all(others.map(statusOf))).toEqual(
      kept.flatMap((status) => [status, status]),
    );
    expect(await Promise.all(waiting.map(statusOf))).toEqual(["CONFIRMED", "CONFIRMED"]);
  });

  it("once, by several processes", async () => {
    const tour = await makeTour({ date: at(-2 * DAY_MS) });
    for (let n = 0; n < 10; n++) await book(tour, n % 2 ? {} : { date: at(-2 * DAY_MS) });
    const counts = await Promise.all(Array.from({ length: 4 }, () => completeDue()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(10);
    expect(await Booking.countDocuments(CONFIRMED)).toBe(0);
  });

  test.each([
    ["a millisecond before the hour after it was undone is over", 1, "CONFIRMED"],
    ["when that hour is over", 0, "COMPLETED"],
  ])("%s", async (_, ms, expected) => {
    const autoCompleteAfter = at(ms);
    const tour = await makeTour({ date: at(-DAY_MS) });
    const explorers = [
      await book(tour, { autoCompleteAfter }),
      await book(tour, { autoCompleteAfter, date: at(-DAY_MS) }),
    ];
    // Others of the same departure do not wait.
    const other = await book(tour);
    await completeDue();
    expect(await Promise.all(explorers.map(statusOf))).toEqual([expected, expected]);
    expect(await statusOf(other)).toBe("COMPLETED");
    const kept = await Booking.countDocuments({ autoCompleteAfter: { $ne: null } });
    expect(kept).toBe(expected === "COMPLETED" ? 0 : 2);
  });
});

describe("the worker", () => {
  it("logs what goes wrong, asks all the same who did not come, and completes the next time", async () => {
    const tour = await makeTour();
    await makeAbsence(await makeUser(), tour, { tellAt: at(-1) });
    const explorer = await book(tour, { date: at(-DAY_MS) });
    const logged = vi.spyOn(log, "error").mockReturnValue();
    vi.spyOn(Booking, "updateMany").mockImplementationOnce(() => {
      throw new Error("the disk is full");
    });
    const worker = completionPoller();
    await worker.wake();
    expect(logged).toHaveBeenCalledOnce();
    expect(await statusOf(explorer)).toBe("CONFIRMED");
    expect(await Notification.countDocuments({ kind: "account" })).toBe(1);
    await worker.wake();
    expect(await statusOf(explorer)).toBe("COMPLETED");
    logged.mockRestore();
  });
});
