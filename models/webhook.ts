import { Schema } from "mongoose";
import type { ChangeDocument } from "./change";
import { define, type DocumentOf } from "./define";

const KEPT_SECONDS = 30 * 24 * 60 * 60;

const fields = {
  /** A hash of the address, which may have a token in its query. */
  _id: { type: String, required: true },
  /** Without its query. */
  address: { type: String, required: true },
  /** All lines up to there are delivered, and a transaction under way can add none. */
  place: {
    type: { time: Date, tourId: Schema.Types.ObjectId, version: Number },
    _id: false,
    required: true,
  },
  /** The lines behind it that are delivered, too. */
  delivered: { type: [Schema.Types.ObjectId], default: [] },
  /** Nothing from before is sent. */
  since: { type: Date, required: true },
  /** When a process looks next, or takes over from the lease's holder. */
  dueAt: { type: Date, required: true },
  /** Only the holder of the present one records what is delivered. */
  lease: String,
  /** That failed since the last one that did not. */
  attempts: { type: Number, default: 0 },
  failure: String,
  /** Last named in the settings of a running site. */
  seenAt: { type: Date, required: true },
};

/** Where an address of WEBHOOK_URLS stands in the changes of all tours (docs/rules/webhooks.md). */
export type WebhookDocument = DocumentOf<
  typeof fields,
  { place: Pick<ChangeDocument, "time" | "tourId" | "version"> }
>;

const schema = new Schema<WebhookDocument>(fields);

// An address that returns to the settings goes on.
schema.index({ seenAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const Webhook = define("Webhook", "tourReviews.webhooks", schema);
