import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import type { GuideReview } from "~/guides/guide-overview.server";
import type { GuideQuery } from "~/guides/guide-address";
import type { Departure } from "~/guides/departures/guide-departures.server";
import { deleteReview } from "~/reviews/delete.server";
import { ratingAt } from "~/reviews/list-changes.server";
import { postReview } from "~/reviews/post.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import {
  as,
  makeBookedExplorer,
  makeBooking,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { guideOverview } from "../support/services";
import { atTime, setTime } from "../support/time";

useDatabase();
const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const NOW = new Date("2026-05-15T12:00:00.000Z");
const before = (ms: number) => new Date(NOW.getTime() - ms);

/** A guide, who leads the tours that are made. */
async function scene() {
  const guide = await makeUser();
  return {
    guide,
    lead: (fields: Partial<TourDocument> = {}) => makeTour({ createdById: guide._id, ...fields }),
    overview: (query: Partial<GuideQuery> = {}) =>
      atTime(NOW, () => guideOverview(as(guide), query)),
  };
}

/** A review of somebody new. */
const review = (tour: { _id: Types.ObjectId }, createdAt: Date, rating = 4) =>
  makeReview({ _id: new Types.ObjectId() }, tour, { rating, createdAt });

/** Bookings of people without accounts, one at each date. */
const insertBookings = (tour: { _id: Types.ObjectId }, status: string, dates: Date[]) =>
  Booking.insertMany(
    dates.map((date) => ({ userId: new Types.ObjectId(), tourId: tour._id, status, date })),
  );

const times = <Item>(length: number, item: (n: number) => Item) =>
  Array.from({ length }, (_, n) => item(n));

describe("the tours", () => {
  it("are the guide's own by title, with mean and count of all time", async () => {
    const { lead, overview } = await scene();
    const b = await lead({ title: "B" });
    const a = await lead({ title: "A" });
    await makeTour();
    await review(b, before(1_000 * DAY), 5);
    await review(b, NOW, 2);
    expect((await overview()).tours.items).toMatchObject([
      { id: a._id.toString(), title: "A", avgRating: 0, reviewCount: 0 },
      { id: b._id.toString(), title: "B", slug: b.slug, avgRating: 3.5, reviewCount: 2 },
    ]);
  });

  it("have twelve months of ratings, each from its first to its last moment", async () => {
    const { lead, overview } = await scene();
    const tour = await lead();
    await review(tour, new Date("2025-05-31T23:59:59.999Z"), 1);
    await review(tour, new Date("2025-06-01T00:00:00.000Z"), 5);
    await review(tour, new Date("2025-06-30T23:59:59.999Z"), 4);
    await review(tour, new Date("2026-01-01T00:00:00.000Z"), 3);
    await review(tour, new Date("2026-05-15T11:00:00.000Z"), 2);
    const { months } = (await overview()).tours.items[0]!;
    const rated: Record<string, object> = {
      "2025-06": { count: 2, mean: 4.5 },
      "2026-01": { count: 1, mean: 3 },
      "2026-05": { count: 1, mean: 2 },
    };
    const expected = times(12, (n) => new Date(Date.UTC(2025, 5 + n)).toISOString().slice(0, 7));
    expect(months).toEqual(
      expected.map((month) => ({
        month,
        ...(rated[month] ?? { count: 0, mean: null }),
        atEnd: null,
      })),
    );
  });

  it("have the rating at the end of each month, which no later change rewrites", async () => {
    const { lead, overview } = await scene();
    const tour = await lead();
    const at = (time: string) => setTime(new Date(time));
    const post = async (rating: number) => {
      const explorer = as(await makeBookedExplorer(tour));
      const { review } = await postReview(explorer, { tourId: tour._id.toString(), rating });
      return () => deleteReview(explorer, review.id);
    };
    at("2026-01-31T23:59:59.999Z");
    const deleteFirst = await post(5);
    at("2026-02-01T00:00:00.001Z");
    await post(2);
    await post(2);
    at("2026-05-02T00:00:00.000Z");
    await deleteFirst();
    const ends = async () =>
      (await overview()).tours.items[0]!.months.flatMap(({ month, atEnd }) =>
        atEnd === null ? [] : [[month, atEnd]],
      );
    const shown = await ends();
    expect(shown).toEqual([
      ["2026-01", 5],
      ["2026-02", 3],
      ["2026-03", 3],
      ["2026-04", 3],
      ["2026-05", 2],
    ]);
    for (const [month, mean] of shown.slice(0, -1)) {
      const next = Number(String(month).slice(5)) + 1;
      const { avgRating } = await ratingAt(tour._id.toString(), `2026-0${next}-01`);
      expect([month, avgRating]).toEqual([month, mean]);
    }
  });

  it("have the last 90 days and those before, each from its first to its last moment", async () => {
    const { lead, overview } = await scene();
    const tour = await lead({ title: "Rated" });
    await review(tour, before(0), 5);
    await review(tour, before(90 * DAY), 4);
    await review(tour, before(90 * DAY + 1), 3);
    await review(tour, before(180 * DAY), 1);
    await review(tour, before(180 * DAY + 1), 5);
    await lead({ title: "Unrated" });
    const none = { count: 0, mean: null };
    expect((await overview()).tours.items.map(({ recent }) => recent)).toEqual([
      { last: { count: 2, mean: 4.5 }, before: { count: 2, mean: 2 } },
      { last: none, before: none },
    ]);
  });

  it("have the months of each tour's own zone", async () => {
    const { lead, overview } = await scene();
    for (const [title, timeZone] of [
      ["A", "Asia/Tokyo"],
      ["B", "America/Los_Angeles"],
      ["C", null],
    ] as const) {
      const tour = await lead({ title, timeZone });
      for (const at of ["2026-04-30T15:00:00.000Z", "2026-05-01T06:59:59.999Z"])
        await review(tour, new Date(at));
    }
    const counts = (await overview()).tours.items.map(({ months }) =>
      Object.fromEntries(months.flatMap(({ month, count }) => (count ? [[month, count]] : []))),
    );
    expect(counts).toEqual([{ "2026-05": 2 }, { "2026-04": 2 }, { "2026-04": 1, "2026-05": 1 }]);
  });
});

