import { describe, expect, test } from "vitest";
import { tourRefresh } from "~/search/tour-refresh.server";
import { ignoredDays, listAddress, readListQuery } from "~/tours/search/list-query";
import { onOtherDays } from "~/tours/search/nothing-found.server";
import { searchTours } from "~/tours/search/search.server";
import { getTourPage } from "~/tours/tours.server";
import { useDatabase } from "../support/database";
import { expectReads, sentBy } from "../support/explain";
import { makeTour } from "../support/factories";

// The departures of a tour (docs/rules/tours.md, Times).

useDatabase();

const DAY_MS = 24 * 60 * 60 * 1_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** The texts of the page of a tour with these departures, in days from now. */
async function pageOf(date: number | null, dates: number[] = []) {
  const { slug } = await makeTour({
    date: date === null ? null : inDays(date),
    dates: dates.map(inDays),
  });
  const { tour, departed, toCome } = await getTourPage(slug);
  const days = (at: string | null) => at && Math.round((Date.parse(at) - Date.now()) / DAY_MS);
  const listed = [toCome.next, toCome.folded].map((some) => some.map(({ at }) => days(at)));
  return [days(tour.departure), departed, ...listed, toCome.later];
}

test("the departures of a tour are the distinct ones of `date` and `dates`", async () => {
  const NOW = inDays(3);
  const { slug } = await makeTour({ date: NOW, dates: [inDays(4), NOW, NOW] });
  expect((await getTourPage(slug)).toCome.next.map(({ at }) => at)).toEqual([
    NOW.toISOString(),
    expect.any(String),
  ]);
  expect(await pageOf(null)).toEqual([null, false, [], [], 0]);
  expect(await pageOf(2)).toEqual([2, false, [2], [], 0]);
  expect(await pageOf(-2)).toEqual([-2, true, [], [], 0]);
  expect(await pageOf(null, [-9, -4])).toEqual([-4, true, [], [], 0]);
  expect(await pageOf(-2, [9, 5, -1])).toEqual([5, false, [5, 9], [], 0]);
  const many = Array.from({ length: 60 }, (_, n) => 60 - n);
  const soonest = many.toReversed();
  expect(await pageOf(null, many)).toEqual([
    1,
    false,
    soonest.slice(0, 5),
    soonest.slice(5, 50),
    10,
  ]);
});

test("each departure is booked at its day in the tour's zone, and the tour at its next", async () => {
  const timeZone = "Asia/Tokyo";
  const dates = ["2098-03-01T14:59:00Z", "2098-03-01T15:00:00Z"].map((at) => new Date(at));
  const bookingUrl = "https://book.example.test/?day={date}&end={date}";
  const booked = async (fields: object) => {
    const { tour, toCome } = await getTourPage((await makeTour({ timeZone, ...fields })).slug);
    return [tour.bookingUrl, ...toCome.next.map((one) => one.bookingUrl)];
  };
  const at = (day: string) => `https://book.example.test/?day=${day}&end=${day}`;
  expect(await booked({ bookingUrl, dates })).toEqual(
    ["2098-03-01", "2098-03-01", "2098-03-02"].map(at),
  );
  expect(await booked({ bookingUrl, date: inDays(-1) })).toEqual([at("")]);
  const plain = "https://book.example.test/";
  expect(await booked({ bookingUrl: plain, dates })).toEqual([plain, null, null]);
});

