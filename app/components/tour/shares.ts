/** The share of one number of stars. */
interface Share {
  /** Of all reviews, in per cent. */
  width: number;
  /** The same to whole numbers: "62%". */
  text: string;
}

/**
 * The share of each of these counts in all reviews. The whole numbers are rounded so that they add up to those of
 * all (the largest remainders go up); only a share of all is 100% and only one of nothing 0%. Null where nothing is
 * counted, as on a tour of a platform that counts no stars.
 */
export function sharesOf(counts: readonly number[], reviewCount: number): Share[] | null {
  const rated = counts.reduce((sum, count) => sum + count, 0);
  if (rated === 0) return null;
  // A platform may have counted fewer reviews than stars.
  const all = Math.max(rated, reviewCount);
  const parts = [...counts, all - rated].map((count, index) => {
    const width = (100 * count) / all;
    return { index, count, width, whole: Math.floor(width) };
  });
  const missing = 100 - parts.reduce((sum, { whole }) => sum + whole, 0);
  const byRemainder = [...parts].sort((a, b) => b.width - b.whole - (a.width - a.whole));
  for (const part of byRemainder.slice(0, missing)) part.whole++;
  return parts
    .slice(0, counts.length)
    .map(({ count, width, whole }) => ({ width, text: inWords(count, all, whole) }));
}

function inWords(count: number, all: number, whole: number): string {
  if (count > 0 && whole === 0) return "<1%";
  return count < all && whole === 100 ? ">99%" : `${whole}%`;
}
