import { afterEach, beforeEach, expect, it } from "vitest";
import { Spool } from "~/import/spool.server";

// The records of an import, which wait in a file.

let spool: Spool;
beforeEach(() => (spool = new Spool()));
afterEach(() => spool.close());

const COUNT = 5_000;
const tour = (n: number) => ({ id: `tour ${n}`, title: "外滩".repeat(n % 50) });
const booking = (n: number) => ({ id: `booking ${n}`, status: "x".repeat(n % 300) });

it("gives back every record of each kind, in any order, also while more are added", () => {
  for (let n = 0; n < COUNT; n++) {
    spool.add("tours", tour(n));
    if (n % 2 === 0) spool.add("bookings", booking(n / 2));
    if (n % 1_000 === 0) expect(spool.read("tours", n)).toEqual(tour(n));
  }
  expect([spool.count("tours"), spool.count("bookings"), spool.count("users")]).toEqual([
    COUNT,
    COUNT / 2,
    0,
  ]);
  for (let n = COUNT - 1; n >= 0; n--) expect(spool.read("tours", n)).toEqual(tour(n));
  for (let n = 0; n < COUNT / 2; n++) expect(spool.read("bookings", n)).toEqual(booking(n));
});

it("has room for more than a write of a megabyte", () => {
  const long = "é".repeat(700_000);
  for (let n = 0; n < 4; n++) spool.add("tours", { id: `${n}`, description: long });
  for (let n = 0; n < 4; n++)
    expect(spool.read("tours", n)).toEqual({ id: `${n}`, description: long });
});
