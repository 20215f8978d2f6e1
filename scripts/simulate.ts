import { random } from "../tests/support/random";
import { table } from "./bench/report";
import { optionsOf, wholeNumber } from "./lib/command";
import { simulate } from "./lib/simulation";

const USAGE = "Usage: npm run simulate -- [--tours N] [--reviews N] [--shards N] [--seed N]";

/** The limits of the options; every tour takes 16 bytes of memory. */
const MOST_TOURS = 100_000_000;
const MOST_SHARDS = 10_000;

/** Prints where a large platform would be hottest: at which shard, tour and cache (docs/scale.md). */
export default function simulation(args: string[]): number {
  const values = optionsOf(
    args,
    {
      tours: { type: "string", default: "10000000" },
      reviews: { type: "string", default: "1000000000" },
      shards: { type: "string", default: "8" },
      seed: { type: "string", default: "1" },
    },
    USAGE,
  );
  const tours = wholeNumber("--tours", values.tours, 1, MOST_TOURS);
  const reviews = wholeNumber("--reviews", values.reviews, 1, Number.MAX_SAFE_INTEGER);
  const shards = wholeNumber("--shards", values.shards, 1, MOST_SHARDS);
  const seed = wholeNumber("--seed", values.seed, 1, Number.MAX_SAFE_INTEGER);
  const found = simulate({ tours, reviews, shards, seed, requests: 500_000 }, random);
  const number = (value: number) => value.toLocaleString("en");
  const part = (value: number) => `${(100 * value).toPrecision(3)} %`;
  const { reviewsOfTour, largestTour, streamed, jumbo, hottestShard, cacheHits } = found;
  process.stdout.write(
    `${table([
      [`${number(tours)} tours, ${number(reviews)} reviews, seed ${seed}`, "found"],
      ["reviews of the middle tour", number(reviewsOfTour.median)],
      ["reviews of the tour at the top 1 %", number(reviewsOfTour.top1)],
      ["reviews of the tour at the top 0.1 %", number(reviewsOfTour.top01)],
      ["reviews of the largest tour", number(reviewsOfTour.largest)],
      ["its part of all reviews, and so of all posts", part(largestTour.reviews)],
      ["part of all requests that is for the most asked for tour", part(largestTour.requests)],
      ["tours of more than 5,000 reviews, whose list is streamed", number(streamed.tours)],
      ["part of all requests for lists that is for these", part(streamed.requests)],
      ["tours of more than a chunk of 128 MB, which cannot be split", number(jumbo)],
      [`hottest of ${shards} shards, ranges in one piece each`, part(hottestShard.inOnePiece)],
      [`hottest of ${shards} shards, chunks in turn`, part(hottestShard.byChunks)],
      ...Object.entries(cacheHits).map(([rate, hits]) => [
        `lists that a process has in its cache, at ${rate} requests a second`,
        part(hits),
      ]),
    ])}\n`,
  );
  return 0;
}
