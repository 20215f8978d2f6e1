import type { ClientSession, Types } from "mongoose";
import { Absence, type AbsenceDocument } from "#models/absence";
import { Booking, COMPLETED, NO_SHOW } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { type Clock, systemClock } from "~/infra/clock";
import { env } from "~/infra/env.server";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { readSignedToken } from "~/infra/signed-token.server";
import { inTransaction } from "~/db/transaction.server";
import { findAuthors } from "~/db/people.server";
import type { Caller } from "~/accounts/caller.server";
import { unsubscribes, unsubscribesByNetwork, writes } from "~/db/limits.server";
import { ABSENCE, queueObjection } from "~/mail/absence-mails.server";
import { wakeNotifications } from "~/mail/delivery.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { findParties, isNoShow, OBJECTION_MS, objectionEnd, UNDO_MS } from "./absences.server";

// An explorer says that they were there, although a guide says that they did not come (docs/rules/bookings.md, No-shows).

const SHOWN = 10;

interface Options {
  clock?: Clock;
  completion?: "automatic" | "platform";
}

export interface Absent {
  id: string;
  guideName: string;
  tour: { title: string; slug: string | null; timeZone: string };
  /** The departure's, in ISO 8601; null when nothing says. */
  date: string | null;
  /** Until when they can object, in ISO 8601; null when they cannot. */
  until: string | null;
  objected: boolean;
}

/** Throws `ServiceError` 404 for a link that is not ours, or not valid. */
export async function findAbsence(
  token: string,
  { clock = systemClock, ...options }: Options = {},
): Promise<Absent> {
  const absence = await readAbsence({ _id: readToken(token, options) }, clock());
  const { guide, tour } = await findParties(absence);
  const end = objectionEnd(absence);
  const until = end > clock() && (await isNoShow(absence)) ? end : null;
  return toAbsent(absence, { guideName: guide?.name ?? "", tour, until });
}

/** The newest that the caller can object to; nothing while a guide can undo it. */
export async function myAbsences(
  caller: Caller,
  { clock = systemClock, completion = env().bookingCompletion }: Options = {},
): Promise<Absent[]> {
  if (completion === "platform") return [];
  const end = clock().getTime() - UNDO_MS;
  const at = { $gt: new Date(end - OBJECTION_MS), $lt: new Date(end) };
  const said = await Absence.find({ userId: toObjectId(caller.id)!, at, objectedAt: null })
    .sort({ at: -1 })
    .limit(SHOWN)
    .lean<AbsenceDocument[]>();
  const stands = await Promise.all(said.map((absence) => isNoShow(absence)));
  const found = said.filter((_, index) => stands[index]);
  const [guides, tours] = await Promise.all([
    findAuthors(found.map(({ guideId }) => String(guideId))),
    findTours(found),
  ]);
  return found.map((absence) => {
    const guideName = guides.get(String(absence.guideId))?.name ?? "";
    const tour = tours.get(absence.tourId.toString()) ?? null;
    return toAbsent(absence, { guideName, tour, until: objectionEnd(absence) });
  });
}

export interface Objection {
  id: string;
  explorerName: string;
  tour: { title: string; timeZone: string };
  date: string | null;
  at: string;
}

