import type { ReviewSort } from "../store/reviews/page.server";

// What the pages share with the services. Apart from the schemas, so that zod stays out of the browser.

/** Longest comment, in characters (docs/rules/reviews.md, Posting). */
export const COMMENT_MAX_LENGTH = 5_000;

/** Longest reply of a guide, in characters (docs/rules/replies.md, Replies). */
export const REPLY_MAX_LENGTH = 2_000;

/** What people write, and how long it may be. */
const LONGEST = { comment: COMMENT_MAX_LENGTH, reply: REPLY_MAX_LENGTH };
export type WrittenKind = keyof typeof LONGEST;
export const longestOf = (kind: WrittenKind) => LONGEST[kind];

/** What a form says of a comment or a reply that is too long; null for any other. */
export function overLength(text: string, kind: WrittenKind = "comment"): string | null {
  const over = [...text].length - longestOf(kind);
  if (over <= 0) return null;
  const characters = over === 1 ? "character" : "characters";
  return `Your ${kind} is ${over.toLocaleString("en-GB")} ${characters} too long.`;
}

/** What a reply's form says where nothing was written. */
export const NO_REPLY = "Write your reply.";

/** What a review's form says where no rating was chosen. */
export const NO_RATING = "Choose a rating from 1 to 5 stars.";

/** Longest Idempotency-Key, in characters. */
export const KEY_MAX_LENGTH = 255;

/** How long after its creation a review can be edited (docs/rules/reviews.md, Editing, check 6). */
export const EDIT_WINDOW_MS = 24 * 60 * 60 * 1_000;

/** Orders of a tour's reviews, by the name in the page's address; the first is the default. */
export const REVIEW_SORTS = ["newest", "highest", "lowest"] as const satisfies ReviewSort[];
export type { ReviewSort };
