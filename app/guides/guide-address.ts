import { useSearchParams } from "@remix-run/react";
import type { GuideQuery } from "./guide-overview.server";

/** Missing and wrong values get the default. */
export function guideQueryOf(search: URLSearchParams): GuideQuery {
  const numberOf = (list: string) => Number(search.get(list));
  const stars = /^[1-5]$/.exec(search.get("stars") ?? "");
  return {
    tours: numberOf("tours"),
    open: numberOf("open"),
    upcoming: numberOf("upcoming"),
    past: numberOf("past"),
    all: search.get("all") ?? "",
    tour: search.get("tour") || null,
    stars: stars && Number(stars[0]),
    sort: search.get("sort") === "newest" ? "newest" : "unanswered",
    after: search.get("after"),
    reply: search.get("reply"),
  };
}

/**
 * Returns a function that makes the page's address with other values of some parameters, null for none; `anchor` is
 * the id of what it leads to.
 */
export function useGuideAddress(): (
  changed: Record<string, string | number | null>,
  anchor: string,
) => string {
  const [shown] = useSearchParams();
  return (changed, anchor) => {
    const query = new URLSearchParams(shown);
    for (const [name, value] of Object.entries(changed))
      if (value === null) query.delete(name);
      else query.set(name, String(value));
    return `/guide${query.size > 0 ? `?${query.toString()}` : ""}#${anchor}`;
  };
}

/** The value of a page's parameter, which the first page does without. */
export const pageParam = (page: number) => (page === 1 ? null : page);
