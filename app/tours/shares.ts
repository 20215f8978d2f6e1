interface Share {
  /** Of all reviews, in per cent. */
  width: number;
  /** The same to a whole number: "62%". */
  text: string;
}

/**
 * Each is rounded on its own: they need not add up to 100. Null where nothing is counted, as on a tour of a platform
 * that counts no stars.
 */
export function sharesOf(counts: readonly number[], reviewCount: number): Share[] | null {
  const rated = counts.reduce((sum, count) => sum + count, 0);
  if (rated === 0) return null;
  // A platform may have counted fewer reviews than stars.
  const all = Math.max(rated, reviewCount);
  return counts.map((count) => {
    const width = (100 * count) / all;
    return { width, text: inWords(width) };
  });
}

function inWords(share: number): string {
  const whole = Math.round(share);
  if (share > 0 && whole === 0) return "<1%";
  return share < 100 && whole === 100 ? ">99%" : `${whole}%`;
}
