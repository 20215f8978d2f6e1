import type { ClientSession } from "mongoose";
import { Counter } from "prom-client";
import { Absence } from "#models/absence";
import { Booking, COMPLETED } from "#models/booking";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import {
  NOT_ASKED,
  type NotAsked,
  ReviewRequest,
  type ReviewRequestDocument,
} from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { DAY_MS } from "~/lib/durations";
import { env } from "~/config/env.server";
import { processRegistry } from "~/lib/metrics.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { clockTime, momentAtClockTime } from "~/config/zones";

// Whether a guest is still asked for a review, as it is when the e-mail is made and again when it is sent
// (docs/rules/review-requests.md, Review requests).

/** Longest time between a departure and its completion after which its guests are asked. */
export const ASKED_WITHIN_MS = 14 * DAY_MS;
/** Longest delay of an e-mail: later the tour is too long ago. */
const LATE_MS = 2 * DAY_MS;

/** The hours in which e-mails ask, by the clocks of the tour: from `from` to before `to`. */
const DAYTIME = { from: 9, to: 20 };

export const reviewRequestResults = new Counter({
  name: "tour_reviews_review_requests_total",
  help: "Guests who were to be asked for a review of a tour: asked, reminded, or why not.",
  labelNames: ["result"] as const,
  registers: [processRegistry],
});
// From the start: Prometheus does not see the increase with which a series begins.
for (const result of ["asked", "reminded", ...NOT_ASKED]) reviewRequestResults.inc({ result }, 0);

/** Returns that moment where it is day in the zone, else the next morning. */
export function inDaytime(at: Date, zone: string): Date {
  const time = clockTime(at, zone);
  if (time.hour >= DAYTIME.from && time.hour < DAYTIME.to) return at;
  const day = time.hour < DAYTIME.from ? time.day : time.day + 1;
  return momentAtClockTime({ ...time, day, hour: DAYTIME.from, minute: 0 }, zone);
}

export interface Askable {
  request: ReviewRequestDocument;
  tour: TourDocument;
  guide: UserDocument | undefined;
}

interface CheckedRequests {
  explorer: UserDocument | null;
  askable: Askable[];
  refused: { request: ReviewRequestDocument; reason: NotAsked }[];
}

/** Checks up to a hundred requests of one guest. One command after the other, as in a transaction. */
export async function lookAgain(
  requests: ReviewRequestDocument[],
  now: Date,
  session: ClientSession | null = null,
): Promise<CheckedRequests> {
  const { userId } = requests[0]!;
  const pair = { userId, tourId: { $in: requests.map(({ tourId }) => tourId) } };
  const explorer = await User.findById(userId).session(session).lean<UserDocument>();
  const reason = explorer ? accountReason(explorer, now) : "account";
  if (!explorer || reason)
    return {
      explorer,
      askable: [],
      refused: requests.map((request) => ({ request, reason: reason ?? "account" })),
    };
  const tours = await Tour.find({ _id: pair.tourId }).session(session).lean<TourDocument[]>();
  const guides = await User.find({ _id: { $in: tours.map((tour) => tour.createdById) } }, "name")
    .session(session)
    .lean<UserDocument[]>();
  const reviews = await Review.find(pair, "tourId").session(session).lean();
  const removed = await RemovedReview.find(pair, "tourId").session(session).lean();
  const completed = await Booking.find({ ...pair, status: COMPLETED }, "tourId")
    .session(session)
    .lean();
  const objected = { userId, objectedAt: { $ne: null } };
  const absences = await Absence.find(objected, "bookingId").session(session).lean();
  const disputed = new Set(absences.map(({ bookingId }) => bookingId.toString()));
  const checked: CheckedRequests = { explorer, askable: [], refused: [] };
  for (const request of requests) {
    const { tourId } = request;
    const tour = tours.find(({ _id }) => _id.equals(tourId));
    const isOfTour = (one: { tourId: typeof tourId }) => one.tourId.equals(tourId);
    const bookings = completed.filter(isOfTour);
    const addRefused = (why: NotAsked) => checked.refused.push({ request, reason: why });
    if (!tour) addRefused("tour");
    else if (tour.createdById.equals(userId)) addRefused("guide");
    else if (reviews.some(isOfTour)) addRefused("reviewed");
    else if (removed.some(isOfTour)) addRefused("removed");
    else if (bookings.length === 0) addRefused("cancelled");
    else if (bookings.every(({ _id }) => disputed.has(_id.toString()))) addRefused("disputed");
    else if (isLate(request, now)) addRefused("late");
    else {
      const guide = guides.find(({ _id }) => _id.equals(tour.createdById));
      checked.askable.push({ request, tour, guide });
    }
  }
  return checked;
}

