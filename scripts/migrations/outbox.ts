import { RETRY_MS } from "~/mail/outbox.server";
import { Notification, type NotificationState } from "#models/notification";

/**
 * Brings the e-mails that an earlier version has left in the outbox, at `now`, into the form of
 * models/notification.ts: those that wait will be sent, and those that have ended get the time of their end. Does
 * nothing the second time.
 */
export async function migrateOutbox(now = new Date()): Promise<void> {
  const retryUntil = new Date(now.getTime() + RETRY_MS);
  // Not through the model, because its schema does not know the earlier fields.
  const { collection } = Notification;
  const earlier = { kind: null };
  // The earlier version promised to try these again at the next start.
  await collection.updateMany(
    {
      ...earlier,
      state: "dead",
      credentialsRefused: true,
      createdAt: { $gt: new Date(now.getTime() - RETRY_MS) },
    },
    { $set: { state: "pending", dueAt: now } },
  );
  const states: Record<string, NotificationState> = {
    pending: "pending",
    sent: "sent",
    kept: "captured",
    dead: "dead",
  };
  for (const [before, state] of Object.entries(states))
    await collection.updateMany({ ...earlier, state: before }, [
      {
        $set: {
          kind: { $cond: ["$digest", "digest", "review"] },
          state,
          retryUntil,
          // This was the end of the lease under which it ended.
          ...(state !== "pending" && { endedAt: { $ifNull: ["$sentAt", "$dueAt"] } }),
          // All that a digest reports have this in common.
          ...(state === "captured" && {
            lease: {
              $cond: [
                "$digest",
                { $concat: [{ $toString: "$guideId" }, " ", { $toString: "$dueAt" }] },
                { $toString: "$_id" },
              ],
            },
          }),
        },
      },
      { $unset: ["digest", "sentAt", "credentialsRefused"] },
    ]);
}
