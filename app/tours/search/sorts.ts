import type { TourSort } from "~/search/tour-order.server";

/** The first is the default of a search. */
const SEARCH_SORTS = ["match", "best", "reviewed", "newest"] as const satisfies TourSort[];

export type { TourSort };

/** The default first: how well tours match is an order only for a search. */
export const tourSorts = (isSearch: boolean): readonly [TourSort, ...TourSort[]] =>
  isSearch ? SEARCH_SORTS : ["best", "reviewed", "newest"];
