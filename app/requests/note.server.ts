import mongoose, { type Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED } from "#models/booking";
import { NO_ID } from "#models/reading";
import {
  type NotAsked,
  requestId,
  ReviewRequest,
  type ReviewRequestDocument,
} from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { HOUR_MS } from "~/lib/durations";
import { batches, BATCH } from "~/db/batches";
import { cached } from "~/lib/cache.server";
import { env } from "~/config/env.server";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { ASKED_WITHIN_MS } from "~/mail/review-requests.server";

// Each completed booking makes one request for its pair, whoever has completed it
// (docs/rules/review-requests.md, Review requests).

/** Bookings in one query. */
const PAGE = 2_000;

type Completed = Pick<BookingDocument, "tourId" | "userId" | "date">;

/** The pairs that this process has noted: only a hint, without which they would be inserted in vain. */
const noted = cached<true>({
  name: "noted review requests",
  maxBytes: 16 * 1_024 * 1_024,
  bytesOf: () => 0,
});

/** Returns since when a departure may have been for its guests to be asked. */
export const askedSince = (now: Date) => new Date(now.getTime() - ASKED_WITHIN_MS);

/**
 * Notes that the guests of these bookings are to be asked, or why they are not; whoever is noted already stays as they
 * are. A booking without a date is one of `now`. Two commands at most, however many are noted already.
 */
async function noteGuests(bookings: Completed[], now: Date, notAsked?: NotAsked): Promise<void> {
  const requests = new Map<string, ReviewRequestDocument>();
  for (const { tourId, userId, date } of bookings) {
    const _id = requestId({ tourId, userId });
    if (tourId.equals(NO_ID) || userId.equals(NO_ID) || noted.has(_id)) continue;
    const departedAt = date ?? now;
    const dueAt = new Date(departedAt.getTime() + env().reviewRequestHours * HOUR_MS);
    const state = notAsked ? { notAsked } : { dueAt };
    if (!requests.has(_id)) requests.set(_id, { _id, tourId, userId, departedAt, ...state });
  }
  if (requests.size === 0) return;
  // Several processes find the same ones: the unique id decides.
  await ReviewRequest.collection
    .insertMany([...requests.values()] as never[], { ordered: false })
    .catch((error: unknown) => {
      const { writeErrors } = error as mongoose.mongo.MongoBulkWriteError;
      if (![writeErrors].flat().every((one) => one?.code === 11000) || !isDuplicateKeyError(error))
        throw error;
    });
  for (const _id of requests.keys()) noted.set(_id, true);
}

interface Options {
  /** Whether guests are asked at all. */
  asking?: boolean;
  now: Date;
}

/**
 * Asks the guests of bookings that were completed here just now, or that the platform says are completed. A failure
 * harms nobody who has a date: the next turn finds the booking.
 */
export async function noteCompleted(
  bookings: Completed[],
  { now, asking = env().reviewRequests }: Options,
): Promise<void> {
  const recent = bookings.filter(({ date }) => !date || (date > askedSince(now) && date <= now));
  if (!asking || recent.length === 0) return;
  await noteGuests(recent, now).catch((error: unknown) =>
    log.error({ err: error }, "guests of completed bookings are noted later"),
  );
}

interface Imported {
  tourId: Types.ObjectId;
  userId: Types.ObjectId;
  status: string;
  date?: Date | null;
}

/** Notes, before an import writes them, that nobody is asked about these bookings. */
export async function noteImported(bookings: Imported[], now: Date): Promise<void> {
  const since = askedSince(now);
  const isRecent = ({ date }: Completed) => !date || date > since;
  const completed = bookings
    .filter(({ status }) => status === COMPLETED)
    .map(({ tourId, userId, date = null }) => ({ tourId, userId, date }))
    .filter(isRecent);
  const undated = completed.filter(({ date }) => !date);
  const old = new Set<string>();
  const tours = [...new Map(undated.map(({ tourId }) => [tourId.toString(), tourId])).values()];
  for (const some of batches(tours, BATCH)) {
    const over = { _id: { $in: some }, date: { $lte: since } };
    for (const { _id } of await Tour.find(over, "_id").lean<TourDocument[]>())
      old.add(_id.toString());
  }
  await noteGuests(
    completed.filter(({ tourId, date }) => date ?? !old.has(tourId.toString())),
    now,
    "imported",
  );
}

/** How far a pass over the completed bookings has come: behind that date, and of that date behind that id. */
interface BookingPlace {
  date: Date;
  id: Types.ObjectId | null;
}

/** Reads the completed bookings of the last 14 days, a page at a time, again and again. */
export class CompletedBookings {
  #place: BookingPlace | null = null;

  constructor(private readonly page = PAGE) {}

  /**
   * Notes the bookings of the next page, by two or three commands however many were asked before. Returns whether it was
   * the last one.
   */
  async notePage(now: Date, notAsked?: NotAsked): Promise<boolean> {
    const since = askedSince(now);
    const { date, id } = this.#place && this.#place.date > since ? this.#place : START(since);
    const { bookings, next } = id
      ? await sameDate(date, id, this.page)
      : await afterDate(date, now, this.page);
    await noteGuests(bookings, now, notAsked);
    this.#place = next;
    return next === null;
  }
}

const START = (since: Date): BookingPlace => ({ date: since, id: null });

const FIELDS = "tourId userId date";

async function afterDate(date: Date, now: Date, page: number) {
  const bookings = await Booking.find({ status: COMPLETED, date: { $gt: date, $lte: now } }, FIELDS)
    .sort({ date: 1 })
    .limit(page)
    .batchSize(page + 1)
    .lean<BookingDocument[]>();
  const last = bookings.at(-1)?.date;
  if (!last || bookings.length < page) return { bookings, next: null };
  // Others of the last date may be on the next page, in any order.
  const whole = bookings.filter(({ date: at }) => at && at < last);
  const before = whole.at(-1)?.date;
  return {
    bookings: whole,
    next: before ? { date: before, id: null } : { date: last, id: NO_ID },
  };
}

/** The next of a date that fills a page by itself. */
async function sameDate(date: Date, id: Types.ObjectId, page: number) {
  const bookings = await Booking.find({ status: COMPLETED, date, _id: { $gt: id } }, FIELDS)
    .sort({ _id: 1 })
    .limit(page)
    .batchSize(page + 1)
    .lean<BookingDocument[]>();
  const last = bookings.length < page ? undefined : bookings.at(-1);
  return { bookings, next: { date, id: last?._id ?? null } };
}
