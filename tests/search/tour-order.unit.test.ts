import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { TourOrder } from "~/search/tour-order.server";

/** An order of tours with these ratings, by name; ids go up. */
function orderOf(tours: Record<string, [mean: number, count: number]>) {
  const order = new TourOrder();
  const names = new Map<string, string>();
  const ids: Record<string, string> = {};
  for (const [name, [mean, count]] of Object.entries(tours)) {
    ids[name] = new Types.ObjectId().toString();
    names.set(ids[name], name);
    order.add(ids[name], mean, count);
  }
  const sorted = (by: Parameters<TourOrder["sorted"]>[0]) =>
    order.sorted(by).map(({ id }) => names.get(id));
  return { order, ids, sorted };
}

const TOURS = {
  "One of 5": [5, 1],
  "Hundred of 4.8": [4.8, 100],
  "Thirty of 4.9": [4.9, 30],
  "Fifty of 2": [2, 50],
  None: [0, 0],
} satisfies Record<string, [number, number]>;

describe("best rated", () => {
  it("puts many good reviews before one perfect one, and bad ones behind none", () => {
    expect(orderOf(TOURS).sorted("best")).toEqual([
      "Hundred of 4.8",
      "Thirty of 4.9",
      "One of 5",
      "None",
      "Fifty of 2",
    ]);
  });

  it("is by number of reviews, then the newest first, where tours are as good", () => {
    const { sorted } = orderOf({ a: [4, 1], b: [4, 2], c: [4, 1] });
    expect(sorted("best")).toEqual(["b", "c", "a"]);
    expect(orderOf({ a: [0, 0], b: [0, 0] }).sorted("best")).toEqual(["b", "a"]);
  });
});

it("most reviewed is by number, then mean, then the newest first", () => {
  const { sorted } = orderOf({ ...TOURS, better: [3, 50], same: [5, 1] });
  expect(sorted("reviewed")).toEqual([
    "Hundred of 4.8",
    "better",
    "Fifty of 2",
    "Thirty of 4.9",
    "same",
    "One of 5",
    "None",
  ]);
});

it("newest is by id", () => {
  expect(orderOf(TOURS).sorted("newest")).toEqual(Object.keys(TOURS).reverse());
});
