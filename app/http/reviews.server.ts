import { type PublicReview, reviewTag } from "../services/reviews/public-review.server";
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

/** The headers of an answer that is one review: its entity tag, for If-Match. */
export const reviewHeaders = (review: PublicReview) =>
  new Headers({ ETag: `"${reviewTag(review)}"` });

/**
 * The entity tags of the request's If-Match (docs/rules.md, If-Match); `undefined` when any state
 * will do. Weak tags are left out, since they never match (RFC 9110, 13.1.1).
 */
export function ifMatchOf(request: Request): string[] | undefined {
  const header = request.headers.get("If-Match");
  if (header === null || header.trim() === "*") return undefined;
  return header.split(",").flatMap((tag) => /^"([^"]*)"$/.exec(tag.trim())?.[1] ?? []);
}
