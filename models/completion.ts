import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** How long it is known what a guide did, in seconds: longer than it can be undone, to say why not. */
const KEPT_SECONDS = 24 * 60 * 60;

/** The bookings of a departure that a guide has marked as completed. */
export interface CompletionDocument {
  _id: Types.ObjectId;
  tourId: Types.ObjectId;
  /** The departure's date; null for a tour without any. */
  date: Date | null;
  completed: Types.ObjectId[];
  absent: Types.ObjectId[];
  completedAt: Date;
  undoneAt: Date | null;
}

const schema = new Schema<CompletionDocument>({
  tourId: { type: Schema.Types.ObjectId, required: true },
  date: { type: Date, default: null },
  completed: { type: [Schema.Types.ObjectId], required: true },
  absent: { type: [Schema.Types.ObjectId], required: true },
  completedAt: { type: Date, required: true },
  undoneAt: { type: Date, default: null },
});

// Those that a guide can still undo: Completion.find({ tourId: { $in }, completedAt: { $gte } })
schema.index({ tourId: 1, completedAt: 1 });
// The database itself removes old ones.
schema.index({ completedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const Completion = define("Completion", "tourReviews.completions", schema);
