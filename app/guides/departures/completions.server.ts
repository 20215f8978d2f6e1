import type { ClientSession, Types } from "mongoose";
import { Booking, type BookingDocument, COMPLETED, CONFIRMED, NO_SHOW } from "#models/booking";
import { Completion, type CompletionDocument } from "#models/completion";
import { asDate } from "#models/reading";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { HOUR_MS } from "~/lib/durations";
import { batches, BATCH } from "~/db/batches";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import type { Caller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { texts } from "~/lib/refusal-texts";
import { isolated } from "~/lib/text";
import { askGuests } from "~/requests/worker.server";
import { claimTour } from "~/reviews/ratings.server";
import { namedTour } from "~/tours/named-tour.server";
import { guideTexts } from "~/guides/refusal-texts";
import {
  forgetAbsences,
  noteAbsences,
  type Options,
  UNDO_MS,
  withoutObjections,
} from "./absences.server";
import { AUTO_COMPLETE_MS, departureFilter } from "./departures.server";

/** Time before a departure that its guide has undone is completed automatically. */
export const HOLD_MS = HOUR_MS;

/** A tour at one date; bookings without a date belong to the tour's. */
interface CompletedDeparture {
  tourId: string;
  /** In ISO 8601; null for a tour without any. */
  date: string | null;
  /** The bookings of explorers who did not come. */
  absent?: string[];
}

/**
 * Completes a departure. A second call does nothing. Returns numbers of bookings, and of explorers who can review the
 * tour now. Throws `ServiceError`: 403 where the platform
 * completes bookings, 404 for an unknown tour or departure, 403 for another guide's, 400 before it begins.
 */
export async function completeDeparture(
  guide: Caller,
  { tourId, date, absent = [] }: CompletedDeparture,
  { completion }: Options = {},
) {
  const now = new Date();
  await requireCompletion(guide, completion);
  const id = toObjectId(tourId);
  const at = date === null ? null : asDate(date);
  const named = new Set(absent);
  const { tour, come, missing } = await inTransaction(async (session) => {
    const refusal = guideTexts.completeNotOwn;
    const tour = await requireOwnTour(guide, id, refusal, session);
    const departure = at === undefined ? null : departureFilter(tour, at);
    if (!departure || !(await Booking.exists(departure).session(session)))
      throw new ServiceError(404, guideTexts.departureNotFound);
    if (at && at > now) throw new ServiceError(400, guideTexts.notBegun);
    const confirmed = { ...departure, status: CONFIRMED };
    const bookings = await Booking.find(confirmed, "userId date", { session }).lean<
      BookingDocument[]
    >();
    const ticked = bookings.filter(({ _id }) => named.has(_id.toString()));
    const missing = await withoutObjections(ticked, session);
    const left = new Set(missing);
    const come = bookings.filter((booking) => !left.has(booking));
    if (bookings.length === 0) return { tour, come, missing };
    await claimTour(tour._id, session);
    await setStatus(tour._id, toIds(missing), [CONFIRMED, NO_SHOW], session);
    await setStatus(tour._id, toIds(come), [CONFIRMED, COMPLETED], session);
    const done = { tourId: tour._id, date: at ?? null };
    await noteAbsences(missing, { ...done, guideId: tour.createdById, at: now }, session);
    const bookingIds = { completed: toIds(come), absent: toIds(missing) };
    await Completion.create([{ ...done, completedAt: now, ...bookingIds }], { session });
    return { tour, come, missing };
  });
  // A booking without a date is one of the tour's.
  const taken = come.map(({ userId, date }) => ({
    tourId: tour._id,
    userId,
    date: date ?? tour.date,
  }));
  await askGuests(taken, now);
  const reviewers = await countReviewers(tour, come);
  return { tour, completed: come.length, absent: missing.length, reviewers };
}

/**
 * Makes the bookings that a completion changed what they were, up to ten minutes later; those that were changed
 * since are left alone, and so are reviews. A second call does nothing. Returns whether it was the first, and whether
 * the departure is completed automatically as soon as `HOLD_MS` allows. Throws `ServiceError`: 403 where the platform
 * completes bookings, 404 for an unknown completion or tour, 403 for another guide's, 400 when it is too late.
 */
export async function undoCompletion(
  guide: Caller,
  completionId: string,
  { completion }: Options = {},
) {
  const now = new Date();
  await requireCompletion(guide, completion);
  const id = toObjectId(completionId);
  const found = id && (await Completion.findById(id).lean<CompletionDocument>());
  if (!found) throw new ServiceError(404, guideTexts.nothingToUndo);
  const { _id, tourId, date, completed, absent, completedAt } = found;
  const heldUntil = new Date(now.getTime() + HOLD_MS);
  const { tour, isFirst } = await inTransaction(async (session) => {
    const refusal = guideTexts.undoNotOwn;
    const tour = await requireOwnTour(guide, tourId, refusal, session);
    const undone = await Completion.exists({ _id, undoneAt: { $ne: null } }).session(session);
    if (undone) return { tour, isFirst: false };
    if (
      now.getTime() - completedAt.getTime() > UNDO_MS ||
      !(await forgetAbsences(absent, completedAt, session))
    )
      throw new ServiceError(400, guideTexts.undoLate);
    await claimTour(tourId, session);
    await Completion.updateOne({ _id }, { $set: { undoneAt: now } }, { session });
    await setStatus(tourId, completed, [COMPLETED, CONFIRMED], session, heldUntil);
    await setStatus(tourId, absent, [NO_SHOW, CONFIRMED], session, heldUntil);
    return { tour, isFirst: true };
  });
  const isDueSoon = date !== null && date.getTime() + AUTO_COMPLETE_MS <= heldUntil.getTime();
  return { tour, isFirst, isDueSoon };
}

export type RecentCompletion = Awaited<ReturnType<typeof recentCompletions>>[number];

/** Tours in one query. */
const TOURS_AT_ONCE = 500;

/** Returns what can be undone, the latest first. */
export async function recentCompletions(tours: TourDocument[], now: Date) {
  const completedAt = { $gte: new Date(now.getTime() - UNDO_MS) };
  const found: CompletionDocument[] = [];
  for (const some of batches(tours, TOURS_AT_ONCE)) {
    const recent = { tourId: { $in: some.map(({ _id }) => _id) }, completedAt, undoneAt: null };
    found.push(...(await Completion.find(recent).lean<CompletionDocument[]>()));
  }
  found.sort((a, b) => b.completedAt.getTime() - a.completedAt.getTime());
  return found.map(({ _id, tourId, date, completed, absent, completedAt }) => ({
    id: _id.toString(),
    tour: namedTour(tours.find((tour) => tour._id.equals(tourId))!),
    date: date?.toISOString() ?? null,
    counts: [
      { status: COMPLETED, count: completed.length },
      { status: NO_SHOW, count: absent.length },
    ].filter(({ count }) => count > 0),
    undoUntil: new Date(completedAt.getTime() + UNDO_MS).toISOString(),
  }));
}

async function requireCompletion(
  guide: Caller,
  completion = env().bookingCompletion,
): Promise<void> {
  await writes.consume(guide.id);
  if (completion === "platform") throw new ServiceError(403, guideTexts.platformCompletes);
}

/** Claim the tour before the first write, so that its guide cannot change meanwhile. */
async function requireOwnTour(
  guide: Caller,
  id: Types.ObjectId | null,
  refusal: string,
  session: ClientSession,
): Promise<TourDocument> {
  const fields = "title createdById date";
  const tour = id && (await Tour.findById(id, fields, { session }).lean<TourDocument>());
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  if (tour.createdById.toString() !== guide.id) throw new ServiceError(403, refusal);
  return tour;
}

const toIds = (bookings: Pick<BookingDocument, "_id">[]) => bookings.map(({ _id }) => _id);

/** Changes those of a tour's bookings that still have the status `from`. */
async function setStatus(
  tourId: Types.ObjectId,
  ids: Types.ObjectId[],
  [from, to]: [from: string, to: string],
  session: ClientSession,
  autoCompleteAfter?: Date,
): Promise<void> {
  const change = autoCompleteAfter
    ? { status: to, autoCompleteAfter }
    : { status: to, $unset: { autoCompleteAfter: 1 } };
  for (const some of batches(ids, BATCH))
    await Booking.updateMany({ _id: { $in: some }, tourId, status: from }, change, { session });
}

/** Counts the bookings' explorers who can write a review of the tour (docs/rules/reviews.md, Posting). */
async function countReviewers(
  { _id: tourId, createdById }: TourDocument,
  bookings: BookingDocument[],
): Promise<number> {
  const explorers = new Map(bookings.map(({ userId }) => [userId.toString(), userId]));
  explorers.delete(createdById.toString());
  let count = 0;
  for (const some of batches([...explorers.values()], BATCH)) {
    const [users, reviews] = await Promise.all([
      User.find({ _id: { $in: some } }, "_id").lean<UserDocument[]>(),
      Review.find({ tourId, userId: { $in: some } }, "userId").lean<ReviewDocument[]>(),
    ]);
    const reviewed = new Set(reviews.map(({ userId }) => userId.toString()));
    count += users.filter(({ _id }) => !reviewed.has(_id.toString())).length;
  }
  return count;
}

const explorers = (count: number) =>
  count === 1 ? "One explorer" : `${count.toLocaleString("en-GB")} explorers`;

export function completedNotice({
  tour,
  completed,
  absent,
  reviewers,
}: Awaited<ReturnType<typeof completeDeparture>>): string {
  if (completed + absent === 0) return "This departure was already completed. Nothing was changed.";
  const reviewing =
    reviewers === 0
      ? "No new explorers can review it"
      : `${explorers(reviewers)} can now review it`;
  const missing = absent === 0 ? "" : ` ${explorers(absent)} did not come.`;
  return `${isolated(tour.title)} is marked as completed. ${reviewing}.${missing}`;
}

export function undoneNotice({
  tour,
  isFirst,
  isDueSoon,
}: Awaited<ReturnType<typeof undoCompletion>>): string {
  if (!isFirst) return "This was already undone.";
  const automatically = isDueSoon
    ? " If you don’t mark it again within an hour, we do it automatically."
    : "";
  return `Undone. You can mark ${isolated(tour.title)} as completed again.${automatically}`;
}
