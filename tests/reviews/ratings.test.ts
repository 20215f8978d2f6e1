import { Types } from "mongoose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { checkRatings, rebuildRatings } from "~/reviews/ratings.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { insertReviews, makeReview, makeTour, makeUser } from "../support/factories";

// The commands `ratings check` and `ratings rebuild`, which go through all tours.

useDatabase();
afterEach(() => vi.restoreAllMocks());

const TOURS = 105;

/** Tours of which every third has a review that its ratings do not know. */
async function makeTours() {
  const tours = Array.from({ length: TOURS }, (_, n) => ({
    _id: new Types.ObjectId(),
    title: `Tour ${n}`,
    slug: `tour-${n}`,
    createdById: new Types.ObjectId(),
  }));
  await Tour.insertMany(tours);
  const reviewed = tours.filter((_, n) => n % 3 === 0);
  for (const { _id } of reviewed) await insertReviews(_id, 1);
  return reviewed.map(({ _id }) => _id.toString());
}

describe("all tours", () => {
  it("are checked and rebuilt one after the other", async () => {
    const reviewed = await makeTours();
    const progress: [number, number][] = [];
    const onProgress = (done: number, total: number) => void progress.push([done, total]);
    const told: string[] = [];
    const found = await checkRatings({ onProgress, onMismatch: (one) => told.push(one.tourId) });

    expect(told.sort()).toEqual(reviewed);
    expect(found.map(({ tourId }) => tourId).sort()).toEqual(reviewed);
    const steps = Array.from({ length: TOURS }, (_, n) => [n + 1, TOURS]);
    expect(progress).toEqual(steps);

    progress.length = 0;
    expect(await rebuildRatings({ onProgress })).toBe(TOURS);
    expect(progress).toEqual(steps);
    expect(await checkRatings()).toEqual([]);
  });

  it("are not reported as different because of a change during the check", async () => {
    const tours = [await makeTour(), await makeTour()];
    const read = Review.aggregate.bind(Review);
    let changed = false;
    vi.spyOn(Review, "aggregate").mockImplementation((...args) => {
      if (changed) return read(...args);
      changed = true;
      const later = async () => {
        for (const tour of tours) await makeReview(await makeUser(), tour);
        return read(...args);
      };
      return later() as unknown as ReturnType<typeof read>;
    });
    expect(await checkRatings()).toEqual([]);
    expect(await Tour.countDocuments({ reviewCount: 1 })).toBe(2);
  });
});
