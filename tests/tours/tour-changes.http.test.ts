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
    "4 changes: 1 posted, 2 edited by their authors, 1 deleted by their authors.",
    "Removed and deleted",
    "4-star review deleted by its author.",
    "All changes",
    "Words of a 4-star review changed by its author.",
    "Review changed from 2 to 4 stars by its author.",
    "2-star review posted.",
    "Check it yourself",
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
  const entry = {
    tourId: tour._id,
    type: "created",
    stars: 5,
    mean: 5,
    time: new Date(),
    previous: "p",
  };
  const entries = Array.from({ length: 120 }, (_, n) => ({
    ...entry,
    version: n + 1,
    count: n + 1,
  }));
  await Change.insertMany(entries);
  const lastChange = { version: 120, hash: "h", state: "s", time: new Date() };
  await Tour.updateOne({ _id: tour._id }, { lastChange });
  const seen: number[] = [];
  let search: string | undefined = "";
  while (search !== undefined) {
    const { text }: { text: string } = await call(app, "GET", `/tours/long-walk/changes${search}`);
    seen.push(...[...text.matchAll(/<span>(\d+)\u00A0· <\/span>/g)].map(([, n]) => Number(n)));
    const next: string | undefined = /<a[^>]*rel="next"[^>]*>/.exec(text)?.[0];
    search = next && /\?before=\d+/.exec(next)?.[0];
  }
  expect(seen).toEqual(entries.map(({ version }) => version).toReversed());
});

test("says an import in one row, and the sums first", async () => {
  const tour = await makeTour({ slug: "imported-walk" });
  const entry = { tourId: tour._id, mean: 4, time: new Date(), previous: "p" };
  const entries = Array.from({ length: 61 }, (_, n) => ({
    ...entry,
    ...(n < 60 ? { type: "imported", stars: 4 } : { type: "removed", before: 2 }),
    version: n + 1,
    count: n + 1,
  }));
  await Change.insertMany(entries);
  const lastChange = { version: 61, hash: "h", state: "s", time: new Date() };
  await Tour.updateOne({ _id: tour._id }, { lastChange });
  const page = textOf((await call(app, "GET", "/tours/imported-walk/changes")).text);
  expect(page).toContain("61 changes: 60 imported, 1 removed by us.");
  expect(page.match(/2-star review removed by our team\./g)).toHaveLength(2);
  expect(page.match(/60 reviews imported\./g)).toHaveLength(1);
  expect(page).not.toContain("Older changes");
});

test("has none of a tour that nobody has reviewed, and is not there without a tour", async () => {
  await makeTour({ slug: "new-walk" });
  const { text } = await call(app, "GET", "/tours/new-walk/changes?before=x");
  expect(text).toContain("No changes have been recorded yet.");
  expect((await call(app, "GET", "/tours/no-walk/changes")).status).toBe(404);
});
