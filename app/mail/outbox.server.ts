import type { ClientSession, Types } from "mongoose";
import {
  Notification,
  type AccountMail,
  type AccountNotification,
  type Mailbox,
  type ReviewNotification,
} from "#models/notification";
import { reviewContent } from "#models/content";
import type { ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { HOUR_MS } from "~/lib/durations";
import { keyedHash } from "~/lib/digest.server";
import { canonicalEmail } from "~/lib/email-address.server";
import { env } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { clockTime, momentAtClockTime, withZone } from "~/config/zones";

/** The time of daily e-mails, by the clocks of `TIME_ZONE`. */
const DIGEST_TIME = { hour: 7, minute: 0 };

/** Says "07:00 UTC" or "07:00, Rome time". */
export const digestTime = () => withZone(DIGEST_TIME, env().timeZone);

/** For how long an e-mail is retried after it was first due. */
export const RETRY_MS = 48 * HOUR_MS;

/** A hundred times the usual size. */
const ACCOUNT_MAIL_BYTES = 256 * 1_024;

/**
 * Recipient of an e-mail: an account, an address without an account (`account` null), or nobody, where the e-mail
 * outlives its account.
 */
export type Recipient = Mailbox &
  ({ _id: Types.ObjectId } | { id: string } | { account: null | "deleted" });

/** Names the owner of an address without an account. */
export const ownerOfAddress = (email: string) => keyedHash("address", canonicalEmail(email));

/** Returns the identifiers of one person in e-mails, reports and sanctions: the account's id and the hashed address. */
export const ownerNames = ({ id, email }: { id: string; email: string }) => [
  id,
  ownerOfAddress(email),
];

function mailOwner(recipient: Recipient): string | undefined {
  if ("_id" in recipient) return recipient._id.toString();
  if ("id" in recipient) return recipient.id;
  return recipient.account === null ? ownerOfAddress(recipient.email) : undefined;
}

/**
 * Puts an e-mail into the outbox, in the transaction of what it tells of; call `notifications.wake` after the commit.
 * With `expiresAt` it is not sent from then on, and not kept when it is given up. An account without an address is told
 * nothing. Throws `RangeError` when the e-mail is too large to be one of ours.
 */
export async function queueMail(
  to: Recipient,
  { subject, text, html, expiresAt, unsubscribeUrl }: Omit<AccountMail, "to">,
  session: ClientSession,
  { replyTo, asks }: { replyTo?: Types.ObjectId; asks?: string[] } = {},
): Promise<void> {
  const { email, name } = to;
  if (!email) return;
  if (Buffer.byteLength(subject + text + html) > ACCOUNT_MAIL_BYTES)
    throw new RangeError(`An e-mail about an account has more than ${ACCOUNT_MAIL_BYTES} bytes`);
  const now = new Date();
  const notification: Omit<AccountNotification, "_id" | "attempts"> = {
    kind: "account",
    owner: mailOwner(to),
    replyTo,
    asks,
    mail: {
      to: { email, name: name || undefined },
      subject,
      text,
      html,
      expiresAt,
      unsubscribeUrl,
    },
    state: "pending",
    createdAt: now,
    dueAt: now,
    retryUntil: retryUntil(now),
  };
  await Notification.create([notification], { session });
}

/** The people of a new review, and its tour. */
export interface ReviewPeople {
  explorer: UserDocument;
  tour: TourDocument;
  /** Null when the tour's guide has no account. */
  guide: UserDocument | null;
}

/**
 * Returns the guide's e-mail about a new review, to be sent at once or in the daily e-mail; null for a guide who wants
 * none, or has no account or no address (docs/rules/mail.md, Notifications; docs/decisions/003-outbox.md).
 */
export function reviewMail(
  review: ReviewDocument & { rating: number },
  { explorer, tour, guide }: ReviewPeople,
): ReviewNotification | null {
  if (guide?.reviewMails === "none") return null;
  if (!guide?.email) {
    log.warn({ tourId: tour._id }, "the tour's guide has no e-mail address, nobody is notified");
    return null;
  }
  const { _id, createdAt } = review;
  const daily = guide.reviewMails === "daily";
  const dueAt = daily ? nextDigest(createdAt) : createdAt;
  return {
    _id,
    kind: daily ? "digest" : "review",
    guideId: guide._id,
    explorerId: review.userId,
    inputs: {
      guideName: guide.name,
      guideEmail: guide.email,
      explorerName: explorer.name,
      tourTitle: tour.title,
      ...reviewContent(review),
      tourSlug: tour.slug,
    },
    state: "pending",
    createdAt,
    dueAt,
    retryUntil: retryUntil(dueAt),
    attempts: 0,
  };
}

/** Returns until when an e-mail is tried that was first due then. */
export const retryUntil = (dueAt: Date) => new Date(dueAt.getTime() + RETRY_MS);

/** Returns when the next daily e-mails after that moment are due, by the clocks of that zone. */
export function nextDigest(after: Date, timeZone = env().timeZone): Date {
  const today = { ...clockTime(after, timeZone), ...DIGEST_TIME };
  const due = momentAtClockTime(today, timeZone);
  return due > after ? due : momentAtClockTime({ ...today, day: today.day + 1 }, timeZone);
}
