import { Schema, type Types } from "mongoose";
import { define, type DocumentOf } from "./define";

/** An account with all that it can do, or reporting. */
export const SANCTION_SCOPES = ["account", "reports"] as const;
export type SanctionScope = (typeof SANCTION_SCOPES)[number];

export const SANCTION_KINDS = ["warning", "suspension"] as const;
export type SanctionKind = (typeof SANCTION_KINDS)[number];

/** The outcome of an appeal, or of an operator's own decision to take a sanction back. */
export interface SanctionOutcome {
  at: Date;
  operatorId: Types.ObjectId;
  stands: boolean;
  /** Null when it was removed. */
  explanation: string | null;
}

const id = { type: Schema.Types.ObjectId, required: true };
const text = { type: String, default: null };

const fields = {
  /** An account's id, or a keyed hash of the address of somebody who reports; absent when it was removed. */
  subject: String,
  scope: { type: String, enum: SANCTION_SCOPES, required: true },
  kind: { type: String, enum: SANCTION_KINDS, required: true },
  /** It counts those of the subject and scope, so that of two operators only one adds the next. */
  number: { type: Number, required: true },
  at: { type: Date, required: true },
  /** The end of a suspension; null for a warning. */
  until: { type: Date, default: null },
  operatorId: id,
  /** The case on whose page it was decided. */
  caseId: id,
  /** The cases whose decisions it stands on. When none of these stands any more, it is taken back. */
  caseIds: [Schema.Types.ObjectId],
  /** When a decision of one of them was last taken back: written, so that two at once conflict. */
  weighedAt: Date,
  /** Null when it was removed. */
  explanation: text,
  /** Where somebody without an account is told; null for an account, or when it was removed. */
  email: text,
  /** A keyed hash of the suspended account's address, which can have no new account meanwhile. */
  address: String,
  appeal: { type: { text, at: Date }, _id: false, default: null },
  outcome: {
    type: { at: Date, operatorId: Schema.Types.ObjectId, stands: Boolean, explanation: text },
    _id: false,
    default: null,
  },
  /** When the appeal that waits came. */
  waitsSince: Date,
  /** When its words are removed; absent when an appeal waits, or they are gone. */
  endsAt: Date,
};

/** A warning or a suspension for repeated misuse. Its words, and whose it is, are removed at `endsAt`. */
export type SanctionDocument = DocumentOf<
  typeof fields,
  { appeal: { text: string | null; at: Date } | null; outcome: SanctionOutcome | null }
>;

const schema = new Schema<SanctionDocument>(fields);

// One sanction of each number, and all of somebody, latest first: Sanction.find({ subject, scope }).sort({ number: -1
// })
schema.index(
  { subject: 1, scope: 1, number: -1 },
  { unique: true, partialFilterExpression: { subject: { $gt: "" } } },
);
// A sign-up looks whether the address is suspended: Sanction.find({ address, until: { $gt: now } })
schema.index({ address: 1, until: 1 }, { sparse: true });
// Appeals, oldest first: Sanction.find({ waitsSince: { $gt: … } }).sort({ waitsSince: 1, _id: 1 })
schema.index({ waitsSince: 1, _id: 1 }, { sparse: true });
// Sanctions that stand on a decision: Sanction.find({ caseIds })
schema.index({ caseIds: 1 });
// Sanctions whose words are to be removed: Sanction.find({ endsAt: { $lte: now } })
schema.index({ endsAt: 1 }, { sparse: true });
// The public figures: Sanction.aggregate([{ $match: { at: { $gte: … } } }, …])
schema.index({ at: 1 });

export const Sanction = define("Sanction", "tourReviews.sanctions", schema);
