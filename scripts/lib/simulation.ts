import { LRUCache } from "lru-cache";

/** What is simulated; the seed decides all of it. */
export interface Scenario {
  tours: number;
  reviews: number;
  shards: number;
  /** How many requests for lists are simulated for the caches. */
  requests: number;
  seed: number;
}

export interface Simulated {
  /** The number of reviews of the median tour, of those at the top 1 % and 0.1 %, and of the largest one. */
  reviewsOfTour: { median: number; top1: number; top01: number; largest: number };
  /** The largest tour's share of all reviews, and the most requested tour's share of all requests. */
  largestTour: { reviews: number; requests: number };
  /** The number of tours whose lists are streamed instead of kept, and their share of the requests. */
  streamed: { tours: number; requests: number };
  /** The number of tours whose reviews are more than a chunk, which no shard key by tour can split. */
  jumbo: number;
  /**
   * The share of the hottest shard, with ranges of equal data in one piece each, and with chunks in turn; 1 / shards
   * would be even.
   */
  hottestShard: { inOnePiece: number; byChunks: number };
  /**
   * The share of requests that one process's cache of lists answers, by the number of requests per second to that
   * process.
   */
  cacheHits: Record<number, number>;
}

/** How uneven tours are: the standard deviation of the logarithm of their popularity. */
const SKEW = 1.8;
/** Tours are added over this many years, and interest in a tour halves every year. */
const YEARS = 8;
/** The bytes of a review in the database, and in a list. */
const STORED_BYTES = 400;
const LISTED_BYTES = 250;
const CHUNK_BYTES = 128 * 1024 * 1024;
/** The same values as in app/store/reviews/list.server.ts. */
const WHOLE_REVIEWS = 5_000;
const KEPT_BYTES = 24 * 1024 * 1024;
const KEPT_MS = 30_000;
/** Requests per second to one process. */
const RATES = [10, 100, 1_000];

/**
 * Simulates tours in the order of their ids. Each has a popularity: its reviews follow it, and so do its readers, who
 * prefer newer tours. Keeps two numbers per tour: 160 MB for ten million.
 */
export function simulate(
  { tours, reviews, shards, requests, seed }: Scenario,
  draw: (seed: number) => () => number,
): Simulated {
  const next = draw(seed);
  const counts = new Float64Array(tours);
  let popularity = 0;
  for (let tour = 0; tour < tours; tour++)
    popularity += counts[tour] = Math.exp(SKEW * normal(next));
  /** The cumulative interest, in which a binary search finds a tour for a random number. */
  const interest = new Float64Array(tours);
  let total = 0;
  let interested = 0;
  for (let tour = 0; tour < tours; tour++) {
    const age = YEARS * (1 - tour / tours);
    const expected = (reviews * counts[tour]!) / popularity;
    // A Poisson-distributed number; large ones are drawn from a normal distribution.
    const count = Math.max(0, Math.round(expected + Math.sqrt(expected) * normal(next)));
    counts[tour] = count;
    total += count;
    interested += expected * 2 ** -age;
    interest[tour] = interested;
  }
  const interestIn = (tour: number) => interest[tour]! - (tour > 0 ? interest[tour - 1]! : 0);

  let largest = 0;
  let hottest = 0;
  let jumbo = 0;
  const streamed = { tours: 0, requests: 0 };
  const inOnePiece = new Float64Array(shards);
  const byChunks = new Float64Array(shards);
  let before = 0;
  for (let tour = 0; tour < tours; tour++) {
    const count = counts[tour]!;
    const asked = interestIn(tour) / interested;
    if (count > counts[largest]!) largest = tour;
    hottest = Math.max(hottest, asked);
    if (count * STORED_BYTES > CHUNK_BYTES) jumbo++;
    if (count > WHOLE_REVIEWS) {
      streamed.tours++;
      streamed.requests += asked;
    }
    inOnePiece[Math.min(shards - 1, Math.floor((before / total) * shards))]! += asked;
    byChunks[Math.floor((before * STORED_BYTES) / CHUNK_BYTES) % shards]! += asked;
    before += count;
  }

  const draws = () => tourAt(interest, next() * interested);
  const cacheHits = Object.fromEntries(
    RATES.map((rate) => [rate, hitsOf(rate, { requests, counts, draws })]),
  );
  const largestCount = counts[largest]!;
  counts.sort();
  const at = (part: number) => counts[Math.min(tours - 1, Math.floor(part * tours))]!;
  return {
    reviewsOfTour: { median: at(0.5), top1: at(0.99), top01: at(0.999), largest: largestCount },
    largestTour: { reviews: largestCount / total, requests: hottest },
    streamed,
    jumbo,
    hottestShard: { inOnePiece: Math.max(...inOnePiece), byChunks: Math.max(...byChunks) },
    cacheHits,
  };
}

/**
 * The share of requests whose list one process has in its cache, which is limited as in the app: by bytes, and to
 * half a minute.
 */
function hitsOf(
  rate: number,
  { requests, counts, draws }: { requests: number; counts: Float64Array; draws: () => number },
): number {
  let now = 1;
  const cache = new LRUCache<number, true>({
    maxSize: KEPT_BYTES,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => now },
    sizeCalculation: (_, tour) => 15 + counts[tour]! * LISTED_BYTES,
  });
  let hits = 0;
  for (let request = 0; request < requests; request++) {
    now += 1_000 / rate;
    const tour = draws();
    if (cache.get(tour)) hits++;
    else if (counts[tour]! <= WHOLE_REVIEWS) cache.set(tour, true);
  }
  return hits / requests;
}

/** The first tour at which the cumulative interest reaches this value. */
function tourAt(interest: Float64Array, wanted: number): number {
  let low = 0;
  let high = interest.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (interest[middle]! > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A number from the standard normal distribution. */
const normal = (next: () => number) =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
