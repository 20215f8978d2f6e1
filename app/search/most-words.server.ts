import type { OrderedTour } from "./tour-order.server";
import type { WordMatches } from "./word-index.server";

/**
 * Returns the largest sets of words, as bits, that tours have, if that is half of the words or more. The set of the
 * tour that matches best comes first.
 */
export function mostWords(
  { asked, has, scores }: WordMatches,
  all: readonly OrderedTour[],
): number[] {
  const best = new Map<number, number>();
  for (const { number } of all)
    best.set(has[number]!, Math.max(best.get(has[number]!) ?? 0, scores[number]!));
  const sets = [...best].sort(([, a], [, b]) => b - a).map(([set]) => set);
  const wordCount = (set: number) => asked.filter((_, nth) => set & (1 << nth)).length;
  const most = Math.max(0, ...sets.map(wordCount));
  return most * 2 < asked.length ? [] : sets.filter((set) => wordCount(set) === most);
}
