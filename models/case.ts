import { Schema, type Types } from "mongoose";
import { define, type DocumentOf } from "./define";

export const ITEM_KINDS = ["review", "reply"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** A review or a reply, by the id of the review that it is or belongs to. */
export interface ItemAddress {
  kind: ItemKind;
  reviewId: Types.ObjectId;
}

export const itemKey = ({ kind, reviewId }: ItemAddress) => `${kind} ${reviewId.toString()}`;

/** Why something is reported (docs/rules/moderation.md, Reports). */
export const REASONS = [
  "danger",
  "unlawful",
  "personal-data",
  "other-tour",
  "advantage",
  "hateful",
  "off-topic",
  "other",
] as const;
export type Reason = (typeof REASONS)[number];

/** On what a decision is based: a reason, the order of an authority, or that nothing is wrong. */
export const GROUNDS = [...REASONS, "order", "allowed"] as const;
export type Ground = (typeof GROUNDS)[number];

/** (docs/rules/moderation.md, Decisions) */
export const ACTIONS = ["keep", "redact", "remove", "restore"] as const;
export type Action = (typeof ACTIONS)[number];

export const PARTIES = ["author", "reporter"] as const;
export type Party = (typeof PARTIES)[number];

/** The text of a review or a reply as it was written at that time. */
export interface Snapshot {
  /** Null for a reply, and for a review without a rating that counts. */
  rating: number | null;
  text: string | null;
  at: Date;
}

export interface CaseDecision {
  /** The same as of its row in the log. */
  _id: Types.ObjectId;
  at: Date;
  operatorId: Types.ObjectId;
  action: Action;
  ground: Ground;
  /** Null when it was removed. */
  explanation: string | null;
  /** The authority and the file number of its order; null without one. */
  reference: string | null;
  onAppeal: boolean;
}

export interface Appeal {
  by: Party;
  /** Null when it was removed. */
  text: string | null;
  at: Date;
}

/**
 * - `open`: waits for a decision
 * - `appealed`: was decided, and waits for a decision about an appeal
 * - `decided`
 */
export type CaseState = "open" | "appealed" | "decided";

const id = { type: Schema.Types.ObjectId, required: true };
const text = { type: String, default: null };

const fields = {
  kind: { type: String, enum: ITEM_KINDS, required: true },
  /** The review, also where its reply is reported. */
  reviewId: id,
  tourId: id,
  authorId: id,
  state: { type: String, enum: ["open", "appealed", "decided"] as const, required: true },
  /** The item's `itemKey` while it is open. */
  openKey: String,
  /** Danger to somebody's life comes first: 0, or 1 for everything else. */
  rank: { type: Number, required: true },
  /** Since when it waits, or when it was decided. */
  since: { type: Date, required: true },
  openedAt: { type: Date, required: true },
  /** It increases with every decision and the first appeal to one: it names the state that somebody has seen. */
  version: { type: Number, required: true },
  reports: { type: Number, required: true },
  reasons: [{ type: String, enum: REASONS }],
  /** The tag of the text as it was reported, or when it was last decided about. */
  tag: { type: String, required: true },
  /** Null when it was removed. */
  snapshot: { type: { rating: { type: Number, default: null }, text, at: Date }, _id: false },
  decisions: [
    {
      at: Date,
      operatorId: Schema.Types.ObjectId,
      action: { type: String, enum: ACTIONS },
      ground: { type: String, enum: GROUNDS },
      explanation: text,
      reference: text,
      onAppeal: Boolean,
    },
  ],
  appeals: { type: [{ by: { type: String, enum: PARTIES }, text, at: Date }], _id: false },
  /** The words that a redaction took from the review, while they can come back. */
  removedText: String,
  /** The report after which reporters are told next of the last decision; absent when all are. */
  toldAfter: Schema.Types.ObjectId,
  /** When its words are removed; absent when an appeal waits, or they are gone. */
  endsAt: Date,
  /** When somebody was last warned or suspended because of it: written, so that a decision of that moment conflicts. */
  weighedAt: Date,
};

/** Reports of one item, and what was decided about them. Its words are removed at `endsAt`; the log has none. */
export type CaseDocument = DocumentOf<
  typeof fields,
  { rank: 0 | 1; snapshot: Snapshot | null; decisions: CaseDecision[]; appeals: Appeal[] }
>;

const schema = new Schema<CaseDocument>(fields);

// One open case of an item, which further reports join.
schema.index({ openKey: 1 }, { unique: true, sparse: true });
// The queue: Case.find({ state }).sort({ rank: 1, since: 1, _id: 1 })
schema.index({ state: 1, rank: 1, since: 1, _id: 1 });
// The cases of an item, latest first, and what was decided about a review: Case.find({ reviewId, kind }).sort({ openedAt: -1 })
schema.index({ reviewId: 1, kind: 1, openedAt: -1 });
// The decisions about an author: Case.find({ authorId }).sort({ openedAt: -1 })
schema.index({ authorId: 1, openedAt: -1 });
// Cases whose reporters are being told: Case.find({ toldAfter: { $gt: … } })
schema.index({ toldAfter: 1 }, { sparse: true });
// Cases whose words are to be removed: Case.find({ endsAt: { $lte: now } })
schema.index({ endsAt: 1 }, { sparse: true });

export const Case = define("Case", "tourReviews.cases", schema);
