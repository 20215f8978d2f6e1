import { expect, test } from "vitest";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Review } from "#models/review";
import { logIn, shown } from "../support/app";
import { makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

// A mean on every page that shows one. How it is rounded: tests/tours/mean.unit.test.ts.

useApp();

/** A guide and a tour with 39 reviews of 5 stars and one of 4. */
async function rated() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id });
  const ratings = [...Array<number>(39).fill(5), 4];
  const createdAt = new Date();
  await Review.insertMany(
    await Promise.all(
      ratings.map(async (rating) => ({
        tourId: tour._id,
        rating,
        createdAt,
        userId: (await makeUser())._id,
      })),
    ),
  );
  await rebuildRatings({ tourIds: [tour._id] });
  return { guide, tour };
}

test("a mean of 4.975 is 4.9 on every page, in its description, chart and structured data", async () => {
  const { guide, tour } = await rated();
  const cookie = await logIn(app, guide.email);
  for (const path of ["/", `/tours/${tour.slug}`, `/guides/${guide._id.toString()}`, "/guide"]) {
    const page = await get(path, cookie);
    expect(shown(page), path).toContain("4.9");
    // With attributes and structured data, but without the data for scripts.
    const text = page.text.replace(/<script nonce.*?<\/script>/gs, "");
    expect(text.match(/\b(5\.0|4\.975)\b/g), path).toBeNull();
  }
  const { text } = await get(`/tours/${tour.slug}`);
  expect(text).toContain('"ratingValue":4.9,');
});
