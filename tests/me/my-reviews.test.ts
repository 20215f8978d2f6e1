import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import {
  countToursToReview,
  MY_REVIEWS_PER_PAGE,
  myReviews,
  nextTourToReview,
  TOURS_TO_REVIEW_PER_PAGE,
  toursToReview,
} from "~/me/my-reviews.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { editReview } from "~/reviews/edit.server";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { as, makeBooking, makeReview, makeTour, makeUser } from "../support/factories";
import { setTime } from "../support/time";

useDatabase();
const NOW = new Date("2026-05-20T12:00:00Z");
const before = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR_MS = 60 * 60 * 1_000;

describe("my reviews", () => {
  test("are the user's own, newest first, with their tours and what can be done", async () => {
    const [old, edge, fresh] = [
      await makeTour({ title: "Old" }),
      await makeTour({ title: "Edge" }),
      await makeTour({ title: "Fresh", timeZone: "Asia/Tokyo" }),
    ];
    const ann = await makeUser();
    const edgeReview = await makeReview(ann, edge, { createdAt: before(EDIT_WINDOW_MS) });
    await makeReview(ann, old, { createdAt: before(EDIT_WINDOW_MS + 1), comment: "Long ago" });
    await makeReview(ann, fresh, { createdAt: NOW, rating: 2, editedAt: NOW });
    await makeReview(await makeUser(), fresh, { createdAt: NOW });
    await makeBooking(ann, fresh, { date: before(HOUR_MS) });
    await makeBooking(ann, old, { date: NOW });

    setTime(NOW);
    expect((await myReviews(as(ann))).items).toMatchObject([
      {
        rating: 2,
        comment: null,
        createdAt: NOW.toISOString(),
        editedAt: NOW.toISOString(),
        visitedAt: before(HOUR_MS).toISOString(),
        editableUntil: new Date(NOW.getTime() + EDIT_WINDOW_MS).toISOString(),
        tour: { title: "Fresh", slug: fresh.slug },
        timeZone: "Asia/Tokyo",
        reply: null,
      },
      // The page calls those reviews editable of which a PATCH is accepted: not strictly more than 24 hours.
      { id: edgeReview._id.toString(), editableUntil: NOW.toISOString() },
      { comment: "Long ago", visitedAt: null, editableUntil: null },
    ]);
    const id = edgeReview._id.toString();
    const edit = editReview(as(ann), id, { rating: 1 });
    await expect(edit).resolves.toMatchObject({ rating: 1 });
    // A review outlives its tour.
    await Tour.deleteOne({ _id: old._id });
    const { items } = await myReviews(as(ann));
    expect(items[2]).toMatchObject({ comment: "Long ago", tour: null });
  });
});

test("tours to review have a completed booking and no review, and are others' tours", async () => {
  const ann = await makeUser();
  const [early, late, undated, reviewed, open, others] = [
    await makeTour({ title: "Early" }),
    await makeTour({ title: "Late" }),
    await makeTour({ title: "Undated", timeZone: "Asia/Tokyo" }),
    await makeTour(),
    await makeTour(),
    await makeTour(),
  ];
  await makeBooking(ann, early, { date: before(9 * HOUR_MS) });
  await makeBooking(ann, late, { date: before(4 * HOUR_MS) });
  await makeBooking(ann, late, { date: before(2 * HOUR_MS) });
  await makeBooking(ann, undated);
  await makeBooking(ann, reviewed);
  await makeReview(ann, reviewed);
  await makeBooking(ann, open, { status: "CONFIRMED" });
  await makeBooking(await makeUser(), others);
  await makeBooking(ann, await makeTour({ createdById: ann._id }));
  await makeBooking(ann, { _id: new Types.ObjectId() });

  const named = ({ _id, title, slug }: TourDocument) => ({ id: _id.toString(), title, slug });
  expect((await toursToReview(as(ann))).items).toEqual([
    { ...named(late), date: before(2 * HOUR_MS).toISOString(), timeZone: "UTC" },
    { ...named(early), date: before(9 * HOUR_MS).toISOString(), timeZone: "UTC" },
    { ...named(undated), date: null, timeZone: "Asia/Tokyo" },
  ]);
});

