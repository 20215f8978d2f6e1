import type { ClientSession, Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { Booking, type BookingDocument, NO_SHOW } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { batches, BATCH } from "~/db/batches";
import { type Clock, systemClock } from "~/infra/clock";
import { log } from "~/infra/log.server";
import { inTransaction } from "~/db/transaction.server";
import { queueAbsence } from "~/mail/absence-mails.server";
import { wakeNotifications } from "~/mail/delivery.server";

// A guide says that an explorer did not come, and the explorer is asked (docs/rules/bookings.md, No-shows).

/** For so long a guide can undo a completion, and nobody else is told of it. */
export const UNDO_MS = 10 * 60 * 1_000;
export const OBJECTION_MS = 30 * 24 * 60 * 60 * 1_000;

/** Nobody can say that of them again. */
export async function objectedBookings(
  ids: Types.ObjectId[],
  session: ClientSession,
): Promise<Set<string>> {
  const objected = new Set<string>();
  for (const some of batches(ids, BATCH)) {
    const of = { bookingId: { $in: some }, objectedAt: { $ne: null } };
    for (const { bookingId } of await Absence.find(of, "bookingId", { session }).lean())
      objected.add(bookingId.toString());
  }
  return objected;
}

/** Notes that the explorers of these bookings did not come, in the transaction in which a guide says so. */
export async function noteAbsences(
  bookings: BookingDocument[],
  {
    tour,
    date,
    now,
  }: { tour: Pick<TourDocument, "_id" | "createdById">; date: Date | null; now: Date },
  session: ClientSession,
): Promise<void> {
  const of = { tourId: tour._id, guideId: tour.createdById, date, at: now };
  const tellAt = new Date(now.getTime() + UNDO_MS);
  for (const some of batches(bookings, BATCH)) {
    // A platform may have made a booking confirmed again.
    await Absence.deleteMany({ bookingId: { $in: some.map(({ _id }) => _id) } }, { session });
    await Absence.insertMany(
      some.map(({ _id, userId }) => ({ bookingId: _id, userId, ...of, tellAt })),
      { session },
    );
  }
}

/**
 * Takes back what was said of these bookings at that time, in the transaction that undoes it. Returns false, to have
 * it aborted, once an explorer has been told.
 */
export async function forgetAbsences(
  bookingIds: Types.ObjectId[],
  at: Date,
  session: ClientSession,
): Promise<boolean> {
  for (const some of batches(bookingIds, BATCH)) {
    const said = { bookingId: { $in: some }, at };
    if (await Absence.exists({ ...said, tellAt: null }).session(session)) return false;
    await Absence.deleteMany(said, { session });
  }
  return true;
}

/** Each once; the next call goes on. */
export async function tellAbsent({ clock = systemClock }: { clock?: Clock } = {}): Promise<void> {
  const now = clock();
  const due = await Absence.find({ tellAt: { $lt: now } }, "_id")
    .sort({ tellAt: 1 })
    .limit(BATCH)
    .lean<AbsenceDocument[]>();
  for (const { _id } of due)
    try {
      await inTransaction((session) => tell({ _id, tellAt: { $lt: now } }, session));
    } catch (error) {
      log.error({ err: error, absence: _id }, "an explorer cannot be told yet");
      // Behind those who wait, so that it does not take a place among the next to be told.
      await Absence.updateOne({ _id, tellAt: { $lt: now } }, { tellAt: now });
    }
  if (due.length > 0) wakeNotifications();
}

async function tell(due: { _id: Types.ObjectId; tellAt: object }, session: ClientSession) {
  const absence = await Absence.findOne(due, null, { session }).lean<AbsenceDocument>();
  if (!absence) return;
  await Absence.updateOne({ _id: absence._id }, { $unset: { tellAt: true } }, { session });
  if (!(await isNoShow(absence, session))) return;
  const concerned = await findParties(absence, session);
  await queueAbsence({ absence, ...concerned, until: objectionEnd(absence) }, session);
}

export const objectionEnd = ({ at }: AbsenceDocument) =>
  new Date(at.getTime() + UNDO_MS + OBJECTION_MS);

/** The booking still is what the guide made of it. */
export const isNoShow = async (
  { bookingId, userId, tourId }: AbsenceDocument,
  session?: ClientSession,
) =>
  (await Booking.exists({ _id: bookingId, userId, tourId, status: NO_SHOW }).session(
    session ?? null,
  )) !== null;

/** As far as they have accounts. */
export async function findParties(absence: AbsenceDocument, session?: ClientSession) {
  const { userId, guideId, tourId } = absence;
  const users = await User.find({ _id: { $in: guideId ? [userId, guideId] : [userId] } }, null, {
    session,
  }).lean<UserDocument[]>();
  const named = (id: Types.ObjectId | undefined) => users.find(({ _id }) => _id.equals(id)) ?? null;
  const tour = await Tour.findById(tourId, null, { session }).lean<TourDocument>();
  return { explorer: named(userId), guide: named(guideId), tour };
}
