import { Booking, COMPLETED, CONFIRMED } from "../../../models/booking";
import { asDate } from "../../../models/reading";
import { Tour, type TourDocument } from "../../../models/tour";
import { type Clock, systemClock } from "../../infra/clock";
import { env } from "../../infra/env.server";
import { log } from "../../infra/log.server";
import { Poller } from "../../infra/poller.server";
import { ServiceError } from "../../infra/errors.server";
import { objectIds, toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { writes } from "../limits.server";
import { batchesOf, BATCH } from "../../infra/batches";
import { texts } from "../texts";

/** How long after its date a departure is completed by itself (docs/rules.md, Bookings). */
export const AUTO_COMPLETE_MS = 24 * 60 * 60 * 1_000;
const POLL_MS = 15_000;

/**
 * What completion does to bookings. Only confirmed ones took place: a pending one was never agreed
 * on, a cancelled one was called off, and another platform's status is not ours to interpret.
 */
const COMPLETION = { $set: { status: COMPLETED } };

/**
 * Completes a departure, which is a tour at one date: `date` in ISO 8601, or null for a tour without
 * any. Bookings without a date of their own belong to the tour's date. Ids and date are as they came
 * from the client. Returns how many bookings this call completed; a second call returns 0. Throws
 * `ServiceError`: 403 where the platform completes bookings, 404 for an unknown tour or departure, 403 for
 * another guide's, 400 before it begins.
 */
export async function completeDeparture(
  guide: Caller,
  tourId: string,
  date: string | null,
  {
    clock = systemClock,
    completion = env().bookingCompletion,
  }: { clock?: Clock; completion?: "automatic" | "platform" } = {},
): Promise<number> {
  const now = clock();
  await writes.consume(guide.id);
  if (completion === "platform")
    throw new ServiceError(403, "The platform marks departures as completed");
  const id = toObjectId(tourId);
  const tour = id && (await Tour.findById(id, "createdById date").lean<TourDocument>());
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  if (tour.createdById.toString() !== guide.id)
    throw new ServiceError(403, "You can only complete departures of your own tours");

  const at = date === null ? null : asDate(date);
  const departure = at === undefined ? null : departureOf(tour, at);
  if (!departure || !(await Booking.exists(departure)))
    throw new ServiceError(404, "Departure not found");
  if (at && at > now) throw new ServiceError(400, "This departure has not begun yet");
  const { modifiedCount } = await Booking.updateMany(
    { ...departure, status: CONFIRMED },
    COMPLETION,
  );
  return modifiedCount;
}

/** The filter of a departure's bookings, or null when it can only be at a date and `at` is none. */
export function departureOf(tour: TourDocument, at: Date | null) {
  const tourId = tour._id;
  if (at === null) return tour.date ? null : { tourId, date: null };
  const isTourDate = tour.date?.getTime() === at.getTime();
  return { tourId, date: isTourDate ? { $in: [at, null] } : at };
}

/**
 * Completes every booking whose departure began 24 hours ago or earlier. Several processes may do it
 * at once: each booking is written by whoever finds it confirmed.
 */
export async function completeDue({
  clock = systemClock,
}: { clock?: Clock } = {}): Promise<number> {
  const now = clock();
  const began = { $lte: new Date(now.getTime() - AUTO_COMPLETE_MS) };
  const dated = await Booking.updateMany({ status: CONFIRMED, date: began }, COMPLETION);

  let completed = dated.modifiedCount;
  const undated = { status: CONFIRMED, date: null };
  const booked = Booking.aggregate([{ $match: undated }, { $group: { _id: "$tourId" } }])
    // For all answers; as an option of the cursor it would apply only to the first one.
    .option({ batchSize: BATCH })
    .cursor<{ _id: unknown }>();
  for await (const batch of batchesOf(booked, BATCH)) {
    const ids = objectIds(batch.map(({ _id }) => _id));
    const over = await Tour.find({ _id: { $in: ids }, date: began }, "_id").lean<TourDocument[]>();
    if (over.length === 0) continue;
    const tourId = { $in: over.map((tour) => tour._id) };
    completed += (await Booking.updateMany({ ...undated, tourId }, COMPLETION)).modifiedCount;
  }
  return completed;
}

/** Completes what is due every 15 seconds. One per process; tests make their own. */
export const completionPoller = ({ clock = systemClock }: { clock?: Clock } = {}) =>
  new Poller({
    every: () => POLL_MS,
    work: async () => {
      const bookings = await completeDue({ clock });
      if (bookings > 0) log.info({ bookings }, "bookings completed 24 hours after their departure");
    },
    onError: (error) => log.error({ err: error }, "departures cannot be completed"),
  });

let poller: Poller | undefined;

/** Starts this process's worker. */
export function startCompletion(): void {
  poller = completionPoller();
  poller.start();
}

/** Stops this process's worker. */
export async function stopCompletion(): Promise<void> {
  await poller?.stop();
}
