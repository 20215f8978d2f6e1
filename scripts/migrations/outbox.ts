import { RETRY_MS } from "../../app/services/notifications/outbox.server";
import { Notification, type NotificationState } from "../../models/notification";

/**
 * Brings what an earlier version has left in the outbox, at `now`, into the form of models/notification.ts: an
 * e-mail that waits is sent, and what has ended gets its end. Does nothing the second time.
 */
export async function migrateOutbox(now = new Date()): Promise<void> {
  const retryUntil = new Date(now.getTime() + RETRY_MS);
  // Not through the model, whose schema does not know the earlier fields.
  const { collection } = Notification;
  const earlier = { kind: null };
  // It promised to try these again at the next start.
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
          // The lease that it ended under had this end.
          ...(state !== "pending" && { endedAt: { $ifNull: ["$sentAt", "$dueAt"] } }),
          // What a digest told of had that in common.
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
