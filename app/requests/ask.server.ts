import type { ClientSession, Types } from "mongoose";
import { renderReviewRequest } from "#emails/review-request";
import { isKept } from "#models/picture";
import { ReviewRequest, type ReviewRequestDocument } from "#models/review-request";
import type { TourDocument } from "#models/tour";
import { DAY_MS } from "~/lib/durations";
import { inTransaction } from "~/db/transaction.server";
import { eachDue, type Turn } from "~/jobs/each-due.server";
import { keyedHash, sha256 } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { dayInWords, longWeekday, clockTime } from "~/config/zones";
import { notifications } from "~/mail/delivery.server";
import { unsubscribeUrl } from "~/mail/mail-settings.server";
import { queueMail } from "~/mail/outbox.server";
import {
  type Askable,
  countRefused,
  inDaytime,
  lookAgain,
  refuseRequest,
  reviewRequestResults,
} from "~/mail/review-requests.server";
import { isPicture } from "~/ui/picture";
import { requestPath } from "~/ui/paths";

const LINK_MS = 30 * DAY_MS;
/** Most tours of one e-mail; more are asked for in a further one. */
const MOST_TOURS = 10;

/** The secret of a request's link, which is stored as a digest only. A reminder has the same. */
export const requestToken = (request: Pick<ReviewRequestDocument, "_id">) =>
  keyedHash("review request", request._id);

/**
 * Puts the e-mails to the guests into the outbox who are to be asked or reminded by now. A lease for each request would
 * let two processes send two e-mails to one guest.
 */
export async function askDue({ stopped }: Turn = {}): Promise<void> {
  const now = new Date();
  // Each guest once: all their tours are one transaction.
  const guests = ReviewRequest.aggregate([
    { $match: { dueAt: { $lte: now } } },
    { $group: { _id: "$userId" } },
  ]);
  await eachDue<{ _id: Types.ObjectId }>(guests, {
    work: async ({ _id }) => {
      const asked = await inTransaction((session) => askGuest(_id, now, session));
      for (const { sentAt } of asked.made)
        reviewRequestResults.inc({ result: sentAt ? "reminded" : "asked" });
      countRefused(asked.refused);
      if (asked.made.length > 0) notifications.wake();
    },
    stopped,
    failure: "a guest cannot be asked yet",
  });
}

const nobody = { made: [], refused: [] };

/** All tours of a guest that are due are one e-mail. */
async function askGuest(userId: Types.ObjectId, now: Date, session: ClientSession) {
  const due = await ReviewRequest.find({ userId, dueAt: { $lte: now } }, null, { session })
    .sort({ departedAt: -1 })
    .limit(MOST_TOURS)
    .lean<ReviewRequestDocument[]>();
  if (due.length === 0) return nobody;
  const { explorer, askable, refused } = await lookAgain(due, now, session);
  for (const { request, reason } of refused) await refuseRequest(request, reason, session);
  const present: Askable[] = [];
  for (const one of askable) {
    const { _id } = one.request;
    const at = inDaytime(now, tourTimeZone(one.tour));
    if (at > now) await ReviewRequest.updateOne({ _id }, { $set: { dueAt: at } }, { session });
    else if (isUnwanted(one.request))
      await ReviewRequest.updateOne({ _id }, { $unset: { dueAt: 1 } }, { session });
    else present.push(one);
  }
  if (!explorer || present.length === 0) return { ...nobody, refused };
  const { appUrl } = env();
  const site = { appUrl, unsubscribeUrl: unsubscribeUrl(userId, "requests") };
  const expiresAt = new Date(now.getTime() + LINK_MS);
  for (const { request } of present) {
    const link = { hash: sha256(requestToken(request)), expiresAt };
    const made = request.sentAt ? { remindedAt: now } : { askedAt: now };
    const change = { $set: { ...link, ...made }, $unset: { dueAt: 1 as const } };
    await ReviewRequest.updateOne({ _id: request._id }, change, { session });
  }
  const made = present.map(({ request }) => request);
  const mail = renderReviewRequest(
    {
      ...explorer,
      tours: present.map(takenTour),
      isReminder: made.every(({ sentAt }) => sentAt),
    },
    site,
  );
  const asks = made.map(({ _id }) => _id);
  await queueMail(explorer, { ...mail, ...site, expiresAt }, session, { asks });
  return { made, refused };
}

/** A reminder, where the site's settings have none any more. */
const isUnwanted = ({ sentAt }: ReviewRequestDocument) =>
  sentAt !== undefined && env().reviewReminderDays === undefined;

function takenTour({ request, tour, guide }: Askable) {
  const zone = tourTimeZone(tour);
  return {
    title: tour.title,
    guideName: guide?.name ?? "",
    day: `${longWeekday(clockTime(request.departedAt, zone).weekday)} ${dayInWords(request.departedAt, zone)}`,
    url: env().appUrl + requestPath(requestToken(request)),
    picture: pictureUrl(tour),
  };
}

/** In pixels, of those that are kept. */
const WIDTH = 960;

function pictureUrl({ images: [first], image }: TourDocument): string | null {
  const url = typeof first === "string" ? first : (first?.url ?? image);
  if (url === null) return null;
  return isKept(url) ? `${env().appUrl}${url}-${WIDTH}.webp` : isPicture(url) ? url : null;
}
