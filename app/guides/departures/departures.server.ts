import { Booking, type BookingDocument, COMPLETED, CONFIRMED } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { HOUR_MS } from "~/lib/durations";
import { processJob } from "~/jobs/job.server";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { Poller } from "~/jobs/poller.server";
import { objectIds } from "~/db/ids.server";
import { cursorBatches, BATCH } from "~/db/batches";
import { noteCompleted } from "~/requests/note.server";
import { tellAbsent } from "./absences.server";

/** (docs/rules/bookings.md, Bookings) */
export const AUTO_COMPLETE_MS = 24 * HOUR_MS;
const POLL_MS = 15_000;
const MOST_NOTED = 1_000;

/**
 * Only confirmed bookings took place: a pending one was never agreed on, a cancelled one was called off, and another
 * platform's status is not ours to interpret.
 */
const COMPLETION = { $set: { status: COMPLETED }, $unset: { autoCompleteAfter: 1 } };

/** Returns the filter of a departure's bookings; null when it can only be at a date and `at` is none. */
export function departureFilter(tour: TourDocument, at: Date | null) {
  const tourId = tour._id;
  if (at === null) return tour.date ? null : { tourId, date: null };
  const isTourDate = tour.date?.getTime() === at.getTime();
  return { tourId, date: isTourDate ? { $in: [at, null] } : at };
}

/**
 * Completes every booking whose departure began 24 hours ago or earlier, unless its guide has undone that within
 * the last hour. It needs no lease: of several processes one finds a booking confirmed, and a crash leaves the others
 * so.
 */
export async function completeDue({
  asking = env().reviewRequests,
}: { asking?: boolean } = {}): Promise<number> {
  const now = new Date();
  const began = { $lte: new Date(now.getTime() - AUTO_COMPLETE_MS) };
  // The filter also matches bookings without the field.
  const waiting = { status: CONFIRMED, autoCompleteAfter: { $not: { $gt: now } } };
  const dated = await Booking.updateMany({ ...waiting, date: began }, COMPLETION);

  let completed = dated.modifiedCount;
  const undated = { ...waiting, date: null };
  const booked = Booking.aggregate([{ $match: undated }, { $group: { _id: "$tourId" } }])
    // For all answers; as an option of the cursor it would apply only to the first one.
    .option({ batchSize: BATCH })
    .cursor<{ _id: unknown }>();
  for await (const batch of cursorBatches(booked, BATCH)) {
    const ids = objectIds(batch.map(({ _id }) => _id));
    const over = await Tour.find({ _id: { $in: ids }, date: began }, "date").lean<TourDocument[]>();
    if (over.length === 0) continue;
    const ofTours = { ...undated, tourId: { $in: over.map((tour) => tour._id) } };
    if (asking) await noteUndated(ofTours, over, now);
    completed += (await Booking.updateMany(ofTours, COMPLETION)).modifiedCount;
  }
  return completed;
}

/**
 * Notes the guests of bookings without a date for review requests, since nobody finds these bookings later. They need
 * not be completed yet.
 */
async function noteUndated(ofTours: object, tours: TourDocument[], now: Date): Promise<void> {
  const dates = new Map(tours.map(({ _id, date }) => [_id.toString(), date]));
  const found = Booking.find(ofTours, "userId tourId").lean<BookingDocument>();
  for await (const some of cursorBatches(found.cursor({ batchSize: MOST_NOTED }), MOST_NOTED)) {
    const dated = some.map((booking) => ({
      ...booking,
      date: dates.get(booking.tourId.toString()) ?? null,
    }));
    await noteCompleted(dated, { now, asking: true });
  }
}

/** Completes what is due, and asks who did not come, every 15 seconds. One per process; tests make their own. */
export const completionPoller = () =>
  new Poller({
    every: () => POLL_MS,
    work: async (signal) => {
      try {
        const bookings = await completeDue();
        if (bookings > 0)
          log.info({ bookings }, "bookings completed 24 hours after their departure");
      } finally {
        await tellAbsent({ stopped: () => signal.aborted });
      }
    },
    onError: (error) => log.error({ err: error }, "departures cannot be completed"),
  });

export const completions = processJob(() =>
  env().bookingCompletion === "automatic" ? completionPoller() : null,
);
