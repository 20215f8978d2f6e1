import { Types } from "mongoose";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { log } from "~/lib/log.server";
import { Notification } from "#models/notification";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import { editReview } from "~/reviews/edit.server";
import type { TourSort } from "~/tours/search/list-query";
import type { TourIndex } from "~/search/tour-index.server";
import { readTours, TourRefresh, tourRefresh } from "~/search/tour-refresh.server";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { as, makeBookedExplorer, makeTour } from "../support/factories";

useDatabase();

let refresh: TourRefresh;
beforeEach(() => {
  refresh = new TourRefresh();
});
afterEach(() => refresh.stop());

const found = (index: TourIndex, word: string | null, sort: TourSort = "match") =>
  index.find({ words: word === null ? null : word.split(" "), sort, page: 1, size: 1_000 });
const idsIn = async (sort: TourSort, of = refresh) => found((await of.index())!, null, sort).items;
const idOf = ({ _id }: { _id: Types.ObjectId }) => _id.toString();

/** Counts the walks from now on, each of which asks for all tours. */
function countWalks(): () => number {
  const find = vi.spyOn(Tour, "find");
  onTestFinished(() => find.mockRestore());
  return () => find.mock.calls.length;
}

async function insertTours(count: number): Promise<void> {
  const guides = Array.from({ length: count }, (_, n) => ({
    _id: new Types.ObjectId(),
    name: `Guide ${n}x`,
  }));
  await User.collection.insertMany(guides);
  await Tour.collection.insertMany(
    guides.map(({ _id }, n) => ({ title: `Walk ${n}`, slug: `walk-${n}`, createdById: _id })),
  );
}

describe("a walk", () => {
  const { signal } = new AbortController();

  it("holds so many tours and no more, and says so", async () => {
    await insertTours(5);
    const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    expect((await readTours({ rests: false, stopped: signal, most: 5 })).size).toBe(5);
    expect(warn).not.toHaveBeenCalledWith({ tours: 5 }, expect.anything());
    expect((await readTours({ rests: false, stopped: signal, most: 4 })).size).toBe(4);
    expect(warn).toHaveBeenCalledWith({ tours: 4 }, expect.stringContaining("more tours"));
  });
});

describe("a check", () => {
  it("walks when there are new or fewer tours, and not otherwise", async () => {
    const first = await makeTour();
    await refresh.check();
    expect(await idsIn("newest")).toEqual([idOf(first)]);
    const walks = countWalks();
    await refresh.check();
    expect(walks()).toBe(0);

    const second = await makeTour();
    await refresh.check();
    expect([walks(), await idsIn("newest")]).toEqual([1, [idOf(second), idOf(first)]]);
    await Tour.deleteOne({ _id: first._id });
    await refresh.check();
    expect([walks(), await idsIn("newest")]).toEqual([2, [idOf(second)]]);
    // As many as before.
    await Tour.deleteOne({ _id: second._id });
    const third = await makeTour();
    await refresh.check();
    expect([walks(), await idsIn("newest")]).toEqual([3, [idOf(third)]]);
  });

  it("walks when the last walk is two minutes ago, and finds what others have changed", async () => {
    const tours = [await makeTour({ title: "Old" }), await makeTour()];
    await refresh.check();
    // As another process, or the platform, does it.
    await Tour.updateOne(
      { _id: tours[0]!._id },
      { $set: { title: "New", avgRating: 5, reviewCount: 9 } },
    );
    await refresh.check();
    expect(await idsIn("best")).toEqual(tours.map(idOf).reverse());
    const later = performance.now() + 120_001;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    await refresh.check();
    expect(await idsIn("best")).toEqual(tours.map(idOf));
    const index = (await refresh.index())!;
    expect([found(index, "new").total, found(index, "old").total]).toEqual([1, 0]);
  });

  it("walks once more after a walk during which this process has opened a tour again", async () => {
    const tours = [await makeTour(), await makeTour({ closedHereAt: new Date() })];
    const guides = vi.spyOn(User, "find");
    onTestFinished(() => void guides.mockRestore());
    guides.mockImplementationOnce(((...query: Parameters<typeof User.find>) => {
      // The walk has read the tours, and asks for their guides.
      refresh.walkNext();
      return User.find(...query);
    }) as never);
    await refresh.check();
    await Tour.updateOne({ _id: tours[1]!._id }, { $unset: { closedHereAt: true } });
    expect(await idsIn("newest")).toEqual([idOf(tours[0]!)]);
    await refresh.check();
    expect(await idsIn("newest")).toEqual(tours.map(idOf).reverse());
  });

  it("that fails leaves the index as it is, and is made again", async () => {
    const tour = await makeTour();
    const error = vi.spyOn(log, "error").mockImplementation(() => {});
    const count = vi.spyOn(Tour, "estimatedDocumentCount");
    onTestFinished(() => [error, count].forEach((spy) => spy.mockRestore()));
    count.mockRejectedValueOnce(new Error("away"));
    await expect(refresh.index()).rejects.toThrow("away");
    expect(await idsIn("best")).toEqual([idOf(tour)]);
    count.mockRejectedValueOnce(new Error("away"));
    await expect(refresh.check()).rejects.toThrow("away");
    expect(await idsIn("best")).toEqual([idOf(tour)]);
  });
});

