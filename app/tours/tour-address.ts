import { LONGEST_SEARCH, REVIEW_SORTS, type ReviewSort } from "~/lib/review-limits";
import { tourPath } from "~/ui/paths";

/** Fewest reviews that can be sorted and searched: fewer are read faster. */
export const SORTED_FROM = 5;

/** Which of a tour's reviews a page shows, and in which order; null `stars` means all ratings. */
export interface Selection {
  stars: number | null;
  commented: boolean;
  sort: ReviewSort;
  /** Searched in the comments, as they were typed; empty for all reviews. */
  words: string;
  /** The language of the comments, as a BCP 47 tag; null for all. */
  language: string | null;
}

/** The selection that a page's address names; missing and wrong values get the default. */
export function readSelection(search: URLSearchParams): Selection {
  const stars = /^[1-5]$/.exec(search.get("stars") ?? "");
  return {
    stars: stars && Number(stars[0]),
    commented: search.get("comments") === "1",
    sort: REVIEW_SORTS.find((name) => name === search.get("sort")) ?? REVIEW_SORTS[0],
    words: (search.get("q") ?? "").trim().slice(0, LONGEST_SEARCH),
    language: /^[a-z]{2,3}$/.exec(search.get("lang") ?? "")?.[0] ?? null,
  };
}

/** Whether the page shows all reviews, in whichever order. */
export const isAll = ({ stars, commented, words, language }: Selection): boolean =>
  stars === null && !commented && words === "" && language === null;

/** The address from the cursor `after` on. Defaults are left out. */
export function reviewsAddress(
  slug: string,
  { stars, commented, sort, words, language, after }: Selection & { after?: string },
): string {
  const query = new URLSearchParams({
    ...(words && { q: words }),
    ...(language && { lang: language }),
    ...(stars && { stars: String(stars) }),
    ...(commented && { comments: "1" }),
    ...(sort !== REVIEW_SORTS[0] && { sort }),
    ...(after && { after }),
  }).toString();
  return `${tourPath(slug)}${query && `?${query}`}#reviews`;
}
