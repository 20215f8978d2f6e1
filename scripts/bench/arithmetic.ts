/** The least or the greatest value that a ratio may have. */
export type Bound = { min: number; max?: never } | { max: number; min?: never };

/** If two copies of one program differ by more than this, the machine is not quiet enough. */
export const SAME = { min: 0.95, max: 1.05 };

/** The middle value; of an even number of values, the mean of the two in the middle. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the rounds' ratios: the two programs of a ratio were measured in the same round, within a minute. */
export function ratioOf(of: readonly number[], to: readonly number[]): number {
  const rounds = Math.min(of.length, to.length);
  return median(Array.from({ length: rounds }, (_, round) => of[round]! / to[round]!));
}

/** Whether a ratio keeps its bound; never if nothing was measured. */
export function isMet(ratio: number, bound: Bound): boolean {
  return bound.min !== undefined ? ratio >= bound.min : ratio <= bound.max;
}

/** Whether two copies of one program were similar enough for the run's other figures to count. */
export const isSame = (ratio: number): boolean => ratio >= SAME.min && ratio <= SAME.max;