describe("a change of reviews", () => {
  it("counts at once in the process that has made it, and in another one with its next walk", async () => {
    const tours = [await makeTour(), await makeTour(), await makeTour()];
    const [a, b, c] = tours.map(idOf) as [string, string, string];
    await tourRefresh.renew();
    await refresh.check();
    const guest = await makeBookedExplorer(tours[0]!);
    const {
      review: { id },
    } = await postReview(as(guest), { tourId: a, rating: 5 });
    expect(await idsIn("best", tourRefresh)).toEqual([a, c, b]);
    expect(await idsIn("reviewed", tourRefresh)).toEqual([a, c, b]);
    expect(await idsIn("best")).toEqual([c, b, a]);
    await refresh.renew();
    expect(await idsIn("best")).toEqual([a, c, b]);

    await postReview(as(await makeBookedExplorer(tours[1]!)), { tourId: b, rating: 4 });
    await editReview(as(guest), id, { rating: 1 });
    expect(await idsIn("best", tourRefresh)).toEqual([b, c, a]);
    // An edit leaves the number of reviews.
    expect(await idsIn("reviewed", tourRefresh)).toEqual([b, a, c]);
    await deleteReview(as(guest), id);
    expect(await idsIn("reviewed", tourRefresh)).toEqual([b, c, a]);
  });

  it("that is rolled back counts nowhere", async () => {
    const tours = [await makeTour(), await makeTour()];
    await tourRefresh.renew();
    const guest = await makeBookedExplorer(tours[0]!);
    const insert = vi.spyOn(Notification.collection, "insertMany");
    onTestFinished(() => void insert.mockRestore());
    insert.mockRejectedValueOnce(new Error("full"));
    await expect(postReview(as(guest), { tourId: idOf(tours[0]!), rating: 5 })).rejects.toThrow(
      "full",
    );
    expect(await idsIn("best", tourRefresh)).toEqual(tours.map(idOf).reverse());
  });

  it("is not lost to a walk that has read the tour before", async () => {
    const tours = [await makeTour(), await makeTour()];
    await refresh.check();
    const guides = vi.spyOn(User, "find");
    onTestFinished(() => void guides.mockRestore());
    guides.mockImplementationOnce(((...query: Parameters<typeof User.find>) => {
      // The walk has read the tours, and asks for their guides.
      refresh.rate(idOf(tours[0]!), { avgRating: 5, reviewCount: 1 });
      refresh.rate(idOf(tours[0]!), { avgRating: 4 });
      return User.find(...query);
    }) as never);
    await refresh.renew();
    expect(guides.mock.calls.length).toBeGreaterThan(1);
    expect(await idsIn("reviewed")).toEqual(tours.map(idOf));
    await refresh.renew();
    expect(await idsIn("reviewed")).toEqual(tours.map(idOf).reverse());
  });
});
