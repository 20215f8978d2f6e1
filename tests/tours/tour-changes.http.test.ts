import { expect, test } from "vitest";
import { Change } from "#models/change";
import { Tour } from "#models/tour";
import { call, tokenOf } from "../support/app";
import { makeBookedExplorer, makeTour } from "../support/factories";
import { app, useApp } from "../support/shared-app";

// docs/rules/reviews.md, Changes: the page of a tour's changes.

useApp();

const textOf = (html: string) =>
  html
    .replace(/^[^]*<main[^>]*>|<\/main>[^]*$/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

test("says each change in words, the newest first, and the tour's page leads there", async () => {
  const tour = await makeTour({ title: "Harbour Walk", slug: "harbour-walk" });
  const token = await tokenOf(await makeBookedExplorer(tour));
  const body = { tourId: tour._id.toString(), rating: 2, comment: "Rain." };
  type Posted = { review: { id: string } };
  const { review } = (await call<Posted>(app, "POST", "/api/reviews", { token, body })).json!;
  const path = `/api/reviews/${review.id}`;
  await call(app, "PATCH", path, { token, body: { rating: 4 } });
  expect((await call(app, "GET", "/tours/harbour-walk")).text).toContain(
    'href="/tours/harbour-walk/changes"',
  );
  await call(app, "PATCH", path, { token, body: { comment: "Sun." } });
  await call(app, "DELETE", path, { token });
  const page = textOf((await call(app, "GET", "/tours/harbour-walk/changes")).text);
  const said = [
    "The author deleted a review with 4 stars.",
    "The author changed the words of a review with 4 stars.",
    "The author changed a review from 2 stars to 4 stars.",
    "Somebody posted a review with 2 stars.",
  ];
  expect(
    said.map((words) => page.indexOf(words)).every((at, n, all) => at > (all[n - 1] ?? 0)),
  ).toBe(true);
  expect(page).not.toMatch(/Rain|Sun\b/);
  const { lastChange } = (await Tour.findById(tour._id).lean())!;
  expect(page).toContain(lastChange!.hash);
});

test("has fifty on a page, and leads to the older ones", async () => {
  const tour = await makeTour({ slug: "long-walk" });
  const line = {
    tourId: tour._id,
    type: "created",
    stars: 5,
    mean: 5,
    time: new Date(),
    previous: "p",
  };
  const lines = Array.from({ length: 120 }, (_, n) => ({ ...line, version: n + 1, count: n + 1 }));
  await Change.insertMany(lines);
  const lastChange = { version: 120, hash: "h", state: "s", time: new Date() };
  await Tour.updateOne({ _id: tour._id }, { lastChange });
  const seen: number[] = [];
  let search: string | undefined = "";
  while (search !== undefined) {
    const { text }: { text: string } = await call(app, "GET", `/tours/long-walk/changes${search}`);
    seen.push(...[...text.matchAll(/<span>(\d+) · <\/span>/g)].map(([, n]) => Number(n)));
    const next: string | undefined = /<a[^>]*rel="next"[^>]*>/.exec(text)?.[0];
    search = next && /\?before=\d+/.exec(next)?.[0];
  }
  expect(seen).toEqual(lines.map(({ version }) => version).toReversed());
});

test("has none of a tour that nobody has reviewed, and is not there without a tour", async () => {
  await makeTour({ slug: "new-walk" });
  const { text } = await call(app, "GET", "/tours/new-walk/changes?before=x");
  expect(text).toContain("No changes have been recorded yet.");
  expect((await call(app, "GET", "/tours/no-walk/changes")).status).toBe(404);
});