describe("a search for days", () => {
  const found = async (from: string | null, to: string | null, words = "") => {
    const sort = words ? "match" : "newest";
    const { tours, total } = await searchTours({ words, sort, page: 1, from, to });
    expect(tours).toHaveLength(total);
    return tours.map(({ title, askedDate, nextDate }) => [
      title,
      askedDate?.slice(5, 16),
      nextDate,
    ]);
  };
  const leaving = (title: string, date: string | null, ...dates: string[]) => {
    const at = (day: string) => new Date(`2098-12-${day}:00Z`);
    return makeTour({ title, date: date === null ? null : at(date), dates: dates.map(at) });
  };

  test("finds the tours with a departure on them, each once, with that departure", async () => {
    await leaving("One boat", "05T09:00");
    await leaving("Several walk", null, "20T09:00", "05T23:59", "04T23:59");
    await leaving("Both", "06T00:00", "06T18:00", "05T00:00", "06T00:00");
    await leaving("Around", null, "04T09:00", "07T09:00");
    await makeTour({ title: "Never" });
    await tourRefresh.renew();
    expect(await found("2098-12-05", "2098-12-05")).toEqual([
      ["Both", "12-05T00:00", null],
      ["Several walk", "12-05T23:59", null],
      ["One boat", "12-05T09:00", null],
    ]);
    expect((await found("2098-12-06", "2098-12-06")).map(([title]) => title)).toEqual(["Both"]);
    expect((await found("2098-12-07", null)).map(([title]) => title)).toEqual([
      "Around",
      "Several walk",
    ]);
    expect((await found(null, "2098-12-04")).map(([title]) => title)).toEqual([
      "Around",
      "Several walk",
    ]);
    expect(await found("2098-12-05", "2098-12-05", "walk")).toHaveLength(1);
    expect(await found("2098-12-08", "2098-12-19")).toEqual([]);
    const days = { rest: "", from: "2098-12-08", to: "2098-12-19" };
    expect(await onOtherDays({ words: "" }, days)).toEqual({
      nearest: [
        { day: "2098-12-05", name: "Fri 5 Dec 2098", tours: 3 },
        { day: "2098-12-06", name: "Sat 6 Dec 2098", tours: 1 },
        { day: "2098-12-07", name: "Sun 7 Dec 2098", tours: 1 },
        { day: "2098-12-20", name: "Sat 20 Dec 2098", tours: 1 },
      ],
      later: 1,
      always: 5,
      day: null,
    });
    const walks = await onOtherDays({ words: "walk" }, { ...days, rest: "walk", to: days.from });
    expect(walks).toMatchObject({
      nearest: [
        { day: "2098-12-04", tours: 1 },
        { day: "2098-12-05", tours: 1 },
      ],
      day: "Monday 8 December 2098",
    });
    expect(await found(null, null)).toHaveLength(5);
  });

  test("of the past finds what left then, and of today what is still to leave", async () => {
    const [past, soon] = [new Date(Date.now() - 1), new Date(Date.now() + 60_000)];
    await makeTour({ date: past, dates: [soon] });
    await makeTour({ dates: [new Date("2001-02-03T04:05:00Z")] });
    await tourRefresh.renew();
    const days = [past, soon].map((at) => at.toISOString().slice(0, 10)) as [string, string];
    expect((await found(...days))[0]![1]).toBe(soon.toISOString().slice(5, 16));
    expect((await found("2001-02-03", "2001-02-03"))[0]![1]).toBe("02-03T04:05");
  });

  test("reads by indexes only the tours that leave on them", async () => {
    for (let day = 10; day < 30; day++) await leaving(`T${day}`, `${day}T09:00`);
    for (let day = 10; day < 30; day++) await leaving(`S${day}`, null, `${day}T09:00`, "31T09:00");
    await tourRefresh.renew();
    let tours = 0;
    const sent = await sentBy(async () => {
      tours = (await found("2098-12-15", "2098-12-16")).length;
    });
    expect(tours).toBe(4);
    await expectReads(
      sent.filter(({ collection }) => collection === "tours"),
      4,
    );
  });

  test("names them in its address, and says which count as none", () => {
    const read = (search: string) => {
      const params = new URLSearchParams(search);
      const { from, to } = readListQuery(params);
      return [from, to, ...ignoredDays(params).map(({ text }) => text)];
    };
    for (const [search, ...expected] of [
      ["from=2098-12-05&to=2098-12-05", "2098-12-05", "2098-12-05"],
      ["from=2098-12-05", "2098-12-05", null],
      ["from=&to=", null, null],
      ["from=2098-02-29&to=tomorrow", null, null, "2098-02-29", "tomorrow"],
      ["from=2098-12-05&to=2098-12-04", "2098-12-05", null, "2098-12-04"],
      [`from=${"9".repeat(99)}`, null, null, "9".repeat(40)],
    ])
      expect(read(search as string), search as string).toEqual(expected);
    const query = {
      words: "",
      from: "2098-12-05",
      to: "2098-12-06",
      sort: "best",
      page: 2,
    } as const;
    expect(listAddress(query)).toBe("/?from=2098-12-05&to=2098-12-06&page=2");
  });

  test("takes words for days, unless the address has days or the words are quoted", async () => {
    const tomorrow = new Date(Date.now() + DAY_MS);
    const day = tomorrow.toISOString().slice(0, 10);
    await makeTour({ title: "Old harbour", date: tomorrow });
    await makeTour({ title: "Harbour of tomorrow" });
    await tourRefresh.renew();
    const read = async (words: string, days = {}) => {
      const { tours, ...rest } = await searchTours({ words, sort: "match", page: 1, ...days });
      return [tours.map(({ title }) => title), rest.days?.rest, rest.days?.from, rest.asWords];
    };
    expect(await read("tomorrow")).toEqual([["Old harbour"], "", day, 1]);
    expect(await read("by tomorrow")).toEqual([["Old harbour"], "by", day, 1]);
    expect(await read("harbour tomorrow")).toEqual([["Old harbour"], "harbour", day, 1]);
    expect(await read("boat tomorrow")).toEqual([[], "boat", day, 0]);
    expect(await read('"tomorrow"')).toEqual([["Harbour of tomorrow"], undefined, undefined, 0]);
    expect(await read("tomorrow", { from: "2001-01-01" })).toEqual([
      [],
      "tomorrow",
      "2001-01-01",
      0,
    ]);
  });
});
