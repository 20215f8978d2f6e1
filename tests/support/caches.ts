import { processRegistry } from "~/lib/metrics.server";

/** The bytes that a cache of this process counts for its entries, as `/metrics` says them. */
export async function cacheBytes(name: string): Promise<number> {
  const { values } = await processRegistry.getSingleMetric("tour_reviews_cache_bytes")!.get();
  return values.find(({ labels }) => labels.cache === name)!.value;
}
