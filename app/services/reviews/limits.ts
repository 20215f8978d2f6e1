// What the pages share with the services. Apart from the schemas, so that zod stays out of the browser.

/** Longest comment, in characters (contract: "at most 5000 characters"). */
export const COMMENT_MAX_LENGTH = 5_000;

/** Orders of a tour's reviews, likewise. */
export const REVIEW_SORTS = ["newest", "highest", "lowest"] as const;

export type ReviewSort = (typeof REVIEW_SORTS)[number];

/** How long after its creation a review can be edited (spec.md, Limits). */
export const EDIT_WINDOW_MS = 24 * 60 * 60 * 1_000;
