/** Orders of the list of tours, by the name that its address uses; the first is the default of a search. */
const SEARCH_SORTS = ["match", "best", "reviewed", "newest"] as const;

export type TourSort = (typeof SEARCH_SORTS)[number];

/** The orders that there are, the default first: how well tours match is one only for a search. */
export const tourSorts = (isSearch: boolean): readonly [TourSort, ...TourSort[]] =>
  isSearch ? SEARCH_SORTS : ["best", "reviewed", "newest"];
