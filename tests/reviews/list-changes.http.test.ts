import { Types } from "mongoose";
import { describe, expect, it, vi } from "vitest";
import type { RatingAt } from "~/reviews/list-changes.server";
import type { PublicChange } from "~/reviews/record-changes.server";
import { Change } from "#models/change";
import type { TourDocument } from "#models/tour";
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

describe("GET /api/changes", () => {
  /** Lines are listed when they are older than the longest transaction. */
  const age = (seconds: number, ...tours: TourDocument[]) =>
    Change.updateMany(
      { tourId: { $in: tours.map(({ _id }) => _id) } },
      [{ $set: { time: { $subtract: ["$time", seconds * 1_000] } } }],
      { updatePipeline: true },
    );

  it("has the changes of all tours in the order of their times, none of the last two minutes", async () => {
    const [one, two, late] = [
      await reviewedTour(5, 3),
      await reviewedTour(4),
      await reviewedTour(1),
    ];
    await age(300, one.tour, two.tour);
    await age(200, two.tour);
    await age(110, late.tour);
    const seen: [string, number][] = [];
    let pages = 0;
    for (let page: string | null = "/api/changes?limit=2"; page; pages++) {
      const { json, headers } = await get(page);
      seen.push(
        ...json!.changes.map(({ tourId, version }) => [tourId, version] as [string, number]),
      );
      page = nextPage(headers);
    }
    const ids = [one, two, late].map(({ tour }) => tour._id.toString());
    expect(seen.filter(([id]) => ids.includes(id))).toEqual([
      [ids[1], 1],
      [ids[0], 1],
      [ids[0], 2],
    ]);
    expect(pages).toBeGreaterThan(1);
    await age(20, late.tour);
    const { json } = await get("/api/changes?limit=100");
    expect(json!.changes.at(-1)).toMatchObject({ tourId: ids[2], stars: 1 });
  });

  it.each(["1", "x", "1790000000000_66a1f0c2d4e5f60718293a4b", ""])(
    "refuses the cursor %j",
    async (cursor) => {
      const { status, json } = await get(`/api/changes?after=${cursor}`);
      const error = "after must be a cursor from the Link of an answer";
      expect([status, json]).toEqual([400, { error }]);
    },
  );
});

describe("GET /api/tours/{id}?at=", () => {
  const at = async ({ tour }: { tour: TourDocument }, time: string) => {
    const path = `/api/tours/${tour._id.toString()}?at=${encodeURIComponent(time)}`;
    const { status, json } = await call<{ rating?: RatingAt; error?: string }>(app, "GET", path);
    return { status, ...json };
  };

  it("gives the rating after the last change until then", async () => {
    const scene = await reviewedTour(5, 3, 4, 1, 2);
    const day = (version: number) => new Date(Date.UTC(2026, 9, 10 + version));
    for (const version of [1, 2, 3, 4, 5])
      await Change.updateOne({ tourId: scene.tour._id, version }, { time: day(version) });
    const shown = async (time: string) => {
      const { version, reviewCount, avgRating } = (await at(scene, time)).rating!;
      return [version, reviewCount, avgRating];
    };
    expect(await shown("2026-10-10")).toEqual([0, 0, 0]);
    expect(await shown("2026-10-11")).toEqual([1, 1, 5]);
    expect(await shown("2026-10-12T23:59:59+01:00")).toEqual([2, 2, 4]);
    expect(await shown("2026-10-14T00:00:00Z")).toEqual([4, 4, 13 / 4]);
    expect(await shown("2100-01-01")).toEqual([5, 5, 3]);
    expect((await at(scene, "2026-10-12T02:00:00+02:00")).rating!.at).toBe(
      "2026-10-12T00:00:00.000Z",
    );
  });

  it("knows none of reviews that are older than the lines", async () => {
    const scene = await reviewedTour(5);
    const unknown = { status: 404, error: "No rating of that time is known" };
    await Change.updateOne({ tourId: scene.tour._id }, { type: "checkpoint" });
    expect(await at(scene, "2026-01-01")).toEqual(unknown);
    const tour = await makeTour({ reviewCount: 3 });
    expect(await at({ tour }, "2100-01-01")).toEqual(unknown);
    expect((await at({ tour: await makeTour() }, "2100-01-01")).rating).toMatchObject({
      version: 0,
    });
  });

  it.each(["then", "2026-13-01", "1790000000000", "2026-10-01T10:00"])(
    "refuses %s",
    async (time) => {
      const error = "at must be a date or a time in ISO 8601";
      expect(await at({ tour: await makeTour() }, time)).toEqual({ status: 400, error });
    },
  );
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
