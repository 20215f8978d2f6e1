import type { ClientSession } from "mongoose";
import {
  Notification,
  type AccountMail,
  type ReviewNotification,
  type ReviewNotificationInputs,
} from "#models/notification";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { type Clock, systemClock } from "~/infra/clock";
import { env } from "~/infra/env.server";
import { log } from "~/infra/log.server";
import { clockTime, momentOf, withZone } from "~/infra/zones";

/** By the clocks of `TIME_ZONE`. */
const DIGEST_TIME = { hour: 7, minute: 0 };

/** "07:00 UTC" or "07:00, Rome time". */
export const digestTime = () => withZone(DIGEST_TIME, env().timeZone);

/** After an e-mail was first due. */
export const RETRY_MS = 48 * 60 * 60 * 1_000;

/** A hundred times the usual size. */
const ACCOUNT_MAIL_BYTES = 256 * 1_024;

/**
 * Adds an e-mail about an account to the outbox, in the transaction of `session`; the caller calls
 * `wakeNotifications` after the commit. `owner` says whose it is. Once it was sent, or given up with a link in it,
 * nothing of it is kept. Throws `RangeError` when it is too large to be one of ours.
 */
export async function queueMail(
  mail: AccountMail,
  session: ClientSession,
  { owner, clock = systemClock }: { owner?: string; clock?: Clock } = {},
): Promise<void> {
  const { to, subject, text, html, expiresAt, unsubscribeUrl } = mail;
  if (Buffer.byteLength(subject + text + html) > ACCOUNT_MAIL_BYTES)
    throw new RangeError(`An e-mail about an account has more than ${ACCOUNT_MAIL_BYTES} bytes`);
  const now = clock();
  await Notification.create(
    [
      {
        kind: "account",
        ...(owner && { owner }),
        mail: { to, subject, text, html, expiresAt, unsubscribeUrl },
        state: "pending",
        createdAt: now,
        dueAt: now,
        retryUntil: retryUntil(now),
      },
    ],
    { session },
  );
}

/**
 * The guide's e-mail about a new review, to be sent at once or in the daily e-mail, as the guide has chosen; nothing
 * for a guide who wants none, or has no account or no address (docs/rules/mail.md, Notifications;
 * docs/decisions/003-outbox.md).
 */
export function reviewMail(
  review: ReviewDocument & { rating: number },
  {
    explorer,
    tour,
    guide,
  }: { explorer: UserDocument; tour: TourDocument; guide: UserDocument | null },
): ReviewNotification | null {
  if (guide?.reviewMails === "none") return null;
  if (!guide?.email) {
    log.warn({ tourId: tour._id }, "the tour's guide has no e-mail address, nobody is notified");
    return null;
  }
  const inputs: ReviewNotificationInputs = {
    guideName: guide.name,
    guideEmail: guide.email,
    explorerName: explorer.name,
    tourTitle: tour.title,
    rating: review.rating,
    comment: review.comment,
    tourSlug: tour.slug,
  };
  const { _id, createdAt } = review;
  const daily = guide.reviewMails === "daily";
  const dueAt = daily ? nextDigest(createdAt) : createdAt;
  return {
    _id,
    kind: daily ? "digest" : "review",
    guideId: guide._id,
    explorerId: review.userId,
    inputs,
    state: "pending",
    createdAt,
    dueAt,
    retryUntil: retryUntil(dueAt),
    attempts: 0,
  };
}

const retryUntil = (dueAt: Date) => new Date(dueAt.getTime() + RETRY_MS);

/** When the next daily e-mails after that moment are due, by the clocks of that zone. */
export function nextDigest(after: Date, timeZone = env().timeZone): Date {
  const today = { ...clockTime(after, timeZone), ...DIGEST_TIME };
  const due = momentOf(today, timeZone);
  return due > after ? due : momentOf({ ...today, day: today.day + 1 }, timeZone);
}
