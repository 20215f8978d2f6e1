import { useSearchParams } from "@remix-run/react";

/**
 * Returns a function that makes the address of another page of one of the guide's lists and leaves
 * the other lists as they are; `anchor` is the id of that list's heading.
 */
export function useGuideAddress(): (list: string, page: number, anchor: string) => string {
  const [shown] = useSearchParams();
  return (list, page, anchor) => {
    const query = new URLSearchParams(shown);
    if (page === 1) query.delete(list);
    else query.set(list, String(page));
    return `/guide${query.size > 0 ? `?${query.toString()}` : ""}#${anchor}`;
  };
}
