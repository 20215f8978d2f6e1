import { Webhook } from "#models/webhook";

/** An address had a place in the log of changes: what stands behind it has not been sent. */
export async function queueEvents(): Promise<void> {
  await Webhook.collection.updateMany({ place: { $exists: true } }, [
    { $set: { from: "$place.time" } },
    { $unset: ["place", "delivered"] },
  ]);
}
