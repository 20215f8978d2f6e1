import { expect, test, vi } from "vitest";
import { getReviewPage } from "~/reviews/read.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

/** The ids of the tours with which the page of that review may be kept. */
async function keptWith(reviewId: string): Promise<string[]> {
  const { dependsOn } = await getReviewPage(reviewId);
  return (dependsOn ?? []).map(({ _id }) => String(_id));
}

test("the page of a review that changes before its tour is read is not kept with that tour", async () => {
  const tour = await makeTour();
  const { _id } = await makeReview(await makeUser(), tour, { comment: "as it was" });
  expect(await keptWith(_id.toString())).toEqual([tour._id.toString()]);
  const findById = Tour.findById.bind(Tour);
  vi.spyOn(Tour, "findById").mockImplementationOnce(((...args: Parameters<typeof findById>) => ({
    lean: async () => {
      await Review.updateOne({ _id }, { comment: "as it is" });
      await Tour.updateOne({ _id: tour._id }, { $inc: { ratingsVersion: 1 } });
      return findById(...args).lean();
    },
  })) as never);
  expect(await keptWith(_id.toString())).toEqual([]);
});
