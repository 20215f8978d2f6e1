/** How many reviews have each rating; 0 stands for ratings that do not count. */
export type Counts = Map<number, number>;

/** From the lowest: the sum of fractions depends on their order. */
export const inOrder = (counts: Counts) => [...counts].sort(([one], [other]) => one - other);

/** Returns the number of reviews and their mean, 0 without any rating; always the same for the same counts. */
export function countAndMean(counts: Counts): { count: number; mean: number } {
  let count = 0;
  let rated = 0;
  let sum = 0;
  for (const [rating, reviews] of inOrder(counts)) {
    count += reviews;
    if (rating === 0) continue;
    rated += reviews;
    sum += rating * reviews;
  }
  return { count, mean: rated && sum / rated };
}

export function addToCounts(counts: Counts, rating: number | null, reviews: number): void {
  if (rating === null) return;
  const count = (counts.get(rating) ?? 0) + reviews;
  if (count === 0) counts.delete(rating);
  else counts.set(rating, count);
}
