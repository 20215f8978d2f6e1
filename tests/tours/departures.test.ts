import { expect, test } from "vitest";
import { getTourPage } from "~/tours/tours.server";
import { useDatabase } from "../support/database";
import { makeTour } from "../support/factories";

// The departures of a tour (docs/rules/tours.md, Times).

useDatabase();

const DAY_MS = 24 * 60 * 60 * 1_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** What the page says of a tour of these departures, in days from now. */
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
