import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { REVIEWS_PER_PAGE } from "~/reviews/list/page.server";
import { getUnansweredFirst, type UnansweredPage } from "~/reviews/replies/unanswered.server";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { useDatabase } from "../support/database";
import { makeReply, makeReview, makeTour, makeUser } from "../support/factories";

useDatabase();

const HOUR = 60 * 60 * 1_000;
const NOW = new Date("2026-05-15T12:00:00.000Z").getTime();
const before = (ms: number) => new Date(NOW - ms);
const id = () => new Types.ObjectId();

/** Reviews of a tour, written hour by hour back from now, with that comment. */
async function insertReviews(
  tourId: Types.ObjectId,
  count: number,
  comment: (n: number) => string | null = () => null,
) {
  const rows = Array.from({ length: count }, (_, n) => ({
    _id: id(),
    tourId,
    userId: id(),
    rating: 1 + (n % 5),
    comment: comment(n),
    createdAt: before(n * HOUR),
  }));
  await Review.collection.insertMany(rows);
  return rows;
}

const answer = (reviews: { _id: Types.ObjectId; tourId: Types.ObjectId }[]) =>
  Reply.insertMany(
    reviews.map(({ _id, tourId }) => ({
      _id,
      tourId,
      userId: id(),
      text: "Thank you.",
      createdAt: new Date(NOW),
    })),
  );

/** All pages, one after the other. */
async function walk(tourIds: Types.ObjectId[], stars: number | null = null) {
  const pages: UnansweredPage[] = [];
  for (let after: string | null = null; ;) {
    const page: UnansweredPage = await getUnansweredFirst(tourIds, { stars, after });
    expect(page.reviews.length).toBeLessThanOrEqual(REVIEWS_PER_PAGE);
    pages.push(page);
    if (page.next === null) return pages;
    after = page.next;
  }
}

const idsOf = (pages: UnansweredPage[]) =>
  pages.flatMap(({ reviews }) => reviews.map((review) => review.id));

describe("reviews without a reply first", () => {
  it("has those with a comment first, then those without, then those with a reply, each newest first", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const make = (comment: string | null, hours: number, rating = 3) =>
      makeReview({ _id: id() }, tour, { rating, comment, createdAt: before(hours * HOUR) });
    const [wordless, blank, oldWordless, best, worst, oldAnswered, answered, withdrawn, removed] = [
      await make(null, 1, 1),
      await make(" \n\t\u00A0\uFEFF\u3000", 2),
      await make("", 100, 1),
      await make("Best.", 20, 5),
      await make("Worst.", 30, 1),
      await make("Old.", 50),
      await make(null, 40),
      await make("Again.", 60),
      await make("Gone.", 45),
    ];
    // By when the review was written, not when it was answered.
    await makeReply(guide, answered, { createdAt: before(10) });
    await makeReply(guide, oldAnswered, { createdAt: before(5) });
    await makeReply(guide, withdrawn, { text: null });
    // It waits for no other one.
    const hidden = { at: before(1), ground: "hateful" as const, caseId: id() };
    await makeReply(guide, removed, { hidden });
    const expected = [
      best,
      worst,
      withdrawn,
      wordless,
      blank,
      oldWordless,
      answered,
      removed,
      oldAnswered,
    ];
    expect(idsOf(await walk([tour._id]))).toEqual(expected.map(({ _id }) => _id.toString()));
  });

  it.each([null, 4])(
    "of many tours and %s stars has each once, a platform's odd ones in their place",
    async (stars) => {
      // More tours than one range takes.
      const tourIds = Array.from({ length: 203 }, id);
      const odd = (n: number) => (n % 17 === 0 ? 3.6 : n % 19 === 0 ? "good" : 1 + (n % 5));
      const rows = Array.from({ length: 330 }, (_, n) => ({
        _id: id(),
        userId: id(),
        tourId: tourIds[n % 203]!,
        rating: odd(n),
        comment: [null, "Fine.", " \u2003\n"][n % 4] ?? null,
        // Some of the same moment; and of some only the id has the time.
        createdAt: n % 13 === 0 ? undefined : before((n % 50) * HOUR),
      }));
      await Review.collection.insertMany(rows);
      const timeOf = ({ _id, createdAt }: (typeof rows)[number]) => createdAt ?? _id.getTimestamp();
      const isAnswered = (_: unknown, n: number) => n % 3 === 0;
      await answer(rows.filter(isAnswered));
      const newest = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
        timeOf(b).getTime() - timeOf(a).getTime() || (String(a._id) < String(b._id) ? 1 : -1);
      const isCommented = ({ comment }: (typeof rows)[number]) => comment === "Fine.";
      const waiting = rows.filter((row, n) => !isAnswered(row, n)).sort(newest);
      const expected = [
        ...waiting.filter(isCommented),
        ...waiting.filter((row) => !isCommented(row)),
        ...rows.filter(isAnswered).sort(newest),
      ].filter(
        ({ rating }) => !stars || (typeof rating === "number" && Math.round(rating) === stars),
      );
      const pages = await walk(tourIds, stars);
      expect(idsOf(pages)).toEqual(expected.map(({ _id }) => _id.toString()));
      expect(pages.map(({ searched }) => searched)).toEqual(pages.map(() => null));
    },
  );

  it("neither repeats nor skips a review when others come, and are answered", async () => {
    const tourId = id();
    const rows = await insertReviews(tourId, 50);
    const ids = rows.map(({ _id }) => _id.toString());
    const first = await getUnansweredFirst([tourId], { stars: null, after: null });
    expect(idsOf([first])).toEqual(ids.slice(0, 20));
    await answer(rows.slice(0, 25));
    await makeReview({ _id: id() }, { _id: tourId }, { rating: 1 });
    const second = await getUnansweredFirst([tourId], { stars: null, after: first.next });
    expect(idsOf([second])).toEqual(ids.slice(25, 45));
    const third = await getUnansweredFirst([tourId], { stars: null, after: second.next });
    expect(idsOf([third])).toEqual([...ids.slice(45), ...ids.slice(0, 15)]);
  });
});

test.each<[string, () => string | null, number[]]>([
  ["answered ones", () => null, [1_000]],
  ["answered comments", () => "Fine.", [500, 500]],
])(
  "a page ends after many %s, and the next page goes on from there",
  async (_, comment, searched) => {
    const tourId = id();
    const rows = await insertReviews(tourId, 1_200, comment);
    await answer(rows.slice(1, 1_000));
    const pages = [];
    for (let after: string | null = null; pages.length <= searched.length;) {
      const page = await getUnansweredFirst([tourId], { stars: null, after });
      pages.push(page);
      after = page.next;
    }
    expect(pages.map((page) => page.searched)).toEqual([...searched, null]);
    const expected = [rows[0], ...rows.slice(1_000, 1_020)];
    expect(idsOf(pages)).toEqual(expected.map((row) => String(row?._id)));
  },
);
