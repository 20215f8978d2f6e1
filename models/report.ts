import { Schema, type Types } from "mongoose";
import { REASONS, type Reason } from "./case";
import { define } from "./define";

/** What somebody reported. Who they are and their words are removed with those of the case. */
export interface ReportDocument {
  _id: Types.ObjectId;
  caseId: Types.ObjectId;
  reason: Reason;
  /** Null when they were removed. */
  words: string | null;
  /** As the reporter gave it; null if not, or when it was removed. */
  name: string | null;
  /** Where they want to be told; null for nowhere, or when it was removed. */
  email: string | null;
  /** Whose it is: an account's id, or a keyed hash of the address; absent if neither is known, or when it was removed. */
  reporter?: string;
  at: Date;
  /** When the reporter has appealed; absent if not. */
  appealedAt?: Date;
}

const schema = new Schema<ReportDocument>({
  caseId: { type: Schema.Types.ObjectId, required: true },
  reason: { type: String, enum: REASONS, required: true },
  words: { type: String, default: null },
  name: { type: String, default: null },
  email: { type: String, default: null },
  reporter: String,
  at: { type: Date, required: true },
  appealedAt: Date,
});

// The reports of a case, oldest first: Report.find({ caseId }).sort({ _id: 1 })
schema.index({ caseId: 1, _id: 1 });
// Whether somebody has reported it: Report.exists({ caseId, reporter })
schema.index({ caseId: 1, reporter: 1 });
// What a reporter has reported before, also when the account is exported or deleted:
// Report.find({ reporter }).sort({ at: -1 }), and of all on a page of a case at once
schema.index({ reporter: 1, at: -1 }, { sparse: true });
// The public figures: Report.aggregate([{ $match: { at: { $gte: … } } }, …])
schema.index({ at: 1 });

export const Report = define("Report", "tourReviews.reports", schema);
