import type { TourSort } from "../../store/tour-index/tour-order.server";

/** Orders of the list of tours, by the name that its address uses; the first is the default of a search. */
const SEARCH_SORTS = ["match", "best", "reviewed", "newest"] as const satisfies TourSort[];

export type { TourSort };

/** The orders that there are, the default first: how well tours match is one only for a search. */
export const tourSorts = (isSearch: boolean): readonly [TourSort, ...TourSort[]] =>
  isSearch ? SEARCH_SORTS : ["best", "reviewed", "newest"];
