import type { ClientSession, Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { Booking, COMPLETED, NO_SHOW } from "#models/booking";
import type { TourDocument } from "#models/tour";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { findAuthors } from "~/accounts/people.server";
import { toObjectId } from "~/db/ids.server";
import { readSignedToken } from "~/lib/signed-token.server";
import { inTransaction } from "~/db/transaction.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { writes } from "~/db/limits.server";
import { unsubscribes, unsubscribesByNetwork } from "~/mail/limits.server";
import { notifications } from "~/mail/delivery.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { findTours, namedTour } from "~/tours/named-tour.server";
import { guideTexts } from "~/guides/refusal-texts";
import { pageTexts } from "~/lib/refusal-texts";
import { ABSENCE, queueObjection } from "./absence-mails.server";
import {
  type Options,
  findPeopleAndTour,
  OBJECTION_MS,
  objectionEnd,
  stillAbsent,
  UNDO_MS,
} from "./absences.server";

// An explorer says that they were there, although a guide says that they did not come (docs/rules/bookings.md, No-shows).

const SHOWN = 10;

/** An absence as its explorer reads it; `until` is null when they cannot object. */
export type Absent = Awaited<ReturnType<typeof toAbsent>>[number];

/** Throws `ServiceError` 404 for a link that is not ours, or not valid. */
export async function getAbsence(token: string, { completion }: Options = {}): Promise<Absent> {
  const now = new Date();
  const absence = await readAbsence({ _id: readAbsenceToken(token, completion) }, now);
  const [absent] = await toAbsent([absence], now);
  return absent!;
}

/** The newest that the caller can object to; nothing while a guide can undo it. */
export async function myAbsences(
  caller: Caller,
  { completion = env().bookingCompletion }: Options = {},
): Promise<Absent[]> {
  if (completion === "platform") return [];
  const now = new Date();
  const end = now.getTime() - UNDO_MS;
  const at = { $gt: new Date(end - OBJECTION_MS), $lt: new Date(end) };
  const said = await Absence.find({ userId: requireCaller(caller), at, objectedAt: null })
    .sort({ at: -1 })
    .limit(SHOWN)
    .lean<AbsenceDocument[]>();
  const absent = await toAbsent(said, now);
  return absent.filter(({ until }) => until !== null);
}

async function toAbsent(absences: AbsenceDocument[], now: Date) {
  if (absences.length === 0) return [];
  const [guides, tours, still] = await Promise.all([
    findAuthors(absences.flatMap(({ guideId }) => guideId?.toString() ?? [])),
    findTours(absences.map(({ tourId }) => tourId)),
    stillAbsent(absences),
  ]);
  return absences.map((absence) => {
    const { guideId, tourId, objectedAt } = absence;
    const end = objectionEnd(absence);
    return {
      ...absenceHead(absence, tours.get(tourId.toString()) ?? null),
      guideName: (guideId && guides.get(guideId.toString()).name) ?? "",
      until: end > now && still.includes(absence) ? end.toISOString() : null,
      objected: objectedAt !== null,
    };
  });
}

const absenceHead = ({ _id, date }: AbsenceDocument, tour: TourDocument | null) => ({
  id: _id.toString(),
  tour: tour
    ? namedTour(tour)
    : { title: "a former tour", slug: null, timeZone: tourTimeZone(null) },
  date: date?.toISOString() ?? null,
});

export type Objection = Awaited<ReturnType<typeof objectionsTo>>[number];

/** The newest of the last 30 days; `tours` are those that the guide leads now. */
export async function objectionsTo(guide: Caller, tours: TourDocument[], now: Date) {
  const since = new Date(now.getTime() - OBJECTION_MS);
  const found = await Absence.find({ guideId: requireCaller(guide), objectedAt: { $gte: since } })
    .sort({ objectedAt: -1 })
    .limit(SHOWN)
    .lean<AbsenceDocument[]>();
  const people = await findAuthors(found.map(({ userId }) => userId.toString()));
  return found.map((absence) => ({
    ...absenceHead(absence, tours.find(({ _id }) => _id.equals(absence.tourId)) ?? null),
    explorerName: people.get(absence.userId.toString()).name,
    at: absence.objectedAt!.toISOString(),
  }));
}

/**
 * The holder of that link says that they were there, from a client at `clientAddress`: see `storeObjection`. Also throws
 * `ServiceError` 404 for a link that is not ours.
 */
export async function objectByLink(
  token: string,
  clientAddress: string,
  { completion }: Options = {},
): Promise<void> {
  await unsubscribesByNetwork.consume(clientAddress);
  const _id = readAbsenceToken(token, completion);
  await unsubscribes.consume(_id.toString());
  await storeObjection({ _id });
}

/** The caller objects to the absence of that id: see `storeObjection`. */
export async function objectAs(
  caller: Caller,
  id: string,
  { completion }: Options = {},
): Promise<void> {
  await writes.consume(caller.id);
  requireCompletion(completion);
  await storeObjection({ _id: toObjectId(id), userId: requireCaller(caller) });
}

/**
 * Completes a booking that a guide called a no-show, and tells the guide. A second call does nothing. Throws
 * `ServiceError`: 404 when there is no such absence, or the guide can still undo it, 403 when it is too late, 400 when
 * the booking has another status by now.
 */
async function storeObjection(which: AbsenceFilter): Promise<void> {
  await inTransaction(async (session) => {
    const now = new Date();
    const absence = await readAbsence(which, now, session);
    const { _id, bookingId, userId, tourId, objectedAt } = absence;
    if (objectedAt) return;
    if (objectionEnd(absence) <= now) throw new ServiceError(403, guideTexts.objectionLate);
    const change = { $set: { objectedAt: now }, $unset: { tellAt: true } };
    await Absence.updateOne({ _id, objectedAt: null }, change, { session });
    const { modifiedCount } = await Booking.updateOne(
      { _id: bookingId, userId, tourId, status: NO_SHOW },
      { $set: { status: COMPLETED } },
      { session },
    );
    if (modifiedCount === 0) throw new ServiceError(400, guideTexts.bookingChanged);
    await queueObjection({ absence, ...(await findPeopleAndTour(absence, session)) }, session);
  });
  notifications.wake();
}

function readAbsenceToken(token: string, completion: Options["completion"]): Types.ObjectId {
  const _id = toObjectId(readSignedToken(token, [ABSENCE])?.id);
  if (!_id) throw new ServiceError(404, pageTexts.linkNotValid);
  requireCompletion(completion);
  return _id;
}

/** Refuses where the platform completes bookings, which then says who came. */
function requireCompletion(completion = env().bookingCompletion): void {
  if (completion === "platform") throw new ServiceError(404, pageTexts.linkNotValid);
}

type AbsenceFilter = { _id: Types.ObjectId | null; userId?: Types.ObjectId };

async function readAbsence(which: AbsenceFilter, now: Date, session?: ClientSession) {
  const found = await Absence.findOne(which, null, { session }).lean<AbsenceDocument>();
  if (!found || found.at.getTime() + UNDO_MS >= now.getTime())
    throw new ServiceError(404, pageTexts.linkNotValid);
  return found;
}
