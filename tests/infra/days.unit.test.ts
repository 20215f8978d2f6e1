import { expect, test } from "vitest";
import { beginningOf, daysInWords, weekendFrom } from "~/infra/days";

test.each([
  ["2026-12-05", "UTC", "2026-12-05T00:00:00.000Z"],
  ["2026-12-05", "Asia/Tokyo", "2026-12-04T15:00:00.000Z"],
  // The days on which clocks are put on and back.
  ["2026-03-29", "Europe/Rome", "2026-03-28T23:00:00.000Z"],
  ["2026-10-26", "Europe/Rome", "2026-10-25T23:00:00.000Z"],
  // Where there is no midnight, and where there are two.
  ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  ["2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00.000Z"],
])("%s begins in %s at %s", (day, zone, moment) => {
  expect(beginningOf(day, zone).toISOString()).toBe(moment);
});

test.each([
  ["2026-12-02", "2026-12-05", "2026-12-06"],
  ["2026-12-05", "2026-12-05", "2026-12-06"],
])("the weekend of %s is from %s to %s", (day, from, to) => {
  expect(weekendFrom(day)).toEqual({ from, to });
});

test.each([
  ["2026-12-05", "2026-12-05", "Sat 5 December"],
  ["2026-12-05", "2026-12-06", "Sat 5 December to Sun 6 December"],
  ["2026-12-05", null, "from Sat 5 December"],
  [null, "2027-11-28", "until Sun 28 November"],
  ["2027-11-29", "2027-11-29", "Mon 29 November 2027"],
])("from %s to %s is “%s”", (from, to, words) => {
  expect(daysInWords(from, to, "2026-11-28")).toBe(words);
});