test("the next tour to review is the latest of those that wait, and not one that is gone, own or reviewed", async () => {
  const ann = await makeUser();
  const guide = await makeUser();
  const state = async () => [
    await countToursToReview(as(ann)),
    (await nextTourToReview(as(ann)))?.slug,
  ];
  await makeBooking(ann, { _id: new Types.ObjectId() }, { date: before(0) });
  await makeBooking(ann, await makeTour({ createdById: ann._id }), { date: before(1) });
  const reviewed = await makeTour({ createdById: guide._id });
  await makeBooking(ann, reviewed, { date: before(2) });
  await makeReview(ann, reviewed);
  expect(await state()).toEqual([0, undefined]);

  const tours = [];
  for (let n = 1; n <= 3; n++) {
    tours.push(await makeTour({ createdById: guide._id }));
    await makeBooking(ann, tours.at(-1)!, { date: before(n * HOUR_MS) });
    expect(await state()).toEqual([n, tours[0]!.slug]);
  }
  await makeReview(ann, tours[0]!);
  expect(await state()).toEqual([2, tours[1]!.slug]);
});

describe("pages", () => {
  /** The items of all pages together, and the number of pages. */
  async function readAll<Item>(
    read: (after: string | null) => Promise<{ items: Item[]; next: string | null }>,
    onPage: (page: number) => Promise<unknown> = () => Promise.resolve(),
  ) {
    const items: Item[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const page = await read(after);
      items.push(...page.items);
      after = page.next;
      await onPage(++pages);
    } while (after !== null);
    return { items, pages };
  }

  test("of own reviews neither repeat nor skip one, at equal times and while others are deleted", async () => {
    const ann = await makeUser();
    const count = 2 * MY_REVIEWS_PER_PAGE + 6;
    const between = before(4 * HOUR_MS + 1_000);
    const reviews = Array.from({ length: count }, (_, n) => ({
      _id: new Types.ObjectId(),
      userId: ann._id,
      tourId: new Types.ObjectId(),
      rating: 3,
      // Three at each moment, and some of an odd platform at none: at that of their id.
      ...(n < count - 9 && { createdAt: before(Math.floor(n / 3) * HOUR_MS) }),
    }));
    reviews.at(-1)!._id = Types.ObjectId.createFromTime(between.getTime() / 1_000);
    await Review.collection.insertMany(reviews);
    const read = (after: string | null) => myReviews(as(ann), { after });
    const { items, pages } = await readAll(read);
    expect(pages).toBe(3);
    expect(new Set(items.map(({ id }) => id)).size).toBe(count);
    expect(items).toHaveLength(count);
    const times = items.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().reverse());
    // After the eight, whose ids are of now, and three of each of five hours.
    expect(times.indexOf(between.toISOString())).toBe(8 + 3 * 5);

    const seen = await readAll(read, (page) =>
      page === 1 ? Review.deleteOne({ _id: items[3]!.id }) : Promise.resolve(),
    );
    expect(seen.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    const first = await myReviews(as(ann), { after: "nonsense" });
    expect(first.items[0]).toEqual(items[0]);
  });

  test("of tours to review neither repeat nor skip one, with tours that are gone among them", async () => {
    const ann = await makeUser();
    const count = 2 * TOURS_TO_REVIEW_PER_PAGE + 3;
    const guide = await makeUser();
    for (let n = 0; n < count; n++) {
      const tour = await makeTour({ createdById: guide._id });
      await makeBooking(ann, tour, n % 2 ? { date: before(Math.floor(n / 4) * HOUR_MS) } : {});
      await makeBooking(ann, { _id: new Types.ObjectId() });
    }
    const { items, pages } = await readAll((after) => toursToReview(as(ann), { after }));
    expect([pages, items.length, new Set(items.map(({ slug }) => slug)).size]).toEqual([
      3,
      count,
      count,
    ]);
    const dates = items.map(({ date }) => date ?? "");
    expect(dates).toEqual(dates.toSorted().reverse());
    expect((await toursToReview(as(ann), { after: "nonsense" })).items[0]).toEqual(items[0]);
  });
});
