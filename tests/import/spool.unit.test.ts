import { expect, it, onTestFinished } from "vitest";
import { Spool } from "~/import/spool.server";

// The records of an import, which wait in a file.

it("gives back every record of each kind, in any order, also while more are added", () => {
  const spool = new Spool();
  onTestFinished(() => spool.close());
  const tour = (n: number) => ({ id: `tour ${n}`, title: "外滩".repeat(n % 400) });
  const booking = (n: number) => ({ id: `booking ${n}`, status: "x".repeat(n % 300) });
  for (let n = 0; n < 5_000; n++) {
    expect(spool.add("tours", tour(n), 7 * n)).toBe(n);
    if (n % 2 === 0) spool.add("bookings", booking(n / 2));
    if (n % 1_000 === 0) expect(spool.read("tours", n)).toEqual(tour(n));
  }
  expect([spool.count("tours"), spool.count("bookings"), spool.count("users")]).toEqual([
    5_000, 2_500, 0,
  ]);
  for (let n = 4_999; n >= 0; n--) expect(spool.read("tours", n)).toEqual(tour(n));
  for (let n = 0; n < 2_500; n++) expect(spool.read("bookings", n)).toEqual(booking(n));
  expect([spool.lineOf("tours", 3), spool.lineOf("bookings", 3)]).toEqual([21, undefined]);
});