describe("the reviews", () => {
  it.each(["unanswered", "newest"] as const)(
    "say of a reply that an operator has removed when, why and whose it was, in the order %s",
    async (sort) => {
      const { guide, lead, overview } = await scene();
      const former = await makeUser();
      const tour = await lead();
      const [removed, withdrawn] = [
        await review(tour, before(2 * HOUR)),
        await review(tour, before(HOUR)),
      ];
      const caseId = new Types.ObjectId();
      await makeReply(former, removed, { hidden: { at: NOW, ground: "danger", caseId } });
      await makeReply(guide, withdrawn, { text: null });
      const removedReply = {
        at: NOW.toISOString(),
        ground: "danger",
        userId: former._id.toString(),
      };
      expect((await overview({ sort })).reviews.items).toMatchObject([
        { id: withdrawn._id.toString(), reply: null, removedReply: null },
        { id: removed._id.toString(), reply: null, removedReply },
      ]);
    },
  );

  it("are those of a tour, of a number of stars and of both, a platform's odd ones in their place", async () => {
    const { lead, overview } = await scene();
    // More tours than one query takes.
    const tours = await Promise.all(times(23, () => lead()));
    const foreign = await makeTour();
    const rows = times(230, (n) => ({
      _id: new Types.ObjectId(),
      userId: new Types.ObjectId(),
      tourId: (n % 10 === 9 ? foreign : tours[n % 23]!)._id,
      rating: n % 17 === 0 ? 4.4 : n % 19 === 0 ? "good" : 1 + (n % 5),
      // Some of the same moment; and of some only the id has the time.
      createdAt: n % 13 === 0 ? undefined : before((n % 50) * DAY),
    }));
    await Review.collection.insertMany(rows);
    await rebuildRatings({ tourIds: tours.map(({ _id }) => _id) });
    const timeOf = ({ _id, createdAt }: (typeof rows)[number]) =>
      (createdAt ?? _id.getTimestamp()).getTime();
    const sorted = rows
      .filter(({ tourId }) => !tourId.equals(foreign._id))
      .sort((x, y) => timeOf(y) - timeOf(x) || (String(x._id) < String(y._id) ? 1 : -1));
    const tour = tours[3]!._id.toString();
    for (const query of [{}, { tour }, { stars: 4 }, { stars: 5 }, { tour, stars: 4 }]) {
      const { tour = null, stars = null } = query;
      const expected = sorted.filter(
        ({ tourId, rating }) =>
          (!tour || tourId.toString() === tour) &&
          (!stars || (typeof rating === "number" && Math.round(rating) === stars)),
      );
      const found: GuideReview[] = [];
      for (let after: string | null | undefined; after !== null;) {
        const { reviews }: Awaited<ReturnType<typeof overview>> = await overview({
          sort: "newest",
          ...query,
          after: after ?? null,
        });
        expect(reviews.items.length).toBeLessThanOrEqual(20);
        if (reviews.next !== null) expect(reviews.items).toHaveLength(20);
        found.push(...reviews.items);
        after = reviews.next;
      }
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ _id }) => _id.toString()));
      const { filter } = await overview(query);
      expect(filter).toMatchObject({ tour, stars });
      expect(stars ? filter.byStars[stars as 4] : filter.all).toBe(expected.length);
      expect(filter.tours).toHaveLength(23);
    }
  });

  test.each([
    ["another guide's tour", { tour: new Types.ObjectId().toString() }],
    ["a tour that is no id", { tour: "nope" }],
    ["a cursor that is none", { after: "nope" }],
  ])("for %s are the first page of all", async (_, query) => {
    const { lead, overview } = await scene();
    await review(await lead(), NOW);
    const { reviews, filter } = await overview(query);
    expect(reviews.items).toHaveLength(1);
    expect(filter.tour).toBeNull();
  });
});