function accountReason(
  { email, suspendedUntil, reviewRequests }: UserDocument,
  now: Date,
): NotAsked | undefined {
  if (!email) return "account";
  if (suspendedUntil && suspendedUntil > now) return "suspended";
  return reviewRequests ? undefined : "objected";
}

function isLate({ departedAt, askedAt, sentAt }: ReviewRequestDocument, now: Date): boolean {
  // The delay of a reminder counts from the first e-mail.
  if (sentAt && askedAt) {
    const wait = (env().reviewReminderDays ?? 0) * DAY_MS;
    return now.getTime() > askedAt.getTime() + wait + LATE_MS;
  }
  return now.getTime() > departedAt.getTime() + ASKED_WITHIN_MS + LATE_MS;
}

/** Notes why a guest is not asked, or not reminded. Nothing is kept of an account that is gone. */
export async function refuseRequest(
  { _id, sentAt }: ReviewRequestDocument,
  reason: NotAsked,
  session: ClientSession,
): Promise<void> {
  if (reason === "account") await ReviewRequest.deleteOne({ _id }, { session });
  else {
    const change = sentAt
      ? { $unset: { dueAt: 1, remindedAt: 1 } }
      : { $set: { notAsked: reason }, $unset: { dueAt: 1, askedAt: 1 } };
    await ReviewRequest.updateOne({ _id }, change, { session });
  }
}

/** Counts those that were refused, once that is stored. */
export const countRefused = (refused: CheckedRequests["refused"]) => {
  for (const { reason } of refused) reviewRequestResults.inc({ result: reason });
};

/** When the e-mail of these requests may be sent, or what has become of them instead. */
type Sending = { at: Date } | { checked: CheckedRequests | null };

/** Checks the requests of an e-mail that is about to be sent. */
export async function whenToSend(ids: string[], now: Date): Promise<Sending> {
  const requests = await ReviewRequest.find({ _id: { $in: ids } }).lean<ReviewRequestDocument[]>();
  const checked = requests.length > 0 ? await lookAgain(requests, now) : null;
  const isWhole = checked?.refused.length === 0 && requests.length === ids.length;
  const [first] = checked?.askable ?? [];
  return isWhole && first ? { at: inDaytime(now, tourTimeZone(first.tour)) } : { checked };
}

/** Refuses those that are not asked for any more; the others are due anew, in an e-mail of their own. */
export async function takeApart(
  checked: CheckedRequests,
  now: Date,
  session: ClientSession,
): Promise<void> {
  for (const { request, reason } of checked.refused) await refuseRequest(request, reason, session);
  for (const { request } of checked.askable) {
    const again = request.sentAt ? { remindedAt: 1 } : { askedAt: 1 };
    const due = { $set: { dueAt: now }, $unset: again };
    await ReviewRequest.updateOne({ _id: request._id }, due, { session });
  }
}

/** Notes that an e-mail has reached SendGrid, or was captured. The reminder, if there is one, is due from then on. */
export async function noteSent(ids: string[], now: Date): Promise<void> {
  const { reviewReminderDays: days } = env();
  const reminder = days === undefined ? {} : { dueAt: new Date(now.getTime() + days * DAY_MS) };
  const first = { _id: { $in: ids }, sentAt: null };
  await ReviewRequest.updateMany(first, { $set: { sentAt: now, ...reminder } });
}
