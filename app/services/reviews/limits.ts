// What the pages share with the services. Apart from the schemas, so that zod stays out of the browser.

/** Longest comment, in characters (contract: "at most 5000 characters"). */
export const COMMENT_MAX_LENGTH = 5_000;

/** Orders of the list of tours, by the name that its address uses; the first is the default. */
export const TOUR_SORTS = ["best", "reviewed", "newest"] as const;
export type TourSort = (typeof TOUR_SORTS)[number];

/** Orders of a tour's reviews, likewise. */
export const REVIEW_SORTS = ["newest", "highest", "lowest"] as const;
export type ReviewSort = (typeof REVIEW_SORTS)[number];
