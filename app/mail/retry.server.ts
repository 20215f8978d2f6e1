import type { Types } from "mongoose";
import { CONTENT_FIELDS, reviewContent } from "#models/content";
import {
  asInputs,
  Notification,
  type NotificationDocument,
  type ReviewNotification,
} from "#models/notification";
import { Review, type ReviewDocument } from "#models/review";
import { User, type UserDocument } from "#models/user";
import { BATCH, cursorBatches } from "~/db/batches";
import { ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { RETRY_MS } from "./outbox.server";

/** How many entries are due again, and how many cannot be, by the reason. */
export interface Retried {
  due: number;
  refused: Map<string, number>;
}

/**
 * Makes an e-mail that failed due now, as if it were new. One about a review goes to the guide's present address, and
 * a daily one is due with all of its reviews. Throws `ServiceError` 404 for an unknown id, and 400 with the reason
 * where the e-mail cannot be sent again (docs/rules/mail.md, Notifications).
 */
export async function retryMail(id: string): Promise<number> {
  const _id = toObjectId(id);
  const found = _id && (await Notification.findById(_id).lean<NotificationDocument>());
  if (!found) throw new ServiceError(404, `There is no e-mail ${id} in the outbox`);
  const { due, refused } = await retryAll(entriesOfMail(found));
  const [reason] = refused.keys();
  if (due === 0) throw new ServiceError(400, `E-mail ${id}: ${reason}`);
  return due;
}

/** A daily e-mail is given up with all its reviews at the same moment. */
const entriesOfMail = (found: NotificationDocument) =>
  found.kind === "digest" && found.state === "dead"
    ? { guideId: found.guideId, state: "dead", kind: "digest", endedAt: found.endedAt }
    : { _id: found._id };

export const retryGivenUp = () => retryAll({ state: "dead" });

async function retryAll(filter: object): Promise<Retried> {
  const now = new Date();
  const retried: Retried = { due: 0, refused: new Map() };
  const found = Notification.find(filter).lean<NotificationDocument>().cursor({ batchSize: BATCH });
  for await (const batch of cursorBatches(found, BATCH)) await retryEntries(batch, now, retried);
  return retried;
}

async function retryEntries(
  entries: NotificationDocument[],
  now: Date,
  to: Retried,
): Promise<void> {
  const aboutReviews = entries.filter((entry) => entry.kind !== "account");
  const guides = await User.find(
    { _id: { $in: aboutReviews.map(({ guideId }) => guideId) } },
    "name email reviewMails",
  ).lean<UserDocument[]>();
  const reviews = await Review.find(
    { _id: { $in: aboutReviews.map(({ _id }) => _id) } },
    CONTENT_FIELDS,
  ).lean<ReviewDocument[]>();
  for (const entry of entries) {
    let reason = stateReason(entry, now);
    let inputs = {};
    if (!reason && entry.kind !== "account") {
      const guide = withId(guides, entry.guideId);
      const review = withId(reviews, entry._id);
      reason = reviewReason(guide, review);
      if (guide && review) inputs = presentInputs(entry, guide, review);
    }
    // Only in the state that was read: a worker, or another command, may have it by now.
    const { _id, state, dueAt } = entry;
    if (!reason && !(await makeDue({ _id, state, dueAt }, inputs, now)))
      reason = "it has just changed";
    if (reason) to.refused.set(reason, (to.refused.get(reason) ?? 0) + 1);
    else to.due++;
  }
}

async function makeDue(filter: object, inputs: object, now: Date): Promise<boolean> {
  const retryUntil = new Date(now.getTime() + RETRY_MS);
  const { modifiedCount } = await Notification.updateOne(filter, {
    $set: { state: "pending", dueAt: now, retryUntil, attempts: 0, ...inputs },
    $unset: { endedAt: 1, lease: 1 },
  });
  return modifiedCount > 0;
}

/** Undefined if the entry can be sent again. */
function stateReason(entry: NotificationDocument, now: Date): string | undefined {
  const { state, kind, dueAt, lease, attempts } = entry;
  if (state === "sent") return "it has been sent already";
  if (state === "captured") return "it was captured, because there was no SENDGRID_API_KEY";
  if (kind === "account" && !entry.mail)
    return "its text has been removed; its reader can ask for a new link";
  if (state === "dead") return undefined;
  if (dueAt <= now) return "it is due already; a running site sends it";
  if (lease) return "it is being sent";
  if (attempts === 0) return `it has not been tried yet; it is due at ${dueAt.toISOString()}`;
  return undefined;
}

/** Undefined if the e-mail is still sent. */
function reviewReason(
  guide: UserDocument | undefined,
  review: ReviewDocument | undefined,
): string | undefined {
  if (!review) return "the review has been deleted";
  if (!guide?.email) return "the guide has no e-mail address";
  if (guide.reviewMails === "none") return "the guide wants no e-mails about reviews";
  return undefined;
}

/** The inputs that follow what has changed: the address, and in a daily e-mail the review as last edited. */
const presentInputs = (
  { kind }: ReviewNotification,
  { name, email }: UserDocument,
  review: ReviewDocument,
) =>
  asInputs({
    guideName: name,
    guideEmail: email,
    ...(kind === "digest" && reviewContent(review)),
  });

const withId = <Document extends { _id: Types.ObjectId }>(
  documents: Document[],
  id: Types.ObjectId,
) => documents.find(({ _id }) => _id.equals(id));
