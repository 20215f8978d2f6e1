import type { TourSort } from "~/search/tour-order.server";

export type { TourSort };

/** How tours can be ordered, the default first: how well they match is an order only for a search. */
export const tourSorts = (isSearch: boolean): readonly [TourSort, ...TourSort[]] =>
  isSearch ? ["match", "best", "reviewed", "newest"] : ["best", "reviewed", "newest"];

/** What a list of tours is asked for; its address names it. */
export interface ListQuery {
  /** As they were typed; empty for all tours. */
  words: string;
  sort: TourSort;
  page: number;
}

/** Missing and wrong values get the default. */
export function listQueryOf(search: URLSearchParams): ListQuery {
  const words = search.get("q")?.trim() ?? "";
  const sorts = tourSorts(words !== "");
  const sort = sorts.find((name) => name === search.get("sort")) ?? sorts[0];
  const page = /^[1-9]\d{0,5}$/.exec(search.get("page") ?? "");
  return { words, sort, page: page ? Number(page[0]) : 1 };
}

/** The address of a list, without what is the default. */
export function listAddress({ words, sort, page = 1 }: Partial<ListQuery>): string {
  const query = new URLSearchParams({
    ...(words && { q: words }),
    ...(sort && sort !== tourSorts(Boolean(words))[0] && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return query ? `/?${query}` : "/";
}
