import type { ClientSession, Types } from "mongoose";
import type { CaseDocument, ItemAddress, Snapshot } from "#models/case";
import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Reply, type ReplyDocument } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { env } from "~/config/env.server";
import { toObjectId } from "~/db/ids.server";
import { replyTag, toPublicReply } from "~/reviews/replies/replies.server";
import { storedReviewTag } from "~/reviews/own-review.server";

/** A review or a reply as it is now. */
export interface Item extends ItemAddress {
  tourId: Types.ObjectId;
  authorId: Types.ObjectId;
  snapshot: Snapshot;
  /** The tag of its state. */
  tag: string;
  /** Operators have taken the words of what is `redacted`, and all of what is `removed`. */
  state: "shown" | "redacted" | "removed";
  /** The case in which an operator did that; null when it is `shown`. */
  takenDownIn: Types.ObjectId | null;
  /** The review that is meant, or that is replied to; null when it was removed. */
  review: ReviewDocument | null;
}

/** Longest address that is read, in characters. */
const ADDRESS_MAX_LENGTH = 1_000;

/**
 * Returns the review or the reply that an address of this site is about: `/reviews/{id}`, with the fragment `#reply` of
 * its reply, or of a tour's page with `#review-{id}`. Null for any other text.
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
  const of = { kind, reviewId };
  const review = await Review.findById(reviewId, null, { session }).lean<ReviewDocument>();
  if (kind === "reply") {
    const reply = await findReply(reviewId, session);
    if (!review || !reply) return null;
    const { tourId, userId, text, createdAt, editedAt, hidden } = reply;
    return {
      ...of,
      tourId,
      authorId: userId,
      review,
      snapshot: { rating: null, text, at: editedAt ?? createdAt },
      tag: storedReplyTag(reply),
      state: hidden ? "removed" : "shown",
      takenDownIn: hidden?.caseId ?? null,
    };
  }
  if (review) {
    const { tourId, userId, rating, comment, createdAt, editedAt, redaction } = review;
    return {
      ...of,
      tourId,
      authorId: userId,
      review,
      snapshot: { rating, text: comment || null, at: editedAt ?? createdAt },
      tag: storedReviewTag(review),
      state: redaction ? "redacted" : "shown",
      takenDownIn: redaction?.caseId ?? null,
    };
  }
  const removed = await RemovedReview.findById(reviewId, null, {
    session,
  }).lean<RemovedReviewDocument>();
  // Without the review, its author has deleted it, or it was removed too long ago to come back.
  return removed?.review
    ? {
        ...of,
        tourId: removed.tourId,
        authorId: removed.userId,
        review: null,
        snapshot: { rating: null, text: null, at: removed.removedAt },
        tag: "",
        state: "removed",
        takenDownIn: removed.caseId,
      }
    : null;
}

/** Returns the reply to a review; null without one, or when its words were removed. */
async function findReply(reviewId: Types.ObjectId, session?: ClientSession) {
  const reply = await Reply.findById(reviewId, null, { session }).lean<ReplyDocument>();
  return reply && reply.text !== null ? { ...reply, text: reply.text } : null;
}

const storedReplyTag = (reply: ReplyDocument & { text: string }) =>
  replyTag(toPublicReply(reply, null));

/** Returns the tag of all that an operator sees: of the item, and of the reply to the review or the review that is replied to. */
export async function tagOfAll(
  { kind, reviewId }: ItemAddress,
  item: Item | null,
  session?: ClientSession,
): Promise<string> {
  const reply = kind === "reply" ? null : await findReply(reviewId, session);
  const review = kind === "reply" ? item?.review : null;
  const beside = reply ? storedReplyTag(reply) : review ? storedReviewTag(review) : "";
  return `${item?.tag ?? ""} ${beside}`;
}

/** Returns whether what everybody reads now differs from what was reported. */
export const isChanged = (
  { state, snapshot: now, tag }: Item,
  { snapshot: then, tag: tagThen }: Pick<CaseDocument, "snapshot" | "tag">,
): boolean =>
  state === "shown" &&
  // Without the words, which were removed, by the tag.
  (then ? now.text !== then.text || now.rating !== then.rating : tag !== tagThen);
