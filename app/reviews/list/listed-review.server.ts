import type { Ground } from "#models/case";
import type { ReplyDocument } from "#models/reply";
import type { ReviewDocument } from "#models/review";
import { type Authors, findAuthors } from "~/accounts/people.server";
import {
  findReplies,
  isPosted,
  type PublicReply,
  toPublicReply,
} from "~/reviews/replies/replies.server";
import { detectCommentLanguages } from "./commented.server";
import { type PublicReview, toPublicReview } from "./public-review.server";
import { type BookedVisit, findVisits } from "./visits.server";

/** A review as pages show it; times are in ISO 8601. */
export interface ListedReview extends PublicReview {
  /** Null when its author has never changed it. */
  editedAt: string | null;
  /** The language of its comment, as a BCP 47 tag; null when it is not certain. */
  language: string | null;
  /** Where searched words stand in its comment: beginnings and ends. */
  marks?: [number, number][];
  verified: boolean;
  /** When its author had last taken part before; null where no booking says. */
  visitedAt: string | null;
  /** Set when an operator has removed its comment. */
  redaction: { at: string; ground: Ground } | null;
  reply: ListedReply | null;
}

export interface ListedReply extends PublicReply {
  userId: string;
  /** Whether the review was changed after it. */
  outdated: boolean;
}

/** Rows that the caller has read already; they are not read again. */
interface ReadBefore {
  replies?: ReadonlyMap<string, ReplyDocument>;
  /** All of the reviews' authors. */
  bookings?: readonly BookedVisit[] | undefined;
}

/** Returns these reviews as pages show them, with nobody as their authors and their replies': see `withAuthors`. */
export async function toListedReviews(
  reviews: ReviewDocument[],
  { replies: readReplies, bookings }: ReadBefore = {},
): Promise<ListedReview[]> {
  const [replies, visits, languages] = await Promise.all([
    readReplies ?? findReplies(reviews.map(({ _id }) => _id)),
    findVisits(reviews, bookings),
    detectCommentLanguages(reviews),
  ]);
  return reviews.map((review, n) => {
    const { editedAt, redaction } = review;
    const id = review._id.toString();
    const found = replies.get(id) ?? null;
    const visit = visits.get(id);
    const reply = isPosted(found) ? found : null;
    return {
      ...toPublicReview(review, undefined),
      editedAt: editedAt?.toISOString() ?? null,
      language: languages[n] ?? null,
      // A platform may have completed the booking since this was last checked.
      verified: review.verified === true || visit !== undefined,
      visitedAt: visit?.toISOString() ?? null,
      redaction: redaction ? { at: redaction.at.toISOString(), ground: redaction.ground } : null,
      reply: reply
        ? {
            ...toPublicReply(reply, undefined),
            userId: reply.userId.toString(),
            outdated: (editedAt ?? 0) > (reply.editedAt ?? reply.createdAt),
          }
        : null,
    };
  });
}

/** An account that is gone has no name and no picture. */
export const withAuthors = (review: ListedReview, people: Authors): ListedReview => ({
  ...review,
  user: people.get(review.userId),
  reply: review.reply && { ...review.reply, user: people.get(review.reply.userId) },
});

export const authorIds = (reviews: readonly Pick<ListedReview, "userId" | "reply">[]): string[] =>
  reviews.flatMap(({ userId, reply }) => (reply ? [userId, reply.userId] : [userId]));

/** Returns these reviews with their authors and those of their replies, as they are named now. */
export async function withPeople(reviews: ListedReview[]): Promise<ListedReview[]> {
  const people = await findAuthors(authorIds(reviews));
  return reviews.map((review) => withAuthors(review, people));
}
