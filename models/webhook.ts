import { Schema, type Types } from "mongoose";
import type { ChangeDocument } from "./change";
import { define } from "./define";

/** Where an address of WEBHOOK_URLS stands in the changes of all tours (docs/rules/webhooks.md). */
export interface WebhookDocument {
  /** A hash of the address, which may have a token in its query. */
  _id: string;
  /** Without its query. */
  address: string;
  /** All lines up to there are delivered, and a transaction under way can add none. */
  place: Pick<ChangeDocument, "time" | "tourId" | "version">;
  /** The lines behind it that are delivered, too. */
  delivered: Types.ObjectId[];
  /** Nothing from before is sent. */
  since: Date;
  /** When a process looks next, or takes over from the lease's holder. */
  dueAt: Date;
  /** Only the holder of the present one records what is delivered. */
  lease?: string;
  /** That failed since the last one that did not. */
  attempts: number;
  failure?: string;
  /** Last named in the settings of a running site. */
  seenAt: Date;
}

const KEPT_SECONDS = 30 * 24 * 60 * 60;

const schema = new Schema<WebhookDocument>({
  _id: { type: String, required: true },
  address: { type: String, required: true },
  place: {
    type: { time: Date, tourId: Schema.Types.ObjectId, version: Number },
    _id: false,
    required: true,
  },
  delivered: { type: [Schema.Types.ObjectId], default: [] },
  since: { type: Date, required: true },
  dueAt: { type: Date, required: true },
  lease: String,
  attempts: { type: Number, default: 0 },
  failure: String,
  seenAt: { type: Date, required: true },
});

// An address that returns to the settings goes on.
schema.index({ seenAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const Webhook = define("Webhook", "tourReviews.webhooks", schema);
