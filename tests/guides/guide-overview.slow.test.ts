import mongoose, { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import type { Departure } from "~/guides/departures/guide-departures.server";
import type { GuideOverview, GuideQuery } from "~/guides/guide-overview.server";
import type { GuideReview } from "~/guides/guide-reviews.server";
import { rebuildRatings } from "~/reviews/ratings.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import type { UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import { all } from "../support/openapi";
import { as, makeBooking, makeReply, makeReview, makeTour, makeUser } from "../support/factories";
import { guideOverview } from "../support/services";

useDatabase();
const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

describe("the overview", () => {
  const NOW = new Date("2026-05-15T12:00:00.000Z");
  const AT_NOW = { clock: () => NOW };
  const before = (ms: number) => new Date(NOW.getTime() - ms);

  it("has the guide's own tours by title, with mean and count of all time", async () => {
    const guide = await makeUser();
    const b = await makeTour({ createdById: guide._id, title: "B" });
    const a = await makeTour({ createdById: guide._id, title: "A" });
    await makeTour();
    await makeReview(await makeUser(), b, { rating: 5, createdAt: before(1_000 * DAY) });
    await makeReview(await makeUser(), b, { rating: 2, createdAt: NOW });
    const { tours } = await guideOverview(as(guide), AT_NOW);
    expect(tours.items).toMatchObject([
      { id: a._id.toString(), title: "A", avgRating: 0, reviewCount: 0 },
      { id: b._id.toString(), title: "B", slug: b.slug, avgRating: 3.5, reviewCount: 2 },
    ]);
  });

  it("has twelve months of ratings, each from its first to its last moment", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    for (const [rating, at] of [
      [1, "2025-05-31T23:59:59.999Z"],
      [5, "2025-06-01T00:00:00.000Z"],
      [4, "2025-06-30T23:59:59.999Z"],
      [3, "2026-01-01T00:00:00.000Z"],
      [2, "2026-05-15T11:00:00.000Z"],
    ] as const)
      await makeReview(await makeUser(), tour, { rating, createdAt: new Date(at) });
    const { months } = (await guideOverview(as(guide), AT_NOW)).tours.items[0]!;
    expect(months.map(({ month }) => month)).toEqual([
      "2025-06",
      "2025-07",
      "2025-08",
      "2025-09",
      "2025-10",
      "2025-11",
      "2025-12",
      "2026-01",
      "2026-02",
      "2026-03",
      "2026-04",
      "2026-05",
    ]);
    expect(months.filter(({ count }) => count > 0)).toEqual([
      { month: "2025-06", count: 2, mean: 4.5 },
      { month: "2026-01", count: 1, mean: 3 },
      { month: "2026-05", count: 1, mean: 2 },
    ]);
    expect(months[1]).toEqual({ month: "2025-07", count: 0, mean: null });
  });

  it("has the last 90 days and those before, each from its first to its last moment", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    for (const [rating, at] of [
      [5, before(0)],
      [4, before(90 * DAY)],
      [3, before(90 * DAY + 1)],
      [1, before(180 * DAY)],
      [5, before(180 * DAY + 1)],
    ] as const)
      await makeReview(await makeUser(), tour, { rating, createdAt: at });
    await makeTour({ createdById: guide._id });
    const { tours } = await guideOverview(as(guide), AT_NOW);
    const none = { count: 0, mean: null };
    expect(tours.items.map(({ recent }) => recent)).toContainEqual({ last: none, before: none });
    expect(tours.items.find(({ reviewCount }) => reviewCount > 0)!.recent).toEqual({
      last: { count: 2, mean: 4.5 },
      before: { count: 2, mean: 2 },
    });
  });

  it("has the months of each tour's own zone", async () => {
    const guide = await makeUser();
    for (const [title, timeZone] of [
      ["A", "Asia/Tokyo"],
      ["B", "America/Los_Angeles"],
      ["C", null],
    ] as const) {
      const tour = await makeTour({ createdById: guide._id, title, timeZone });
      for (const at of ["2026-04-30T15:00:00.000Z", "2026-05-01T06:59:59.999Z"])
        await makeReview(await makeUser(), tour, { createdAt: new Date(at) });
    }
    const { tours } = await guideOverview(as(guide), AT_NOW);
    const counts = tours.items.map(({ months }) =>
      Object.fromEntries(months.flatMap(({ month, count }) => (count ? [[month, count]] : []))),
    );
    expect(counts).toEqual([{ "2026-05": 2 }, { "2026-04": 2 }, { "2026-04": 1, "2026-05": 1 }]);
  });

  /** All reviews that are asked for, page by page. */
  async function allReviews(guide: UserDocument, query: Partial<GuideQuery> = {}) {
    const items: GuideReview[] = [];
    for (let after: string | null = null; ;) {
      const { reviews }: GuideOverview = await guideOverview(as(guide), {
        ...AT_NOW,
        query: { sort: "newest", ...query, after },
      });
      expect(reviews.items.length).toBeLessThanOrEqual(20);
      items.push(...reviews.items);
      if (reviews.next === null) return items;
      expect(reviews.items).toHaveLength(20);
      after = reviews.next;
    }
  }

  it("has those without a reply first unless another order is asked for, of all tours or one", async () => {
    const guide = await makeUser();
    const tours = [0, 1].map(() => makeTour({ createdById: guide._id }));
    const [a, b] = await Promise.all(tours);
    const make = (tour: TourDocument, rating: number, hours: number) =>
      makeReview({ _id: new Types.ObjectId() }, tour, { rating, createdAt: before(hours * HOUR) });
    const [good, bad, poor] = [await make(a!, 5, 1), await make(b!, 1, 3), await make(a!, 2, 2)];
    await makeReply(guide, await make(a!, 1, 0), { text: "Sorry." });
    const idsOf = async (query: Partial<GuideQuery> = {}) =>
      (await guideOverview(as(guide), { ...AT_NOW, query })).reviews.items;
    const all = await idsOf();
    expect(all.map(({ id, reply }) => [id, reply?.text])).toEqual([
      ...[good, poor, bad].map(({ _id }) => [_id.toString(), undefined]),
      [all[3]!.id, "Sorry."],
    ]);
    const ofA = await idsOf({ tour: a!._id.toString() });
    expect(ofA.map(({ id }) => id)).toEqual(
      [good, poor, all[3]!].map((one) => String("id" in one ? one.id : one._id)),
    );
    expect((await idsOf({ sort: "newest" }))[0]!.id).toBe(all[3]!.id);
    expect(await idsOf({ stars: 5 })).toMatchObject([{ id: good._id.toString() }]);
  });

  it.each(["unanswered", "newest"] as const)(
    "says of a reply that an operator has removed when, why and whose it was, in the order %s",
    async (sort) => {
      const [guide, former] = [await makeUser(), await makeUser()];
      const tour = await makeTour({ createdById: guide._id });
      const make = (hours: number) =>
        makeReview({ _id: new Types.ObjectId() }, tour, { createdAt: before(hours * HOUR) });
      const [removed, withdrawn] = [await make(2), await make(1)];
      const caseId = new Types.ObjectId();
      await makeReply(former, removed, { hidden: { at: NOW, ground: "danger", caseId } });
      await makeReply(guide, withdrawn, { text: null });
      const { reviews } = await guideOverview(as(guide), { ...AT_NOW, query: { sort } });
      expect(reviews.items).toMatchObject([
        { id: withdrawn._id.toString(), reply: null, removedReply: null },
        {
          id: removed._id.toString(),
          reply: null,
          removedReply: {
            at: NOW.toISOString(),
            ground: "danger",
            userId: former._id.toString(),
          },
        },
      ]);
    },
  );

  it("has those of a tour, of a number of stars and of both, a platform's odd ones in their place", async () => {
    const guide = await makeUser();
    const tours: TourDocument[] = [];
    // More tours than one query takes.
    for (let n = 0; n < 23; n++) tours.push(await makeTour({ createdById: guide._id }));
    const foreign = await makeTour();
    const rows = Array.from({ length: 230 }, (_, n) => ({
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
      const found = await allReviews(guide, query);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ _id }) => _id.toString()));
      const { filter } = await guideOverview(as(guide), { ...AT_NOW, query });
      expect(filter).toMatchObject({ tour, stars });
      expect(stars ? filter.byStars[stars as 4] : filter.all).toBe(expected.length);
      expect(filter.tours).toHaveLength(23);
    }
  });

  it("neither repeats nor skips a review when others come and go", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const reviews = [];
    for (let n = 0; n < 25; n++)
      reviews.push(await makeReview(await makeUser(), tour, { createdAt: before(n * HOUR) }));
    const sort = "newest";
    const first = (await guideOverview(as(guide), { ...AT_NOW, query: { sort } })).reviews;
    await makeReview(await makeUser(), tour, { createdAt: NOW });
    for (const n of [3, 19]) await Review.deleteOne({ _id: reviews[n]!._id });
    const second = await guideOverview(as(guide), {
      ...AT_NOW,
      query: { sort, after: first.next },
    });
    const expected = reviews.slice(20).map(({ _id }) => _id.toString());
    expect(second.reviews.items.map(({ id }) => id)).toEqual(expected);
  });

  test.each([
    ["another guide's tour", { tour: new Types.ObjectId().toString() }],
    ["a tour that is no id", { tour: "nope" }],
    ["a cursor that is none", { after: "nope" }],
  ])("%s shows the first page of all", async (_, query) => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    await makeReview(await makeUser(), tour);
    const { reviews, filter } = await guideOverview(as(guide), { ...AT_NOW, query });
    expect(reviews.items).toHaveLength(1);
    expect(filter.tour).toBeNull();
  });

  it("has departures: to be completed, then to come, then those of the last 30 days", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id, date: before(-DAY) });
    const undated = await makeTour({ createdById: guide._id });
    const ann = await makeUser({ name: "Ann", image: "https://example.test/ann.png" });
    const book = (of: TourDocument, date: Date | null, status: string, user = ann) =>
      makeBooking(user, of, { date, status });
    await book(tour, before(31 * DAY), "COMPLETED");
    await book(tour, before(20 * DAY), "COMPLETED");
    await book(tour, before(10 * DAY), "CANCELLED");
    await book(tour, before(2 * HOUR), "CONFIRMED");
    await book(tour, before(2 * HOUR), "PENDING", await makeUser({ name: "Bob" }));
    await book(tour, before(0), "CONFIRMED");
    await book(tour, before(-5 * DAY), "CONFIRMED");
    await book(tour, before(-DAY), "CONFIRMED");
    await book(tour, null, "PENDING", { _id: new Types.ObjectId() } as UserDocument);
    await book(undated, null, "CONFIRMED");
    await book(await makeTour(), before(HOUR), "CONFIRMED");

    const { open, upcoming, past } = (await guideOverview(as(guide), AT_NOW)).departures;
    const departures = Object.entries({ open, upcoming, past }).flatMap(([state, { items }]) =>
      items.map((departure) => ({ ...departure, state })),
    );
    expect(
      departures.map(({ tour: { id }, date, state }) => [
        id === undated._id.toString() ? "undated" : "tour",
        date,
        state,
      ]),
    ).toEqual([
      ["undated", null, "open"],
      ["tour", before(2 * HOUR).toISOString(), "open"],
      ["tour", NOW.toISOString(), "open"],
      ["tour", before(-DAY).toISOString(), "upcoming"],
      ["tour", before(-5 * DAY).toISOString(), "upcoming"],
      ["tour", before(10 * DAY).toISOString(), "past"],
      ["tour", before(20 * DAY).toISOString(), "past"],
    ]);
    const guests = departures.map(({ bookings }) =>
      bookings.map(({ explorer, status }) => `${explorer.name} ${status}`).sort(),
    );
    expect(guests[1]).toEqual(["Ann CONFIRMED", "Bob PENDING"]);
    // A booking without a date is one of the tour's own; its explorer's account is gone.
    expect(guests[3]).toEqual([" PENDING", "Ann CONFIRMED"]);
    expect(departures[0]!.bookings[0]!.explorer.image).toBe(ann.image);
  });

  it("shows what is to be done however much is to come, each departure once on its page", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const at = (hours: number) => before(-hours * HOUR);
    const book = (status: string, dates: (Date | null)[]) =>
      Booking.insertMany(
        dates.map((date) => ({ userId: new Types.ObjectId(), tourId: tour._id, status, date })),
      );
    await book(
      "CONFIRMED",
      Array.from({ length: 2_500 }, (_, n) => at(1 + (n % 1_250))),
    );
    await book(
      "COMPLETED",
      Array.from({ length: 30 }, (_, n) => at(-24 - n)),
    );
    const open = Array.from({ length: 7 }, (_, n) => at(n - 7));
    await book("CONFIRMED", [...open, ...open]);
    await book("PENDING", open);
    const seen: string[] = [];
    for (const page of [1, 2]) {
      const { departures } = await guideOverview(as(guide), { ...AT_NOW, query: { open: page } });
      expect(departures.open).toMatchObject({ page, pages: 2 });
      expect(departures.upcoming).toMatchObject({ page: 1, pages: 100 });
      expect(departures.past).toMatchObject({ page: 1, pages: 6 });
      for (const { date, counts } of departures.open.items) {
        expect(counts).toEqual([
          { status: "CONFIRMED", count: 2 },
          { status: "PENDING", count: 1 },
        ]);
        seen.push(date!);
      }
    }
    expect(seen).toEqual(open.map((date) => date.toISOString()));
    for (const page of [-1, 0, NaN, 1.5, 1e9]) {
      const { departures } = await guideOverview(as(guide), { ...AT_NOW, query: { open: page } });
      expect(departures.open.page).toBe(page === 1e9 ? 2 : 1);
    }
  });

  it("names the first explorers of a departure and counts all; those who can come before the others", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const date = before(HOUR);
    const book = (status: string, length: number) =>
      Booking.insertMany(
        Array.from({ length }, () => ({
          userId: new Types.ObjectId(),
          tourId: tour._id,
          status,
          date,
        })),
      );
    await book("CANCELLED", 60);
    await book("CONFIRMED", 70);
    const open = async (all = "") =>
      (await guideOverview(as(guide), { ...AT_NOW, query: { all } })).departures.open.items[0]!;
    const statuses = ({ bookings }: Departure) => [
      ...new Set(bookings.map(({ status }) => status)),
    ];
    const some = await open();
    expect([some.bookings.length, statuses(some)]).toEqual([50, ["CONFIRMED"]]);
    const counts = [
      { status: "CANCELLED", count: 60 },
      { status: "CONFIRMED", count: 70 },
    ];
    expect(some.counts).toEqual(counts);
    const whole = await open(some.key);
    expect(whole.bookings.filter(({ status }) => status === "CONFIRMED")).toHaveLength(70);
    expect(whole.bookings).toHaveLength(130);
    expect(whole.counts).toEqual(counts);
    await book("CONFIRMED", 1_000);
    expect((await open(some.key)).bookings).toHaveLength(1_000);
    expect((await open(some.key)).counts[1]).toEqual({ status: "CONFIRMED", count: 1_070 });
  });

  it("sends a bounded number of small queries for 500 tours and 10,000 bookings", async () => {
    const guide = await makeUser();
    const tours = Array.from({ length: 500 }, (_, n) => ({
      _id: new Types.ObjectId(),
      title: `Tour ${n}`,
      slug: `tour-${n}`,
      createdById: guide._id,
    }));
    await Tour.insertMany(tours);
    const bookings = Array.from({ length: 10_000 }, (_, n) => ({
      userId: new Types.ObjectId(),
      tourId: tours[n % 500]!._id,
      status: "CONFIRMED",
      date: n % 10 === 0 ? null : before((10 - (n % 40)) * DAY + n),
    }));
    await Booking.insertMany(bookings);
    await Review.insertMany(
      bookings.slice(0, 1_000).map(({ userId, tourId }, n) => ({
        userId,
        tourId,
        rating: 4,
        createdAt: before(n * HOUR),
      })),
    );
    const sent: unknown[] = [];
    const keep = ({ command }: { command: unknown }) => void sent.push(command);
    mongoose.connection.getClient().on("commandStarted", keep);
    const { tours: shown, reviews, departures } = await guideOverview(as(guide), AT_NOW);
    mongoose.connection.getClient().off("commandStarted", keep);
    // Of each number of stars, then of those without a comment.
    expect(sent.length).toBeLessThanOrEqual(350);
    const lists = sent.flatMap((command) => all("$in", command) as unknown[][]);
    expect(Math.max(...lists.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect([shown.items.length, shown.pages]).toEqual([12, 42]);
    expect([reviews.items.length, reviews.next !== null]).toEqual([20, true]);
    expect([departures.open.items.length, departures.upcoming.items.length]).toEqual([5, 10]);
    for (const { pages } of [departures.open, departures.upcoming])
      expect(pages).toBeGreaterThan(20);
  });
});
