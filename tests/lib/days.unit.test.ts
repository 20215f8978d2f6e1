import { expect, test } from "vitest";
import { beginningOfDay, daysInWords, endOfDay, isDay, weekendFrom } from "~/lib/days";

test.each([
  ["2026-12-05", "UTC", "2026-12-05T00:00:00.000Z"],
  ["2026-12-05", "Asia/Tokyo", "2026-12-04T15:00:00.000Z"],
  // The days on which clocks are put on and back.
  ["2026-03-29", "Europe/Rome", "2026-03-28T23:00:00.000Z"],
  ["2026-10-26", "Europe/Rome", "2026-10-25T23:00:00.000Z"],
  // Where there is no midnight, and where there are two.
  ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z"],
  ["2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00.000Z"],
  // Years of two digits are no years of our time; a day of the first year begins in the one before.
  ["0050-03-01", "UTC", "0050-03-01T00:00:00.000Z"],
  ["0001-01-01", "Asia/Tokyo", "0001-01-01T00:00:00.000Z"],
])("%s begins in %s at %s", (day, zone, moment) => {
  expect(beginningOfDay(day, zone).toISOString()).toBe(moment);
});

test.each([
  ["2026-12-05", "UTC", "2026-12-05T23:59:59.999Z"],
  ["2026-10-25", "Europe/Rome", "2026-10-25T22:59:59.999Z"],
  ["2026-12-31", "Asia/Tokyo", "2026-12-31T14:59:59.999Z"],
  ["0099-12-31", "UTC", "0099-12-31T23:59:59.999Z"],
  // No database has to take a moment of the year 10000.
  ["9999-12-31", "UTC", "9999-12-31T23:59:59.999Z"],
  ["9999-12-31", "America/New_York", "9999-12-31T23:59:59.999Z"],
])("%s ends in %s at %s", (day, zone, moment) => {
  expect(endOfDay(day, zone).toISOString()).toBe(moment);
});

test.each(["0001-01-01", "0099-02-28", "2028-02-29", "9999-12-31"])("%s is a day", (text) => {
  expect(isDay(text)).toBe(true);
});

test.each(["0000-01-01", "0000-12-31", "2026-02-29", "10000-01-01", "+010000-01-01", "26-01-01"])(
  "%s is no day",
  (text) => {
    expect(isDay(text)).toBe(false);
  },
);

test.each([
  ["2026-12-02", "2026-12-05", "2026-12-06"],
  ["2026-12-05", "2026-12-05", "2026-12-06"],
])("the weekend of %s is from %s to %s", (day, from, to) => {
  expect(weekendFrom(day)).toEqual({ from, to });
});

test.each([
  ["2026-12-05", "2026-12-05", "Sat 5 Dec"],
  ["2026-12-05", "2026-12-06", "Sat 5 Dec to Sun 6 Dec"],
  ["2026-12-05", null, "from Sat 5 Dec"],
  [null, "2027-11-28", "until Sun 28 Nov"],
  ["2027-11-29", "2027-11-29", "Mon 29 Nov 2027"],
])("from %s to %s is “%s”", (from, to, words) => {
  expect(daysInWords(from, to, "2026-11-28")).toBe(words);
});
