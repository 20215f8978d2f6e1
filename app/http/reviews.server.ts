import { entityTag } from "../infra/digest.server";
import { FormError } from "../infra/errors.server";
import { NO_RATING, overLength } from "../services/limits";
import {
  type AnsweredReview,
  type PublicReply,
  type PublicReview,
  replyTag,
  reviewTag,
} from "../services/reviews/read.server";
import { type ApiAnswer, answerOf } from "./api-route.server";
import { text } from "./forms.server";

// What the routes of reviews share.

/**
 * A review's form as the body of a POST or PATCH: the rating as a number, absent when none was
 * chosen; the comment trimmed, with `\n` as its line break, where forms send `\r\n`.
 */
export function reviewForm(form: FormData): { rating?: number; comment: string } {
  const rating = text(form, "rating");
  return {
    ...(rating && { rating: Number(rating) }),
    comment: text(form, "comment").replaceAll("\r\n", "\n").trim(),
  };
}

/** A refusal of a review's fields in words for the form's reader; any other error as it is. */
export function inWordsOfForm(error: unknown, { comment }: { comment: string }): unknown {
  if (!(error instanceof FormError)) return error;
  return new FormError({
    ...("rating" in error.fields && { rating: NO_RATING }),
    ...("comment" in error.fields && { comment: overLength(comment) ?? error.fields.comment }),
  });
}

/** The headers of an answer that is one review: its entity tag, for If-Match. */
export const reviewHeaders = (review: PublicReview) => new Headers({ ETag: reviewETag(review) });

/** The entity tag of a review's state as a header has it; with its reply, that of both. */
export const reviewETag = (review: PublicReview | AnsweredReview) =>
  "reply" in review
    ? `"${entityTag(reviewTag(review) + (review.reply && replyTag(review.reply)))}"`
    : `"${reviewTag(review)}"`;

/** The headers of an answer that is one reply: its entity tag, for If-Match. */
export const replyHeaders = (reply: PublicReply) => new Headers({ ETag: `"${replyTag(reply)}"` });

/**
 * Answers a GET of a resource with this tag: the JSON that `body` makes, or 304 to a client that has it already.
 * Clients may cache it, but must revalidate it each time.
 */
export function revalidated(
  request: Pick<Request, "headers">,
  etag: string,
  body: () => ApiAnswer["body"],
): ApiAnswer {
  const headers = { ETag: etag, "Cache-Control": "no-cache" };
  return isKnown(request, etag)
    ? answerOf(null, { status: 304, headers })
    : answerOf(body(), { headers });
}

/**
 * Whether the request's If-None-Match names the tag, so that the client already has this state;
 * compared weakly (RFC 9110, 13.1.2).
 */
export function isKnown(request: Pick<Request, "headers">, etag: string): boolean {
  const known = request.headers.get("If-None-Match");
  if (known?.trim() === "*") return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return known?.split(",").some((tag) => opaque(tag) === opaque(etag)) ?? false;
}

/**
 * The entity tags of the request's If-Match (docs/rules/reviews.md, If-Match); `undefined` when any state
 * will do. Weak tags are left out, since they never match (RFC 9110, 13.1.1).
 */
export function ifMatchOf(request: Pick<Request, "headers">): string[] | undefined {
  const header = request.headers.get("If-Match");
  if (header === null || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => /^"([^"]*)"$/.exec(tag.trim())?.[1] ?? []);
}
