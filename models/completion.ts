import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

/** How long it is known what a guide did, in seconds: longer than it can be undone, to say why not. */
const KEPT_SECONDS = 24 * 60 * 60;

const fields = {
  tourId: { type: Schema.Types.ObjectId, required: true },
  /** The departure's date; null for a tour without any. */
  date: { type: Date, default: null },
  completed: { type: [Schema.Types.ObjectId], required: true },
  absent: { type: [Schema.Types.ObjectId], required: true },
  completedAt: { type: Date, required: true },
  undoneAt: { type: Date, default: null },
};

/** The bookings of a departure that a guide has marked as completed. */
export type CompletionDocument = DocumentOf<typeof fields>;

const schema = new Schema<CompletionDocument>(fields);

// Completions that a guide can still undo: Completion.find({ tourId: { $in }, completedAt: { $gte } })
schema.index({ tourId: 1, completedAt: 1 });
// The database itself removes old ones.
schema.index({ completedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const Completion = define("Completion", "tourReviews.completions", schema);
