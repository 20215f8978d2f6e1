/** What a ratio must be at least, or at most. */
export type Bound = { min: number; max?: never } | { max: number; min?: never };

/** Two copies of one program must not differ by more than this, or the machine is not quiet enough. */
export const SAME = { min: 0.95, max: 1.05 };

/** The middle value; of an even number of values the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the rounds' ratios: what two programs did in one round was done in the same minute. */
export function ratioOf(of: readonly number[], to: readonly number[]): number {
  const rounds = Math.min(of.length, to.length);
  return median(Array.from({ length: rounds }, (_, round) => of[round]! / to[round]!));
}

/** Whether a ratio keeps its bound; never when nothing was measured. */
export function isMet(ratio: number, bound: Bound): boolean {
  return bound.min !== undefined ? ratio >= bound.min : ratio <= bound.max;
}

/** Whether two copies of one program were alike enough for the other figures of the run to count. */
export const isSame = (ratio: number): boolean => ratio >= SAME.min && ratio <= SAME.max;
