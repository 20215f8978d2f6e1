import type { ClientSession, Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { Booking, type BookingDocument, NO_SHOW } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { DAY_MS, MINUTE_MS } from "~/lib/durations";
import { batches, BATCH } from "~/db/batches";
import { inTransaction } from "~/db/transaction.server";
import { eachDue, type Turn } from "~/jobs/each-due.server";
import { notifications } from "~/mail/delivery.server";
import { queueAbsence } from "./absence-mails.server";

// A guide says that an explorer did not come, and the explorer is asked (docs/rules/bookings.md, No-shows).

export interface Options {
  /** Whether guides and this site complete bookings, or only the platform. */
  completion?: "automatic" | "platform";
}

/** Time in which a guide can undo a completion; nobody else is told of it before. */
export const UNDO_MS = 10 * MINUTE_MS;
export const OBJECTION_MS = 30 * DAY_MS;

/** Leaves out the bookings whose explorers have said before that they were there. */
export async function withoutObjections(
  bookings: BookingDocument[],
  session: ClientSession,
): Promise<BookingDocument[]> {
  const objected = new Set<string>();
  for (const some of batches(bookings, BATCH)) {
    const bookingId = { $in: some.map(({ _id }) => _id) };
    const filter = { bookingId, objectedAt: { $ne: null } };
    for (const absence of await Absence.find(filter, "bookingId", { session }).lean())
      objected.add(absence.bookingId.toString());
  }
  return bookings.filter(({ _id }) => !objected.has(_id.toString()));
}

/** Notes that the explorers of these bookings did not come, in the transaction in which a guide says so. */
export async function noteAbsences(
  bookings: BookingDocument[],
  departure: Pick<AbsenceDocument, "tourId" | "guideId" | "date" | "at">,
  session: ClientSession,
): Promise<void> {
  const tellAt = new Date(departure.at.getTime() + UNDO_MS);
  for (const some of batches(bookings, BATCH)) {
    // A platform may have made a booking confirmed again.
    await Absence.deleteMany({ bookingId: { $in: some.map(({ _id }) => _id) } }, { session });
    await Absence.insertMany(
      some.map(({ _id, userId }) => ({ bookingId: _id, userId, ...departure, tellAt })),
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

/** Asks each explorer once whether they were there. */
export async function tellAbsent({ stopped }: Turn = {}): Promise<void> {
  const isDue = { tellAt: { $lt: new Date() } };
  await eachDue(Absence.find(isDue, "_id").lean<Pick<AbsenceDocument, "_id">>(), {
    work: async ({ _id }) => {
      await inTransaction((session) => tellExplorer({ _id, ...isDue }, session));
      notifications.wake();
    },
    stopped,
    failure: "an explorer cannot be told yet",
  });
}

async function tellExplorer(due: { _id: Types.ObjectId; tellAt: object }, session: ClientSession) {
  const absence = await Absence.findOne(due, null, { session }).lean<AbsenceDocument>();
  if (!absence) return;
  await Absence.updateOne({ _id: absence._id }, { $unset: { tellAt: true } }, { session });
  if ((await stillAbsent([absence], session)).length === 0) return;
  const parties = await findPeopleAndTour(absence, session);
  await queueAbsence({ absence, ...parties, until: objectionEnd(absence) }, session);
}

export const objectionEnd = ({ at }: AbsenceDocument) =>
  new Date(at.getTime() + UNDO_MS + OBJECTION_MS);

/** Returns the absences whose bookings still are what the guide made of them. */
export async function stillAbsent(
  absences: AbsenceDocument[],
  session?: ClientSession,
): Promise<AbsenceDocument[]> {
  const bookings = await Booking.find(
    { _id: { $in: absences.map(({ bookingId }) => bookingId) }, status: NO_SHOW },
    "userId tourId",
    { session },
  ).lean<BookingDocument[]>();
  const byId = new Map(bookings.map((booking) => [booking._id.toString(), booking]));
  return absences.filter(({ bookingId, userId, tourId }) => {
    const booking = byId.get(bookingId.toString());
    return booking && booking.userId.equals(userId) && booking.tourId.equals(tourId);
  });
}

/** Returns explorer, guide and tour, each null when it is gone. */
export async function findPeopleAndTour(absence: AbsenceDocument, session?: ClientSession) {
  const { userId, guideId, tourId } = absence;
  const users = await User.find({ _id: { $in: guideId ? [userId, guideId] : [userId] } }, null, {
    session,
  }).lean<UserDocument[]>();
  const userWithId = (id: Types.ObjectId | undefined) =>
    users.find(({ _id }) => _id.equals(id)) ?? null;
  const tour = await Tour.findById(tourId, null, { session }).lean<TourDocument>();
  return { explorer: userWithId(userId), guide: userWithId(guideId), tour };
}
