import { expect, test } from "vitest";
import { rebuildRatings } from "~/reviews/ratings.server";
import { logIn, shown } from "../support/app";
import { insertReviews, makeTour, makeUser } from "../support/factories";
import { app, get, useApp } from "../support/shared-app";

// A mean on every page that shows one. How it is rounded: tests/tours/mean.unit.test.ts.

useApp();

test("a mean of 4.975 is 4.9 on every page, in its description, chart and structured data", async () => {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id });
  await insertReviews(tour._id, 40, (n) => ({ rating: n === 0 ? 4 : 5 }));
  await rebuildRatings({ tourIds: [tour._id] });
  const cookie = await logIn(app, guide.email);
  for (const path of ["/", `/tours/${tour.slug}`, `/guides/${guide._id.toString()}`, "/guide"]) {
    const page = await get(path, cookie);
    expect(shown(page), path).toContain("4.9");
    // With attributes and structured data, but without the data for scripts.
    const text = page.text.replace(/<script>.*?<\/script>/gs, "");
    expect(text.match(/\b(5\.0|4\.975)\b/g), path).toBeNull();
  }
  const { text } = await get(`/tours/${tour.slug}`);
  expect(text).toContain('"ratingValue":4.9,');
});
