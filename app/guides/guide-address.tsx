import { useSearchParams } from "@remix-run/react";
import type { NumberedPage } from "~/lib/numbered-pages";
import { PageLinks } from "~/ui/page-links";

export type GuideQuery = ReturnType<typeof readGuideQuery>;

/** Reads the numbers of pages, and which reviews; missing and wrong values get the default. */
export function readGuideQuery(search: URLSearchParams) {
  const pageNumber = (list: string) => Number(search.get(list));
  const stars = /^[1-5]$/.exec(search.get("stars") ?? "");
  return {
    tours: pageNumber("tours"),
    open: pageNumber("open"),
    upcoming: pageNumber("upcoming"),
    past: pageNumber("past"),
    /** The key of the departure of which all explorers are to be named. */
    all: search.get("all") ?? "",
    tour: search.get("tour") || null,
    stars: stars && Number(stars[0]),
    /** The order of reviews: those without a reply first and among them those with a comment; or all newest first. */
    sort: search.get("sort") === "newest" ? ("newest" as const) : ("unanswered" as const),
    after: search.get("after"),
    /** The id of the review that is being answered or was answered just now, which stays where it is. */
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

interface ListPagesProps {
  /** The list's parameter in the address, and the id of its heading. */
  name: string;
  label: string;
  list: NumberedPage<unknown>;
}

/** Links to the other pages of a list. */
export function ListPages({ name, label, list }: ListPagesProps) {
  const address = useGuideAddress();
  return (
    <PageLinks
      {...list}
      label={label}
      to={(page) => address({ [name]: page === 1 ? null : page }, name)}
    />
  );
}
