import { Types } from "mongoose";
import { describe, expect, it, vi } from "vitest";
import type { PublicChange } from "~/reviews/record-changes.server";
import { Change } from "#models/change";
import verify from "../../scripts/verify";
import { call, tokenOf } from "../support/app";
import { makeBookedExplorer, makeTour } from "../support/factories";
import { app, nextPage, useApp } from "../support/shared-app";

// docs/rules/reviews.md, Changes.

useApp();

const get = (path: string, headers: Record<string, string> = {}) =>
  call<{ changes: PublicChange[]; error?: string }>(app, "GET", path, { headers });

/** A tour with reviews that were posted through the API, so that the app's own index of tours learns of it. */
async function reviewedTour(...ratings: number[]) {
  const tour = await makeTour();
  const tourId = tour._id.toString();
  for (const rating of ratings) {
    const token = await tokenOf(await makeBookedExplorer(tour));
    const body = { tourId, rating };
    expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
  }
  return { tour, list: `/api/tours/${tourId}/changes` };
}

describe("GET /api/tours/{id}/changes", () => {
  it("has a line for each change in pages, each of which names the next", async () => {
    const { list, tour } = await reviewedTour(5, 3, 4);
    const first = await get(`${list}?limit=2`);
    expect(first.json!.changes).toMatchObject([
      { tourId: tour._id.toString(), version: 1, type: "created", before: null, stars: 5 },
      { version: 2, count: 2, mean: 4, ratings: null },
    ]);
    const next = nextPage(first.headers)!;
    expect(next).toBe(`${list}?limit=2&after=2`);
    const second = await get(next);
    expect(second.json!.changes.map(({ version }) => version)).toEqual([3]);
    expect(nextPage(second.headers)).toBeNull();
    expect((await get(`${list}?after=3`)).json).toEqual({ changes: [] });
  });

  it("goes on behind lines that are missing", async () => {
    const { list, tour } = await reviewedTour(5, 3, 4, 1);
    await Change.deleteMany({ tourId: tour._id, version: { $in: [1, 2] } });
    const { json, headers } = await get(`${list}?limit=1`);
    expect(json!.changes.map(({ version }) => version)).toEqual([3]);
    expect(nextPage(headers)).toBe(`${list}?limit=1&after=3`);
  });

  it("is not sent again until the page has changed", async () => {
    const { list } = await reviewedTour(5);
    const { headers } = await get(list);
    expect((await get(list, { "if-none-match": headers.get("etag")! })).status).toBe(304);
  });

  it.each([
    ["?after=", "after must be the version of a change"],
    ["?after=-1", "after must be the version of a change"],
    ["?after=last", "after must be the version of a change"],
    ["?limit=101", "limit must be an integer between 1 and 100"],
  ])("refuses %s", async (query, error) => {
    const { list } = await reviewedTour();
    const { status, json } = await get(list + query);
    expect([status, json]).toEqual([400, { error }]);
  });

  it.each([new Types.ObjectId().toString(), "no-id"])("knows no tour %s", async (id) => {
    const { status, json } = await get(`/api/tours/${id}/changes`);
    expect([status, json]).toEqual([404, { error: "Tour not found" }]);
  });
});

describe("npm run verify", () => {
  async function verified(site = app.url) {
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      const code = await verify([site]);
      const lines = (spy: typeof said) => spy.mock.calls.map(([text]) => String(text)).join("");
      return { code, said: lines(said), printed: lines(printed) };
    } finally {
      vi.restoreAllMocks();
    }
  }

  it("replays every tour of a site, and names the first fault of each", async () => {
    const one = await reviewedTour(5, 3, 4);
    await reviewedTour(1, 2);
    expect(await verified()).toEqual({
      code: 0,
      said: "Replayed 5 changes of 2 tours; faults: 0.\n",
      printed: "",
    });
    await Change.updateOne({ tourId: one.tour._id, version: 2 }, { stars: 4 });
    expect(await verified()).toEqual({
      code: 1,
      said: "Replayed 3 changes of 2 tours; faults: 1.\n",
      printed: `${one.tour._id.toString()} ${one.tour.slug}: version 2 does not lead to its count and mean\n`,
    });
  });

  it("says in one line that there is no site", async () => {
    await expect(verified("http://localhost:1")).rejects.toThrow(
      /^The site cannot be verified: [^\n]+$/,
    );
  });
});