describe("the departures", () => {
  it("are to be completed, then to come, then those of the last 30 days", async () => {
    const { lead, overview } = await scene();
    const tour = await lead({ title: "tour", date: before(-DAY) });
    const undated = await lead({ title: "undated" });
    const ann = await makeUser({ name: "Ann", image: "https://example.test/ann.png" });
    const book = (of: TourDocument, date: Date | null, status: string, user = { _id: ann._id }) =>
      makeBooking(user, of, { date, status });
    await book(tour, before(31 * DAY), "COMPLETED");
    await book(tour, before(20 * DAY), "COMPLETED");
    await book(tour, before(10 * DAY), "CANCELLED");
    await book(tour, before(2 * HOUR), "CONFIRMED");
    await book(tour, before(2 * HOUR), "PENDING", await makeUser({ name: "Bob" }));
    await book(tour, before(0), "CONFIRMED");
    await book(tour, before(-5 * DAY), "CONFIRMED");
    await book(tour, before(-DAY), "CONFIRMED");
    await book(tour, null, "PENDING", { _id: new Types.ObjectId() });
    await book(undated, null, "CONFIRMED");
    await book(await makeTour(), before(HOUR), "CONFIRMED");

    const { open, upcoming, past } = (await overview()).departures;
    const departures = Object.entries({ open, upcoming, past }).flatMap(([state, { items }]) =>
      items.map((departure) => ({ ...departure, state })),
    );
    expect(departures.map(({ tour, date, state }) => [tour.title, date, state])).toEqual([
      ["undated", null, "open"],
      ["tour", before(2 * HOUR).toISOString(), "open"],
      ["tour", NOW.toISOString(), "open"],
      ["tour", before(-DAY).toISOString(), "upcoming"],
      ["tour", before(-5 * DAY).toISOString(), "upcoming"],
      ["tour", before(10 * DAY).toISOString(), "past"],
      ["tour", before(20 * DAY).toISOString(), "past"],
    ]);
    const guests = departures.map(({ bookings }) =>
      bookings.map(({ name, status }) => `${name} ${status}`).sort(),
    );
    expect(guests[1]).toEqual(["Ann CONFIRMED", "Bob PENDING"]);
    // A booking without a date is one of the tour's own; its explorer's account is gone.
    expect(guests[3]).toEqual([" PENDING", "Ann CONFIRMED"]);
    expect(departures[0]!.bookings[0]!.image).toBe(ann.image);
  });

  it("to be completed are there however much is to come, each once on its page", async () => {
    const { lead, overview } = await scene();
    const tour = await lead();
    const at = (hours: number) => before(-hours * HOUR);
    const open = times(7, (n) => at(n - 7));
    await insertBookings(
      tour,
      "CONFIRMED",
      times(2_500, (n) => at(1 + (n % 1_250))),
    );
    await insertBookings(tour, "CONFIRMED", [...open, ...open]);
    await insertBookings(tour, "PENDING", open);
    const seen: string[] = [];
    for (const page of [1, 2]) {
      const { departures } = await overview({ open: page });
      expect(departures.open).toMatchObject({ page, pages: 2 });
      expect(departures.upcoming).toMatchObject({ page: 1, pages: 100 });
      for (const { date, counts } of departures.open.items) {
        expect(counts).toEqual([
          { status: "CONFIRMED", count: 2 },
          { status: "PENDING", count: 1 },
        ]);
        seen.push(date!);
      }
    }
    expect(seen).toEqual(open.map((date) => date.toISOString()));
    for (const page of [-1, 0, NaN, 1.5, 1e9])
      expect((await overview({ open: page })).departures.open.page).toBe(page === 1e9 ? 2 : 1);
  });

  it("name their first explorers and count all; those who can come before the others", async () => {
    const { lead, overview } = await scene();
    const tour = await lead();
    const book = (status: string, length: number) =>
      insertBookings(
        tour,
        status,
        times(length, () => before(HOUR)),
      );
    await book("CANCELLED", 60);
    await book("CONFIRMED", 70);
    const open = async (all = "") => (await overview({ all })).departures.open.items[0]!;
    const confirmed = ({ bookings }: Departure) =>
      bookings.filter(({ status }) => status === "CONFIRMED");
    const some = await open();
    expect([some.bookings.length, confirmed(some).length]).toEqual([50, 50]);
    const counts = [
      { status: "CANCELLED", count: 60 },
      { status: "CONFIRMED", count: 70 },
    ];
    expect(some.counts).toEqual(counts);
    const whole = await open(some.key);
    expect([whole.bookings.length, confirmed(whole).length]).toEqual([130, 70]);
    expect(whole.counts).toEqual(counts);
  });
});
