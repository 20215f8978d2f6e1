import { Notification, type NotificationDocument } from "#models/notification";
import { inTransaction } from "~/db/transaction.server";
import { log } from "~/lib/log.server";
import { retryUntil } from "./outbox.server";
import { findPair } from "./pair.server";
import { countRefused, takeApart, whenToSend } from "./review-requests.server";

/** When an e-mail that is put off is due again, and why. */
type PutOff = Pick<NotificationDocument, "dueAt" | "failure"> & { retryUntil?: Date };

/**
 * Checks an e-mail once more before it is sent. Deletes one about what is gone, and puts off one too many of a pair
 * (docs/rules/mail.md, Notifications) and one that asks at night (docs/rules/review-requests.md, The e-mail).
 */
export async function checkBeforeSending(
  leased: NotificationDocument,
  now: Date,
): Promise<"due" | "dropped" | PutOff> {
  const { _id, kind } = leased;
  if (kind === "account" && leased.asks) return checkRequests(leased, leased.asks, now);
  const pair = await findPair(leased);
  if (pair === "none") return "due";
  if (pair === "gone") {
    await inTransaction((session) => deleteLeased(leased, session));
    log.info({ mail: _id, kind }, "e-mail dropped: what it tells of is gone");
    return "dropped";
  }
  const dueAt = await pair.limit.take(pair.key, _id.toString(), now);
  return dueAt ? { dueAt, retryUntil: retryUntil(dueAt), failure: pair.tooMany } : "due";
}

async function checkRequests(leased: NotificationDocument, asks: string[], now: Date) {
  const sending = await whenToSend(asks, now);
  if ("at" in sending)
    return sending.at > now
      ? { dueAt: sending.at, failure: "it is night where the tour is" }
      : "due";
  const { checked } = sending;
  await inTransaction(async (session) => {
    if ((await deleteLeased(leased, session)) && checked) await takeApart(checked, now, session);
  });
  countRefused(checked?.refused ?? []);
  log.info({ mail: leased._id }, "e-mail dropped: a review in it is not asked for any more");
  return "dropped";
}

const deleteLeased = async (
  { _id, lease }: NotificationDocument,
  session: Parameters<typeof takeApart>[2],
): Promise<boolean> =>
  (await Notification.deleteOne({ _id, lease }, { session })).deletedCount === 1;
