import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const KEPT_SECONDS = 30 * 24 * 60 * 60;

const fields = {
  /** A hash of the address, which may have a token in its query. */
  _id: { type: String, required: true },
  /** Without its query. */
  address: { type: String, required: true },
  /** Its first start: it is told of changes from then on. */
  since: { type: Date, required: true },
  /**
   * Changes from then on are still looked for in the log: those of processes that did not know of the address yet.
   * Absent once that is done.
   */
  from: Date,
  /** When its next event may be sent, or a process takes over from the lease's holder. */
  dueAt: { type: Date, required: true },
  /** Only the holder of the present one delivers and records. */
  lease: String,
  /** Attempts that have failed since the last successful one, and the one under way. */
  attempts: { type: Number, default: 0 },
  failure: String,
  /** Last named in the settings of a running site. */
  seenAt: { type: Date, required: true },
};

/** An address of WEBHOOK_URLS, whose events wait in the outbox (docs/rules/webhooks.md). */
export type WebhookDocument = DocumentOf<typeof fields>;

const schema = new Schema<WebhookDocument>(fields);

// An address that returns to the settings goes on.
schema.index({ seenAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const Webhook = define("Webhook", "tourReviews.webhooks", schema);
