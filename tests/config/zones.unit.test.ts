import { describe, expect, it, test } from "vitest";
import {
  clockTime,
  dayInWords,
  deadlineInWords,
  departureInShort,
  departureInWords,
  isoWithOffset,
  momentInWords,
  momentAtClockTime,
  timeZoneNamed,
  withZone,
} from "~/config/zones";

const at = (iso: string) => new Date(iso);

describe("the name of a zone", () => {
  test.each([
    ["asia/tokyo", "Asia/Tokyo"],
    ["Etc/UTC", "UTC"],
    ["Etc/GMT+5", "Etc/GMT+5"],
  ])("%s is %s", (text, name) => {
    expect(timeZoneNamed(text)).toBe(name);
  });

  test.each(["", "Mars/Base", "+09:00"])("%j is none", (text) => {
    expect(timeZoneNamed(text)).toBeUndefined();
  });
});

describe("a departure", () => {
  test.each([
    // The date line: the same moment on three days.
    ["2026-11-30T22:30:00Z", "Asia/Tokyo", "Tuesday 1 December 2026, 07:30, Tokyo time"],
    // The clocks go forward.
    ["2026-03-29T01:00:00Z", "Europe/Rome", "Sunday 29 March 2026, 03:00, Rome time"],
    ["2026-05-01T09:00:00Z", "Etc/GMT+5", "Friday 1 May 2026, 04:00 GMT-5"],
    ["2026-05-01T09:00:00Z", "UTC", "Friday 1 May 2026, 09:00 UTC"],
    ["2026-05-01T00:00:00Z", "UTC", "Friday 1 May 2026"],
  ])("at %s in %s is %s", (iso, zone, words) => {
    expect(departureInWords(at(iso), zone, "UTC")).toBe(words);
  });

  it("does not name the site's own zone", () => {
    const words = (zone: string) => departureInWords(at("2026-11-30T22:30Z"), zone, "Europe/Rome");
    expect(words("Europe/Rome")).toBe("Monday 30 November 2026, 23:30");
    expect(words("UTC")).toBe("Monday 30 November 2026, 22:30 UTC");
    expect(words("Asia/Tokyo")).toBe("Tuesday 1 December 2026, 07:30, Tokyo time");
  });
});

test("a day and a moment", () => {
  expect(dayInWords(at("2026-11-25T15:00Z"), "Asia/Tokyo")).toBe("26 November 2026");
  expect(dayInWords(at("2026-11-25T14:59Z"), "Asia/Tokyo")).toBe("25 November 2026");
  // Always with the zone's name.
  expect(momentInWords(at("2026-07-01T05:00Z"), "Europe/Rome")).toBe(
    "1 July 2026, 07:00, Rome time",
  );
  expect(withZone({ hour: 7, minute: 0 }, "UTC")).toBe("07:00 UTC");
});

describe("a deadline", () => {
  test.each([
    ["2026-11-26T00:08Z", "2026-11-25T00:08:01Z", "01:08 tomorrow"],
    ["2026-11-26T00:08Z", "2026-11-25T23:00Z", "01:08 today"],
    ["2026-11-26T00:08Z", "2026-11-25T22:59Z", "01:08 tomorrow"],
    // On a day of 25 hours 24 hours later may be the same day, after one of 23 the day after tomorrow.
    ["2026-10-25T22:10Z", "2026-10-24T22:10Z", "23:10 today"],
    ["2026-03-29T22:30Z", "2026-03-28T22:30Z", "00:30 on Monday 30 March 2026"],
  ])("%s, as said at %s, is %s", (until, now, said) => {
    expect(deadlineInWords(at(until), at(now), "Europe/Rome", "Europe/Rome")).toBe(said);
  });
});

describe("the moment of a time of day", () => {
  const moment = (day: string, time: string, zone: string) => {
    const [year, month, date] = day.split("-").map(Number) as [number, number, number];
    const [hour, minute] = time.split(":").map(Number) as [number, number];
    return momentAtClockTime({ year, month, day: date, hour, minute }, zone).toISOString();
  };

  test.each([
    ["2026-12-01", "07:30", "Asia/Tokyo", "2026-11-30T22:30:00.000Z"],
    ["2026-03-29", "07:00", "Europe/Rome", "2026-03-29T05:00:00.000Z"],
    // One that the clocks skip, and one that they show twice.
    ["2026-03-29", "02:30", "Europe/Rome", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25", "02:30", "Europe/Rome", "2026-10-25T00:30:00.000Z"],
    // A day past the end of its month, and the day that Samoa skipped.
    ["2026-12-32", "07:00", "UTC", "2027-01-01T07:00:00.000Z"],
    ["2011-12-30", "07:00", "Pacific/Apia", "2011-12-30T17:00:00.000Z"],
  ])("%s %s in %s is %s", (day, time, zone, iso) => {
    expect(moment(day, time, zone)).toBe(iso);
  });

  it("is what the clocks show then, in every zone on every day of two years", () => {
    for (const zone of ["Europe/Rome", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu"])
      for (let day = 1; day <= 730; day++) {
        const moment = momentAtClockTime({ year: 2026, month: 1, day, hour: 7, minute: 0 }, zone);
        expect(clockTime(moment, zone)).toMatchObject({ hour: 7, minute: 0 });
      }
  });
});

test.each([
  ["2026-11-30T22:30:00Z", "Asia/Tokyo", "2026-12-01T07:30:00.000+09:00"],
  ["2026-10-25T00:30:00Z", "Europe/Rome", "2026-10-25T02:30:00.000+02:00"],
  ["2026-05-01T09:00:00Z", "UTC", "2026-05-01T09:00:00.000+00:00"],
])("%s with the offset of %s is %s", (iso, zone, shown) => {
  expect(isoWithOffset(at(iso), zone)).toBe(shown);
  expect(at(shown)).toEqual(at(iso));
});

describe("an hour that the clocks show twice", () => {
  test.each([
    ["2026-10-25T00:30Z", "Europe/Rome", "02:30, Rome summer time"],
    ["2026-10-25T01:30Z", "Europe/Rome", "02:30, Rome winter time"],
    ["2026-11-01T05:30Z", "EST5EDT", "01:30 EST5EDT, summer time"],
  ])("at %s in %s is named: %s", (iso, zone, words) => {
    // Also on a site of that zone.
    expect(departureInWords(at(iso), zone, zone)).toMatch(new RegExp(`, ${words}$`));
    expect(deadlineInWords(at(iso), at(iso), zone, zone)).toBe(
      `${words.slice(0, 5)} today (${words.slice(5).replace(/^,? /, "")})`,
    );
    expect(momentInWords(at(iso), zone)).toMatch(new RegExp(`, ${words}$`));
    expect(departureInShort(at(iso), at(iso), zone, zone)).toMatch(new RegExp(`, ${words}$`));
  });
});

describe("a departure on a card", () => {
  test.each([
    ["2026-11-28T08:00Z", "Europe/Rome", "Sat 28 Nov, 09:00"],
    ["2027-11-20T13:00Z", "Europe/Rome", "Sat 20 Nov 2027, 14:00"],
    ["2026-11-28T00:00Z", "Asia/Tokyo", "Sat 28 Nov, 09:00, Tokyo time"],
    ["2026-11-28T00:00Z", "UTC", "Sat 28 Nov"],
  ])("of %s in %s is %s", (iso, zone, words) => {
    const now = at("2026-11-20T12:00Z");
    expect(departureInShort(at(iso), now, zone, "Europe/Rome")).toBe(words);
  });
});
