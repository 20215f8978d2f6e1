import { describe, expect, it } from "vitest";
import { simulate } from "../../../scripts/lib/simulation";
import { random } from "../../support/random";

const SMALL = { tours: 2_000, reviews: 200_000, shards: 4, requests: 5_000, seed: 7 };

describe("npm run simulate", () => {
  const found = simulate(SMALL, random);

  it("finds the same with the same seed, and something else with another", () => {
    expect(simulate(SMALL, random)).toEqual(found);
    expect(simulate({ ...SMALL, seed: 8 }, random)).not.toEqual(found);
  });

  it("has few large tours and many small ones", () => {
    const { median, top1, top01, largest } = found.reviewsOfTour;
    expect(median).toBeLessThan(SMALL.reviews / SMALL.tours);
    expect([median, top1, top01, largest]).toEqual(
      [median, top1, top01, largest].toSorted((a, b) => a - b),
    );
    expect(found.largestTour.reviews).toBeCloseTo(largest / SMALL.reviews, 2);
  });

  it("has newer tours asked for more, so that ranges in one piece are uneven", () => {
    expect(found.hottestShard.inOnePiece).toBeGreaterThan(2 / SMALL.shards);
    expect(found.hottestShard.inOnePiece).toBeLessThanOrEqual(1);
  });

  it("fills a cache the better the more a process is asked", () => {
    const [few, some, many] = [10, 100, 1_000].map((rate) => found.cacheHits[rate]!);
    expect(few).toBeLessThan(some!);
    expect(some).toBeLessThan(many!);
    expect(many).toBeLessThan(1);
  });
});
