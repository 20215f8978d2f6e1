export interface NumberedPage<Item> {
  items: Item[];
  /** From 1. */
  page: number;
  pages: number;
}

/** The page of that number, or the nearest one that exists. */
export function numberedPage<Item>(
  all: readonly Item[],
  number: number,
  size: number,
): NumberedPage<Item> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(1, Math.floor(number) || 1), pages);
  return { items: all.slice((page - 1) * size, page * size), page, pages };
}
