import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Types } from "mongoose";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { PublicReview } from "~/reviews/list/public-review.server";
import type { RatingAt } from "~/reviews/list-changes.server";
import type { PublicChange } from "~/reviews/record-changes.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Change } from "#models/change";
import { Layout } from "#models/layout";
import { Tour, type TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import verify from "../../scripts/verify";
import { call, sessionOf, tokenOf } from "../support/app";
import { insertReviews, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { allToursListed, app, nextPage, useApp } from "../support/shared-app";

// docs/rules/reviews.md, Changes.

useApp();

const get = (path: string, headers: Record<string, string> = {}) =>
  call<{ changes: PublicChange[]; error?: string }>(app, "GET", path, { headers });

/** A tour with reviews that were posted through the API, so that the app's own index of tours learns of it. */
async function reviewedTour(...ratings: number[]) {
  const tour = await makeTour();
  const tourId = tour._id.toString();
  for (const rating of ratings) await postTo(tour, rating);
  return { tour, list: `/api/tours/${tourId}/changes` };
}

async function postTo(tour: TourDocument, rating: number, author?: UserDocument, comment = "") {
  const token = await tokenOf(author ?? (await makeBookedExplorer(tour)));
  const body = { tourId: tour._id.toString(), rating, comment };
  const posted = await call<{ review: PublicReview }>(app, "POST", "/api/reviews", { token, body });
  expect(posted.status).toBe(201);
  return posted.json!.review;
}

describe("GET /api/tours/{id}/changes", () => {
  it("has an entry for each change in pages, each of which names the next", async () => {
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

  it("goes on behind entries that are missing", async () => {
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
  /** Entries are listed when they are older than the longest transaction. */
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

  it.each(["x", ""])("refuses the cursor %j", async (cursor) => {
    const { status, json } = await get(`/api/changes?after=${cursor}`);
    const error = "after must be a cursor from the Link of an answer";
    expect([status, json]).toEqual([400, { error }]);
  });
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
    expect((await at(scene, "9999-12-31T23:59:59-14:00")).status).toBe(400);
  });

  it("knows none of reviews that are older than the log", async () => {
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
  const made: string[] = [];
  afterEach(() => Promise.all(made.splice(0).map((folder) => rm(folder, { recursive: true }))));

  async function fileOf(text: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "tour-reviews-verify-"));
    made.push(folder);
    const file = join(folder, "file.txt");
    await writeFile(file, text);
    return file;
  }

  async function verified(args: string[] = [], site = app.url) {
    if (site === app.url) await allToursListed();
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    try {
      const code = await verify([site, ...args]);
      const lines = (spy: typeof said) =>
        spy.mock.calls.flatMap(([text]) => String(text).trimEnd().split("\n"));
      return { code, said: lines(said), faults: lines(printed) };
    } finally {
      vi.restoreAllMocks();
    }
  }

  const checkpoint = async () => (await call(app, "GET", "/changes/checkpoint")).text;
  const named = ({ tour }: { tour: TourDocument }, fault: string) =>
    `${tour._id.toString()} ${tour.slug}: ${fault}`;

  it("replays every tour of a site, and names the first fault of each", async () => {
    const one = await reviewedTour(5, 3, 4);
    await reviewedTour(1, 2);
    const { code, said, faults } = await verified();
    expect([code, faults]).toEqual([0, []]);
    expect(said).toEqual([
      "Replayed 5 changes of 2 tours; faults: 0.",
      expect.stringMatching(/^The site signs with the key [\w-]{43}\.$/),
    ]);
    await Change.updateOne({ tourId: one.tour._id, version: 2 }, { stars: 4 });
    expect(await verified()).toMatchObject({
      code: 1,
      said: ["Replayed 3 changes of 2 tours; faults: 1.", expect.anything()],
      faults: [named(one, "version 2 does not lead to its count and mean")],
    });
  });

  it("does so by the program of docs/verify.md", async () => {
    const program = "docs/verify.mjs";
    const lines = (await readFile(program, "utf8")).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(45);
    const found = () =>
      promisify(execFile)(process.execPath, [program, app.url])
        .then(() => "")
        .catch(({ stdout }: { stdout: string }) => stdout);
    const [one, two] = [await reviewedTour(5, 3, 4), await reviewedTour(1)];
    await insertReviews(one.tour._id, 1, () => ({ rating: 4.5 }));
    await postTo(one.tour, 2);
    await allToursListed();
    expect(await found()).toBe("");
    const [entry, last] = [
      { tourId: one.tour._id, version: 2 },
      { tourId: two.tour._id, version: 1 },
    ];
    const taken = (await Change.findOneAndDelete(entry).lean())!;
    expect(await found()).toBe(`${one.tour.slug}: a fault after version 1\n`);
    await Change.collection.insertOne({ ...taken, time: new Date(0) });
    await Change.deleteOne(last);
    expect((await found()).split("\n").toSorted()).toEqual(
      [
        "",
        `${one.tour.slug}: a fault after version 2`,
        `${two.tour.slug}: a fault in its published rating`,
      ].toSorted(),
    );
  });

  it("finds a last entry that was altered, by the site's signed checkpoint", async () => {
    const one = await reviewedTour(5, 3);
    await Change.updateOne({ tourId: one.tour._id, version: 2 }, { time: new Date(0) });
    expect((await verified()).faults).toEqual([
      named(one, "version 2 is not the entry that was signed"),
    ]);
  });

  it("finds a history that was written anew, by a checkpoint that was kept", async () => {
    const [one, two] = [await reviewedTour(5, 3), await reviewedTour(4)];
    const kept = ["--checkpoint", await fileOf(await checkpoint())];
    await postTo(two.tour, 2);
    expect((await verified(kept)).faults).toEqual([]);
    await Change.deleteMany({});
    await Tour.updateMany({}, { $unset: { lastChange: true } });
    await rebuildRatings();
    expect((await verified()).faults).toEqual([]);
    expect((await verified(kept)).faults).toEqual(
      [
        named(one, "version 2 was signed and is missing"),
        named(two, "version 1 is not the entry that was signed"),
      ].toSorted(),
    );
  });

  it("says of a checkpoint that it is not the site's", async () => {
    await reviewedTour(5);
    const text = await checkpoint();
    const altered = await fileOf(text.replace(/ 1 [0-9a-f]{64}/, ` 1 ${"0".repeat(64)}`));
    const { faults } = await verified(["--checkpoint", altered]);
    expect(faults).toContain("the kept checkpoint has a wrong signature");
    expect((await verified(["--checkpoint", await fileOf("")])).faults).toEqual([
      "the kept checkpoint has a wrong signature",
      "the kept checkpoint is signed with another key than the site's",
    ]);
  });

  it("says that a site has restored a backup", async () => {
    await reviewedTour(5);
    const [at, backupOf] = [new Date("2026-11-05T00:00:00Z"), new Date("2026-11-04T00:00:00Z")];
    const layout = { $set: { restored: { at, backupOf } }, $setOnInsert: { number: 0 } };
    await Layout.updateOne({ _id: "layout" }, layout, { upsert: true });
    const { said } = await verified();
    await Layout.updateOne({}, { $unset: { restored: true } });
    expect(said).toContain(
      "The site says that it has restored a backup: begins-anew 2026-11-05T00:00:00.000Z backup-of 2026-11-04T00:00:00.000Z.",
    );
  });

  describe("with a receipt", () => {
    async function receipt() {
      const { tour } = await reviewedTour(2, 3);
      const author = await makeBookedExplorer(tour);
      const { id } = await postTo(tour, 4, author, "The view at dusk!");
      const headers = { cookie: await sessionOf(author) };
      const { status, text } = await call(app, "GET", `/reviews/${id}/receipt`, { headers });
      expect(status).toBe(200);
      return { tour, author, id, text };
    }

    it("shows that a review was there, also when it is deleted", async () => {
      const { tour, author, id, text } = await receipt();
      expect(text).not.toContain("dusk");
      const words = ["--words", await fileOf("The view at dusk!\n")];
      const args = ["--receipt", await fileOf(text), ...words];
      const said = ["A review of 4 stars was there at version 3 of 3."];
      expect(await verified(args)).toEqual({ code: 0, said, faults: [] });
      await call(app, "DELETE", `/api/reviews/${id}`, { token: await tokenOf(author) });
      await postTo(tour, 1);
      expect((await verified(args)).said).toEqual([
        "A review of 4 stars was there at version 3 of 5.",
      ]);
    });

    it("shows it of words with blanks at their ends, as they were sent", async () => {
      const { tour } = await reviewedTour(2);
      const author = await makeBookedExplorer(tour);
      const { id } = await postTo(tour, 4, author, " at dusk \n");
      const headers = { cookie: await sessionOf(author) };
      const { text } = await call(app, "GET", `/reviews/${id}/receipt`, { headers });
      const words = await fileOf(" at dusk \n");
      expect((await verified(["--receipt", await fileOf(text), "--words", words])).faults).toEqual(
        [],
      );
    });

    it("finds that its entry is gone, that it was altered, and other words", async () => {
      const { tour, text } = await receipt();
      const other = await fileOf("The view at dawn!");
      const args = async (altered: string) => ["--receipt", await fileOf(altered)];
      expect((await verified([...(await args(text)), "--words", other])).faults).toEqual([
        "the words are not those of the receipt",
      ]);
      expect((await verified(await args(text.replace("rating 4", "rating 5")))).faults).toEqual([
        "the receipt has a wrong signature",
      ]);
      await Change.updateOne({ tourId: tour._id, version: 3 }, { time: new Date(0) });
      expect((await verified(await args(text))).faults).toEqual([
        `${tour._id.toString()}: version 3 is not the entry that was signed`,
      ]);
    });

    it("that is for a review older than the log names the tour's last entry", async () => {
      const tour = await makeTour();
      const author = await makeBookedExplorer(tour);
      const [old] = await insertReviews(tour._id, 1, () => ({ userId: author._id, rating: 4 }));
      const headers = { cookie: await sessionOf(author) };
      const path = `/reviews/${old!._id.toString()}/receipt`;
      expect((await call(app, "GET", path, { headers })).text).toContain("\nversion 0\n");
      await postTo(tour, 1);
      const { text } = await call(app, "GET", path, { headers });
      expect(text).toContain("\nversion 2\n");
      expect((await verified(["--receipt", await fileOf(text)])).faults).toEqual([]);
    });

    it("is only for the author", async () => {
      const { id } = await receipt();
      const headers = { cookie: await sessionOf(await makeUser()) };
      expect((await call(app, "GET", `/reviews/${id}/receipt`, { headers })).status).toBe(404);
      const asked = await call(app, "GET", `/reviews/${id}/receipt`);
      expect([asked.status, asked.headers.get("location")]).toEqual([
        302,
        "/login?redirectTo=%2Fme",
      ]);
    });
  });

  it("says in one line that there is no site", async () => {
    await expect(verified([], "http://localhost:1")).rejects.toThrow(
      /^The site cannot be verified: [^\n]+$/,
    );
  });
});
