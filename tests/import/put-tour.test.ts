import { expect, test } from "vitest";
import { putRecord } from "~/import/put-record.server";
import { checkRatings } from "~/reviews/ratings.server";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

test("a tour that comes again has the ratings of its reviews", async () => {
  const tour = await makeTour();
  for (const rating of [5, 4, 4]) await makeReview(await makeUser(), tour, { rating });
  const record = { title: tour.title, slug: tour.slug, createdById: tour.createdById.toString() };
  await Tour.deleteOne({ _id: tour._id });
  await putRecord("tours", tour._id.toString(), record);
  expect(await Tour.findById(tour._id).lean()).toMatchObject({ reviewCount: 3, avgRating: 13 / 3 });
  expect(await checkRatings()).toEqual([]);
});
