import { expect, it } from "vitest";
import { call } from "../support/app";
import { makeReview, makeTour, makeUser } from "../support/factories";
import { shown } from "../support/page";
import { app, get, useApp } from "../support/shared-app";

useApp();

it("a page says of each review whether there is a completed booking, and claims no more of the others", async () => {
  const tour = await makeTour();
  await makeReview(await makeUser({ name: "Ann" }), tour, { verified: true });
  await makeReview(await makeUser({ name: "Ben" }), tour);
  const page = await get(`/tours/${tour.slug}`);
  const reviews = page.text.match(/<article class="review".*?<\/article>/gs)!;
  const badgeOf = (name: string) =>
    shown({ text: reviews.find((review) => review.includes(`Review by ${name}`))! });
  expect(badgeOf("Ann")).toContain("Verified booking");
  expect(badgeOf("Ben")).not.toContain("Verified");
  expect(page.text.match(/id="verified"/g)).toHaveLength(1);
  expect(shown(page)).toContain("No tick: the review comes from elsewhere");
  for (const { text } of [page, await get("/")]) {
    expect(text).not.toMatch(/every review (here )?comes from a completed booking/i);
    expect(shown({ text })).toContain("Behind every review with “Verified booking”");
  }
});

it("the API says nothing of it", async () => {
  const tour = await makeTour();
  await makeReview(await makeUser(), tour, { verified: true });
  const list = await call<{ reviews: object[] }>(
    app,
    "GET",
    `/api/reviews?tourId=${tour._id.toString()}`,
  );
  expect(Object.keys(list.json!.reviews[0]!).sort()).toEqual(
    ["comment", "createdAt", "id", "rating", "tourId", "user", "userId"].sort(),
  );
});
