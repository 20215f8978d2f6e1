import { HOUR_MS } from "~/lib/durations";

// Shared by pages and services. Apart from the schemas, so that zod stays out of the browser.

export const COMMENT_MAX_LENGTH = 5_000;

export const REPLY_MAX_LENGTH = 2_000;

const LONGEST = { comment: COMMENT_MAX_LENGTH, reply: REPLY_MAX_LENGTH };
export type WrittenKind = keyof typeof LONGEST;
export const longestText = (kind: WrittenKind) => LONGEST[kind];

/** Null when the text is not too long. */
export function overLength(text: string, kind: WrittenKind = "comment"): string | null {
  const over = [...text].length - longestText(kind);
  if (over <= 0) return null;
  const characters = over === 1 ? "character" : "characters";
  return `Your ${kind} is ${over.toLocaleString("en-GB")} ${characters} too long.`;
}

export const NO_REPLY = "Write your reply.";

export const NO_RATING = "Choose a rating from 1 to 5 stars.";

export const KEY_MAX_LENGTH = 255;

/** (docs/rules/reviews.md, Editing, check 6) */
export const EDIT_WINDOW_MS = 24 * HOUR_MS;

/** A longer search, in characters, is cut on pages and refused by the API. */
export const LONGEST_SEARCH = 200;

/** Orders of a tour's reviews, by the name in the page's address; the first is the default. */
export const REVIEW_SORTS = ["newest", "highest", "lowest", "telling"] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];
