import type { ClientSession, Types } from "mongoose";
import type { CaseDocument, ItemAddress, Snapshot } from "#models/case";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Reply, type ReplyDocument } from "#models/reply";
import { type Mark, Review, type ReviewDocument } from "#models/review";
import { env } from "~/infra/env.server";
import { toObjectId } from "~/db/ids.server";
import { replyTag, toPublicReply } from "~/reviews/replies/replies.server";
import { tagOf } from "~/reviews/own-review.server";

/** A review or a reply as it is now. */
export interface Item extends ItemAddress {
  tourId: Types.ObjectId;
  authorId: Types.ObjectId;
  snapshot: Snapshot;
  /** The tag of its state. */
  tag: string;
  /**
   * - `shown`: everybody can read it
   * - `redacted`: without the words that an operator has removed
   * - `removed`: by an operator
   */
  state: "shown" | "redacted" | "removed";
  /** The operator's mark, unless it is `shown`. */
  mark: Pick<Mark, "at" | "caseId"> | null;
  /** The review that is meant, or that is replied to; null when it was removed. */
  review: ReviewDocument | null;
}

/** Longest address that is looked at, in characters. */
const ADDRESS_MAX_LENGTH = 1_000;

/**
 * The review or the reply that an address of this site is about: `/reviews/{id}`, with the fragment `#reply` of its
 * reply, or of a tour's page with `#review-{id}`. Null for any other text.
 */
export function readItemAddress(text: string): ItemAddress | null {
  const { appUrl } = env();
  if (text.length > ADDRESS_MAX_LENGTH || !URL.canParse(text, appUrl)) return null;
  const { pathname, hash } = new URL(text, appUrl);
  const segments = pathname.split("/");
  const ofPage = toObjectId(segments[segments.findIndex((name) => /^reviews$/i.test(name)) + 1]);
  if (ofPage) return { kind: hash === "#reply" ? "reply" : "review", reviewId: ofPage };
  const reviewId = hash.startsWith("#review-") ? toObjectId(hash.slice(8)) : null;
  return reviewId && { kind: "review", reviewId };
}

/** Returns the item as it is now; null when nobody may read it any more, and no operator has removed it. */
export async function findReportedContent(
  { kind, reviewId }: ItemAddress,
  session?: ClientSession,
): Promise<Item | null> {
  const review = await Review.findById(reviewId, null, { session }).lean<ReviewDocument>();
  if (kind === "reply") {
    const reply = await Reply.findById(reviewId, null, { session }).lean<ReplyDocument>();
    return review && reply && itemOfReply(review, reply);
  }
  if (review) return itemOfReview(review);
  const removed = await RemovedReview.findById(reviewId, null, {
    session,
  }).lean<RemovedReviewDocument>();
  return removed && itemOfRemoved(removed);
}

/** The tag of all that an operator sees of it: of the item, and of the reply to the review or the review that is replied to. */
export async function tagOfAll(
  { kind, reviewId }: ItemAddress,
  item: Item | null,
  session?: ClientSession,
): Promise<string> {
  const beside =
    kind === "reply"
      ? item?.review && tagOf(item.review)
      : tagOfReply(await Reply.findById(reviewId, null, { session }).lean<ReplyDocument>());
  return [item?.tag, beside].map((tag) => tag ?? "").join(" ");
}

const tagOfReply = (reply: ReplyDocument | null) =>
  reply && reply.text !== null
    ? replyTag(toPublicReply({ ...reply, text: reply.text }, null))
    : null;

/** Whether what everybody reads now differs from what was reported. */
export const isChanged = (
  { state, snapshot: now, tag }: Item,
  { snapshot: then, tag: tagThen }: Pick<CaseDocument, "snapshot" | "tag">,
): boolean =>
  state === "shown" &&
  // Without the words, which were removed, by the tag.
  (then ? now.text !== then.text || now.rating !== then.rating : tag !== tagThen);

function itemOfReview(review: ReviewDocument): Item {
  const { _id, tourId, userId, rating, comment, createdAt, editedAt, redaction } = review;
  return {
    kind: "review",
    reviewId: _id,
    tourId,
    authorId: userId,
    review,
    snapshot: { rating, text: comment || null, at: editedAt ?? createdAt },
    tag: tagOf(review),
    state: redaction ? "redacted" : "shown",
    mark: redaction ?? null,
  };
}

function itemOfReply(review: ReviewDocument, reply: ReplyDocument): Item | null {
  const { tourId, userId, text, createdAt, editedAt, hidden } = reply;
  if (text === null) return null;
  return {
    kind: "reply",
    reviewId: review._id,
    tourId,
    authorId: userId,
    review,
    snapshot: { rating: null, text, at: editedAt ?? createdAt },
    tag: replyTag(toPublicReply({ text, createdAt, editedAt }, null)),
    state: hidden ? "removed" : "shown",
    mark: hidden,
  };
}

function itemOfRemoved({
  _id,
  tourId,
  userId,
  review,
  removedAt,
  caseId,
}: RemovedReviewDocument): Item | null {
  // Its author has deleted it, or it was removed too long ago to come back.
  if (!review) return null;
  return {
    kind: "review",
    reviewId: _id,
    tourId,
    authorId: userId,
    review: null,
    snapshot: { rating: null, text: null, at: removedAt },
    tag: "",
    state: "removed",
    mark: { at: removedAt, caseId },
  };
}
