/** Orders of the list of tours, by the name that its address uses; the first is the default. */
export const TOUR_SORTS = ["best", "reviewed", "newest"] as const;

export type TourSort = (typeof TOUR_SORTS)[number];
