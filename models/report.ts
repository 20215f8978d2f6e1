import { Schema, type Types } from "mongoose";
import { type ItemAddress, REASONS } from "./case";
import { define, type DocumentOf } from "./define";

/** A report that was not taken, because its address is suspended: its receipt is like any other. */
export interface NotTaken extends ItemAddress {
  tourId: Types.ObjectId;
  tag: string;
}

const fields = {
  /** Absent when it was not taken. */
  caseId: Schema.Types.ObjectId,
  notTaken: {
    type: {
      kind: String,
      reviewId: Schema.Types.ObjectId,
      tourId: Schema.Types.ObjectId,
      tag: String,
    },
    _id: false,
  },
  reason: { type: String, enum: REASONS, required: true },
  /** Null when they were removed. */
  words: { type: String, default: null },
  /** Null when the reporter gave none, or it was removed. */
  name: { type: String, default: null },
  /** The address to which the receipt was sent; null if it was not, or when it was removed. */
  email: { type: String, default: null },
  /** A keyed hash of `email`, also while nobody has proven it. */
  address: String,
  /** The account that had that address then, or was the first to leave it since: it is concerned, whoever has reported. */
  owner: String,
  /** Whether an earlier report of the case names it: decisions are told once for an address and case. */
  isRepeated: Boolean,
  /** When somebody opened it by the link of its e-mail, which proves the address; absent before. */
  openedAt: Date,
  /** An account's id, or `address` once that is proven; absent if neither is known, or when it was removed. */
  reporter: String,
  at: { type: Date, required: true },
  appealedAt: Date,
};

/** The reporter and their words are removed with those of the case. */
export type ReportDocument = DocumentOf<typeof fields, { notTaken?: NotTaken }>;

const schema = new Schema<ReportDocument>(fields);

// The reports of a case, oldest first: Report.find({ caseId }).sort({ _id: 1 })
schema.index({ caseId: 1, _id: 1 });
// Whether somebody has reported it: Report.exists({ caseId, reporter })
schema.index({ caseId: 1, reporter: 1 });
// Whether an address was named in the case: Report.exists({ caseId, address })
schema.index({ caseId: 1, address: 1 });
// Whether an account is concerned, and where, when it is deleted: Report.exists({ owner, caseId })
schema.index({ owner: 1, caseId: 1 }, { partialFilterExpression: { owner: { $gt: "" } } });
// Where an address is named, when its account is exported or deleted, or leaves it: Report.find({ address })
schema.index({ address: 1 }, { sparse: true });
// Earlier reports of a reporter, also for an account's export and deletion:
// Report.find({ reporter }).sort({ at: -1 }), and of all on a page of a case at once
schema.index({ reporter: 1, at: -1 }, { sparse: true });
// The public figures: Report.aggregate([{ $match: { at: { $gte: … } } }, …])
schema.index({ at: 1 });

export const Report = define("Report", "tourReviews.reports", schema);
