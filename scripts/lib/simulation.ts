import { LRUCache } from "lru-cache";

/** What is simulated; all of it is decided by the seed. */
export interface Scenario {
  tours: number;
  reviews: number;
  shards: number;
  /** Requests for lists that are drawn for the caches. */
  requests: number;
  seed: number;
}

export interface Simulated {
  /** Reviews of the middle tour, of that of the top 1 % and 0.1 %, and of the largest one. */
  reviewsOfTour: { median: number; top1: number; top01: number; largest: number };
  /** Which parts of all reviews and of all requests the largest and the most asked for tour have. */
  largestTour: { reviews: number; requests: number };
  /** Tours whose lists are streamed instead of kept, and their part of the requests. */
  streamed: { tours: number; requests: number };
  /** Tours whose reviews are more than a chunk, which no shard key by tour can split. */
  jumbo: number;
  /** The part of the hottest shard, by ranges of equal data in one piece and by chunks in turn; even is 1 / shards. */
  hottestShard: { inOnePiece: number; byChunks: number };
  /** The part of requests that one process's cache of lists answers, by requests a second to that process. */
  cacheHits: Record<number, number>;
}

/** How uneven tours are: the standard deviation of the logarithm of their popularity. */
const SKEW = 1.8;
/** Tours come over so many years, and half of the interest in one is gone after one. */
const YEARS = 8;
/** Bytes of a review in the database, and in a list. */
const STORED_BYTES = 400;
const LISTED_BYTES = 250;
const CHUNK_BYTES = 128 * 1024 * 1024;
/** As in app/store/reviews/list.server.ts. */
const WHOLE_REVIEWS = 5_000;
const KEPT_BYTES = 24 * 1024 * 1024;
const KEPT_MS = 30_000;
/** Requests a second to one process. */
const RATES = [10, 100, 1_000];

/**
 * Tours in the order of their ids, each with a popularity that its reviews follow, and readers, who ask for newer
 * tours more. Keeps two numbers a tour: 160 MB for ten million.
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
  /** Interest, added up, so that a random number finds a tour by halves. */
  const interest = new Float64Array(tours);
  let total = 0;
  let interested = 0;
  for (let tour = 0; tour < tours; tour++) {
    const age = YEARS * (1 - tour / tours);
    const expected = (reviews * counts[tour]!) / popularity;
    // A Poisson number, which is a normal one where it is large.
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

/** The part of requests whose list one process has, as the app keeps them: by bytes, and for half a minute. */
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

/** The first tour up to which so much interest has been added up. */
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

/** A number of the standard normal distribution. */
const normal = (next: () => number) =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