/** The newest of the last 30 days. */
export async function objectionsTo(
  guide: Caller,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<Objection[]> {
  const since = new Date(clock().getTime() - OBJECTION_MS);
  const found = await Absence.find({ guideId: toObjectId(guide.id)!, objectedAt: { $gte: since } })
    .sort({ objectedAt: -1 })
    .limit(SHOWN)
    .lean<AbsenceDocument[]>();
  const [explorers, tours] = await Promise.all([
    findAuthors(found.map(({ userId }) => userId.toString())),
    findTours(found),
  ]);
  return found.map((absence) => {
    const tour = tours.get(absence.tourId.toString()) ?? null;
    const { id, date, tour: named } = toAbsent(absence, { guideName: "", tour, until: null });
    const explorerName = explorers.get(absence.userId.toString())?.name ?? "";
    return { id, explorerName, tour: named, date, at: absence.objectedAt!.toISOString() };
  });
}

/**
 * The holder of that link says that they were there, from a client at `clientAddress`: see `object`. Also throws
 * `ServiceError` 404 for a link that is not ours.
 */
export async function objectByLink(
  token: string,
  clientAddress: string,
  { clock = systemClock, ...options }: Options = {},
): Promise<void> {
  await unsubscribesByNetwork.consume(clientAddress);
  const _id = readToken(token, options);
  await unsubscribes.consume(_id.toString());
  await object({ _id }, clock());
}

/** See `object`. */
export async function objectAs(
  caller: Caller,
  id: string,
  { clock = systemClock, ...options }: Options = {},
): Promise<void> {
  await writes.consume(caller.id);
  requireCompletion(options);
  await object({ _id: toObjectId(id), userId: toObjectId(caller.id)! }, clock());
}

/**
 * Makes completed what a guide called a no-show, and tells the guide. A second call does nothing. Throws
 * `ServiceError`: 404 for what nobody says, or can still be undone, 403 when it is too late, 400 when the booking has
 * another status by now.
 */
async function object(which: Which, now: Date): Promise<void> {
  await inTransaction(async (session) => {
    const absence = await readAbsence(which, now, session);
    const { _id, bookingId, userId, tourId, objectedAt } = absence;
    if (objectedAt) return;
    if (objectionEnd(absence) <= now) throw new ServiceError(403, TOO_LATE);
    const change = { $set: { objectedAt: now }, $unset: { tellAt: true } };
    await Absence.updateOne({ _id, objectedAt: null }, change, { session });
    const { modifiedCount } = await Booking.updateOne(
      { _id: bookingId, userId, tourId, status: NO_SHOW },
      { $set: { status: COMPLETED } },
      { session },
    );
    if (modifiedCount === 0) throw new ServiceError(400, CHANGED);
    await queueObjection({ absence, ...(await findParties(absence, session)) }, session);
  });
  wakeNotifications();
}

const UNKNOWN = "This link is not valid.";
const TOO_LATE = "You could say so within 30 days only";
const CHANGED = "Your booking was changed meanwhile";

function readToken(token: string, options: Pick<Options, "completion">): Types.ObjectId {
  const read = readSignedToken(token, [ABSENCE]);
  if (!read) throw new ServiceError(404, UNKNOWN);
  requireCompletion(options);
  return toObjectId(read.id)!;
}

/** Where the platform completes bookings, who came is for it to say. */
function requireCompletion({ completion = env().bookingCompletion }: Pick<Options, "completion">) {
  if (completion === "platform") throw new ServiceError(404, UNKNOWN);
}

type Which = { _id: Types.ObjectId | null; userId?: Types.ObjectId };

async function readAbsence(which: Which, now: Date, session?: ClientSession) {
  const found = await Absence.findOne(which, null, { session }).lean<AbsenceDocument>();
  if (!found || found.at.getTime() + UNDO_MS >= now.getTime()) throw new ServiceError(404, UNKNOWN);
  return found;
}

async function findTours(absences: AbsenceDocument[]): Promise<Map<string, TourDocument>> {
  const ids = absences.map(({ tourId }) => tourId);
  const tours = await Tour.find({ _id: { $in: ids } }, "title slug timeZone").lean<
    TourDocument[]
  >();
  return new Map(tours.map((tour) => [tour._id.toString(), tour]));
}

const toAbsent = (
  { _id, date, objectedAt }: AbsenceDocument,
  { guideName, tour, until }: { guideName: string; tour: TourDocument | null; until: Date | null },
): Absent => ({
  id: _id.toString(),
  guideName,
  tour: {
    title: tour?.title ?? "a former tour",
    slug: tour?.slug ?? null,
    timeZone: zoneOf(tour),
  },
  date: date?.toISOString() ?? null,
  until: until?.toISOString() ?? null,
  objected: objectedAt !== null,
});
