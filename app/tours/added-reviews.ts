import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { ReviewPage } from "~/reviews/list/page.server";
import { findPlace, keepPlace, LEAVING, onAny, READING } from "./kept-places";

/** The parts that "More reviews" has added below a page. */
interface Added {
  to: ReviewPage;
  parts: ReviewPage[];
  /** Whether the next part is on its way, or did not arrive. */
  next?: "loading" | "failed";
  /** The id of the first review that is new to the reader, who goes on there. */
  first?: string | undefined;
  /** In pixels from the top, when the reader left. */
  y?: number | undefined;
}

/**
 * A reader who comes back to the page finds the same parts and the same scroll position. `addressAfter` is the address
 * of the part after a cursor.
 */
export function useAddedReviews(page: ReviewPage, addressAfter: (cursor: string) => string) {
  const { key } = useLocation();
  const [stored, setAdded] = useState<Added>({ to: page, parts: [] });
  // Another selection, or a page that was loaded again, begins anew.
  const { parts, next } = stored.to === page ? stored : { parts: [] };
  const cursor = (parts.at(-1) ?? page).next;

  const more = async () => {
    if (!cursor || next === "loading") return;
    setAdded({ to: page, parts, next: "loading" });
    const part = await fetchPart(addressAfter(cursor));
    const added: Added = part
      ? { to: page, parts: [...parts, part], first: part.reviews[0]?.id }
      : { to: page, parts, next: "failed" };
    // An answer that arrives after another selection was chosen belongs to the previous one.
    setAdded((now) => (now.to === page ? added : now));
  };

  useEffect(() => {
    const { first, y } = stored;
    if (first) document.getElementById(`review-${first}`)?.focus({ preventScroll: true });
    if (y !== undefined) window.scrollTo({ top: y, behavior: "instant" });
  }, [stored]);

  useEffect(() => {
    if (parts.length === 0) return;
    const notePlace = () => {
      // While another page replaces this one, the window is that one's already.
      const { key: present } = (history.state ?? {}) as { key?: string };
      if (present === key) keepPlace({ key, parts: parts.length, y: window.scrollY });
    };
    notePlace();
    return onAny(LEAVING, notePlace);
  }, [key, parts.length]);

  useEffect(() => {
    const place = findPlace(key);
    if (!place || place.parts <= parts.length) return;
    let left = false;
    let isReading = false;
    const ignore = onAny(READING, () => (isReading = true));
    void fetchParts(page, place.parts, addressAfter).then((found) => {
      ignore();
      // A reader who has continued reading stays there.
      const y = isReading ? undefined : place.y;
      if (!left && found.length > 0) setAdded({ to: page, parts: found, y });
    });
    return () => {
      ignore();
      left = true;
    };
    // Once for each page that is opened or come back to; the address changes with the page.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, page]);

  return { parts, cursor, state: next, more };
}

/** The page of reviews at that address of the tour's page; null when there is no answer, or a bad one. */
async function fetchPart(address: string): Promise<ReviewPage | null> {
  const { pathname, search } = new URL(address, location.href);
  try {
    const answer = await fetch(`${pathname}/reviews${search}`);
    return answer.ok ? ((await answer.json()) as ReviewPage) : null;
  } catch {
    return null;
  }
}

/** The next parts behind a page, as they are now; fewer when there are no more, or no answer. */
async function fetchParts(
  page: ReviewPage,
  count: number,
  addressAfter: (cursor: string) => string,
) {
  const parts: ReviewPage[] = [];
  let last = page;
  while (last.next && parts.length < count) {
    const part = await fetchPart(addressAfter(last.next));
    if (!part) break;
    parts.push(part);
    last = part;
  }
  return parts;
}
