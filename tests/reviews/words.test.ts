import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { getTourPage } from "~/tours/tours.server";
import { REVIEWS_PER_PAGE } from "~/reviews/list/page.server";
import { countCorpus } from "~/reviews/topics/topics.server";
import { postReview } from "~/reviews/post.server";
import { indexReviews } from "~/reviews/words/index-reviews.server";
import { refreshIndexes } from "~/reviews/words/index-refresh.server";
import { Review } from "#models/review";
import { ReviewIndex, WordList } from "#models/review-index";
import { Tour, type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import {
  as,
  insertReviews,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";

useDatabase();

/** A tour with these comments, the newest first. */
async function tourWith(...comments: (string | null)[]): Promise<TourDocument> {
  const tour = await makeTour();
  for (const [n, comment] of comments.entries())
    await makeReview(await makeUser(), tour, {
      comment,
      rating: 5 - (n % 5),
      createdAt: new Date(Date.UTC(2026, 5, 28 - n)),
    });
  return tour;
}

const search = ({ slug }: TourDocument, query: Record<string, string>) =>
  getTourPage(slug, new URLSearchParams(query));

const commentsOf = async (...asked: Parameters<typeof search>) =>
  (await search(...asked)).page.reviews.map(({ comment }) => comment);

const ENGLISH = "My daughter was seasick on the boat, and we walked home.";
const GERMAN = "Wir sind lange gewandert, die Kinder waren begeistert.";
const PLAIN = "A calm evening with wonderful stories about the harbour.";

describe("a search within a tour's reviews", () => {
  test.each([
    ["seasick", [ENGLISH]],
    // Words that mean much the same.
    ["sail", [ENGLISH]],
    ["port", [PLAIN]],
    ["walking boats", [ENGLISH]],
    ["seasick harbour", []],
    ["story", [PLAIN]],
    ["the", []],
  ])("for %s finds all that have its words in any form", async (q, found) => {
    const tour = await tourWith(ENGLISH, null, GERMAN, PLAIN);
    expect(await commentsOf(tour, { q })).toEqual(found);
  });

  test("marks the words where they stand", async () => {
    const tour = await tourWith(ENGLISH);
    const { reviews } = (await search(tour, { q: "boats daughters" })).page;
    const marked = reviews[0]!.marks!.map(([from, to]) => ENGLISH.slice(from, to));
    expect(marked).toEqual(["daughter", "boat"]);
  });

  test.each([
    ["We had wi\u00ADfi and a 🎉 on the old boat", "wifi 🎉 boat", ["wi\u00ADfi", "boat"]],
    ["What a 🎉 we had on that evening", "🎉", ["🎉"]],
    ["They told us 1,000 stories of the sea", "1000", ["1,000"]],
    ["There was Wi-Fi on the old-town boat", "wifi", ["Wi-Fi"]],
    ["There was Wi-Fi on the old-town boat", "town", ["town"]],
    ["A day in Köln with all of the kids", "koeln", ["Köln"]],
  ])("in %s, for %s, marks %j", async (comment, q, expected) => {
    const { reviews } = (await search(await tourWith(comment), { q })).page;
    expect(reviews[0]!.marks!.map(([from, to]) => comment.slice(from, to))).toEqual(expected);
  });

  test.each([
    ["Die Bootsfahrt über den Müggelsee war großartig", "MUGGELSEE"],
    ["港の夜景がとてもきれいでした。", "夜景"],
    ["كانت الرحلة رائعة والمرشد لطيف جدا", "الرحلة"],
    ["We had a 🎉 at O'Leary's pub after the walk", "olearys"],
    ["We had a 🎉 at O'Leary's pub after the walk", "🎉"],
    ["Die Bootsfahrt über den Müggelsee war großartig", "mueggelsee"],
    ["Wir kommen gerne wieder nach Koeln und an den Rhein", "Köln"],
    ["كانت الرحلة رائعة والمرشد لطيف جدا", "الرحله"],
    ["夜のソバがとてもおいしかったです。", "そば"],
    ["The guide told us 1,000 stories of the sea", "1000"],
    ["There was Wi-Fi on the boat, and coffee, too", "wifi"],
    ["There was wifi on the boat, and coffee, too", "Wi-Fi"],
  ])("finds words of %s", async (comment, q) => {
    expect(await commentsOf(await tourWith(comment, PLAIN), { q })).toEqual([comment]);
  });

  test("for seasick finds who was sick", async () => {
    const SICK = "I was sick from the breakwater on, and they could tell people.";
    expect(await commentsOf(await tourWith(SICK, PLAIN), { q: "seasick" })).toEqual([SICK]);
  });

  test("is cut by language, stars and order, and says how many it has found", async () => {
    const tour = await tourWith(ENGLISH, GERMAN, `${ENGLISH} Again!`, PLAIN, null);
    await indexReviews(tour._id);
    expect(await commentsOf(tour, { lang: "de" })).toEqual([GERMAN]);
    expect(await commentsOf(tour, { lang: "en", sort: "lowest" })).toEqual([
      PLAIN,
      `${ENGLISH} Again!`,
      ENGLISH,
    ]);
    expect(await commentsOf(tour, { q: "seasick", stars: "3" })).toEqual([`${ENGLISH} Again!`]);
    expect(await commentsOf(tour, { q: "seasick", lang: "de" })).toEqual([]);
    const { total, languages } = await search(tour, { q: "seasick" });
    expect(total).toBe(2);
    expect(languages).toEqual([
      { tag: "en", name: "English", count: 3 },
      { tag: "de", name: "German", count: 1 },
    ]);
  });

  test("its pages have each review once", async () => {
    const sort = "lowest";
    const reviews = await insertReviews(new Types.ObjectId(), REVIEWS_PER_PAGE * 2 + 5, (n) => ({
      comment: n % 2 ? `${ENGLISH} ${n}` : `${PLAIN} ${n}`,
      createdAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3))),
    }));
    const tour = await makeTour({ _id: reviews[0]!.tourId });
    const all = (await search(tour, { sort, comments: "1" })).page;
    const rest = (await search(tour, { sort, comments: "1", after: all.next! })).page;
    const last = (await search(tour, { sort, comments: "1", after: rest.next! })).page;
    const expected = [...all.reviews, ...rest.reviews, ...last.reviews]
      .map(({ comment }) => comment)
      .filter((comment) => comment!.includes("seasick"));
    const first = (await search(tour, { sort, q: "seasick" })).page;
    const second = (await search(tour, { sort, q: "seasick", after: first.next! })).page;
    const found = [...first.reviews, ...second.reviews].map(({ comment }) => comment);
    expect(found).toEqual(expected);
    expect(second.next).toBeNull();
  });

  test("shows no review that was changed or deleted since, and each that was posted", async () => {
    const tour = await tourWith(ENGLISH, `${ENGLISH} Twice`, `${ENGLISH} Again`);
    await indexReviews(tour._id);
    await Tour.updateOne({ _id: tour._id }, { ratingsVersion: tour.ratingsVersion + 3 });
    await Review.updateOne({ tourId: tour._id, comment: ENGLISH }, { comment: PLAIN });
    await Review.deleteOne({ tourId: tour._id, comment: `${ENGLISH} Twice` });
    const added = { comment: "Nobody was seasick when we were there.", createdAt: new Date() };
    await makeReview(await makeUser(), tour, added);
    expect(await commentsOf(tour, { q: "seasick" })).toEqual([added.comment, `${ENGLISH} Again`]);
  });

  test("of many reviews waits for its index", async () => {
    const tourId = new Types.ObjectId();
    await insertReviews(tourId, 1_200, (n) => ({
      comment: n % 100 ? `${PLAIN} ${n}` : `${ENGLISH} ${n}`,
    }));
    const tour = await makeTour({ _id: tourId, reviewCount: 1_200 });
    const before = (await search(tour, { q: "seasick" })).page;
    expect(before).toMatchObject({ reviews: [], preparing: true });
    await refreshIndexes(new AbortController().signal);
    const { page, total } = await search(tour, { q: "seasick" });
    expect([page.reviews.length, total]).toEqual([12, 12]);
  });

  test("has its index soon after a change, not only with the next walk through all tours", async () => {
    const { signal } = new AbortController();
    const tour = await makeTour();
    await refreshIndexes(signal);
    const body = { tourId: tour._id.toString(), rating: 5, comment: ENGLISH };
    await postReview(as(await makeBookedExplorer(tour)), body);
    expect(await ReviewIndex.exists({ _id: tour._id })).toBeNull();
    await refreshIndexes(signal);
    expect(await ReviewIndex.exists({ _id: tour._id })).not.toBeNull();
  });
});

describe("the most telling reviews", () => {
  test("are long, of a verified booking and recent, and are found in pages", async () => {
    const tour = await makeTour();
    const year = (n: number) => new Date(Date.UTC(n, 5, 1));
    const long = `${PLAIN} `.repeat(12);
    const [first, second, third, fourth] = await insertReviews(tour._id, 4, (n) =>
      [
        { comment: long, verified: true, createdAt: year(2024) },
        { comment: long, createdAt: year(2024) },
        { comment: null, verified: true, createdAt: year(2023) },
        { comment: "Fine.", createdAt: year(2023) },
      ].at(n)!,
    );
    const newer = await insertReviews(tour._id, REVIEWS_PER_PAGE, (n) => ({
      createdAt: new Date(year(2025).getTime() - n * 1_000),
    }));
    const page = async (query: Record<string, string>) =>
      (await search(tour, { sort: "telling", ...query })).page;
    const top = await page({});
    const rest = await page({ after: top.next! });
    expect([...top.reviews, ...rest.reviews].map(({ id }) => id)).toEqual(
      [first, second, ...newer, third, fourth].map((review) => review!._id.toString()),
    );
    expect(top.reviews).toHaveLength(REVIEWS_PER_PAGE);
    const found = await page({ q: "harbour" });
    expect(found.reviews.map(({ id }) => id)).toEqual(
      [first, second].map((one) => one!._id.toString()),
    );
  });
});

describe("the index of a tour's reviews", () => {
  test("is replaced by one of the same or a newer state alone, and leaves no words behind", async () => {
    const tour = await tourWith(ENGLISH, PLAIN);
    await indexReviews(tour._id);
    await ReviewIndex.updateOne({ _id: tour._id }, { version: 1_000 });
    const { build } = (await ReviewIndex.findById(tour._id).lean())!;
    await indexReviews(tour._id);
    expect(await WordList.distinct("build", { tourId: tour._id })).toEqual([build]);
    await Tour.updateOne({ _id: tour._id }, { ratingsVersion: 1_000 });
    await indexReviews(tour._id);
    const builds = await WordList.distinct("build", { tourId: tour._id });
    expect(builds).toHaveLength(1);
    expect(builds).not.toEqual([build]);
    await Review.deleteMany({ tourId: tour._id });
    await indexReviews(tour._id);
    expect(await WordList.countDocuments({ tourId: tour._id })).toBe(0);
    expect(await ReviewIndex.countDocuments({ _id: tour._id })).toBe(0);
  });
});

describe("words that a tour's reviews mention often", () => {
  const STORIES = [
    "We loved the guide and the stories.",
    "Lovely evening, well organised and on time.",
    "Good value, friendly people, would come again.",
    "The start was late and it was a bit crowded.",
  ];
  const SEA = [
    "My son was seasick.",
    "We could swim in a bay.",
    "Bring a jacket, the wind is cold.",
  ];
  const index = async ({ _id }: TourDocument) =>
    indexReviews(_id, { corpus: await countCorpus(new AbortController().signal) });

  test("are counted as far as there is room for the words of all reviews", async () => {
    const { _id } = await makeTour();
    // So that no word of any comment is another's.
    const letters = (n: number) => n.toString(36).replace(/\d/g, (digit) => "ghijklmnop"[+digit]!);
    const word = (n: number) => `${letters(n)}zz${letters(n)}`;
    await insertReviews(_id, 60, (n) => ({
      comment: Array.from({ length: 100 }, (_, nth) => word(1_000 * (n % 30) + nth)).join(" "),
    }));
    const { signal } = new AbortController();
    const all = await countCorpus(signal);
    expect(all.isComplete).toBe(true);
    expect(all.having.size).toBeGreaterThan(2_000);
    const some = await countCorpus(signal, { mostBytes: 100_000 });
    expect(some.isComplete).toBe(false);
    expect(some.having.size).toBeLessThan(1_000);
  });

  /** Comments of three words of its own, each in a third of them, beside other tours without these. */
  async function seaTour(reviews = 30, sea = SEA) {
    const others = await makeTour();
    await insertReviews(others._id, 80, (n) => ({ comment: STORIES[n % 4] }));
    const tour = await makeTour({ title: "Jackets of the harbour", reviewCount: reviews });
    await insertReviews(tour._id, reviews, (n) => ({
      comment: `${STORIES[n % 4]} ${sea[n % 3]}`,
      rating: n % 3 === 0 ? 3 : 5,
    }));
    await Tour.updateMany({}, { $inc: { ratingsVersion: 1 } });
    return (await Tour.findById(tour._id).lean<TourDocument>())!;
  }

  test("are those that others do not mention, with the number and mean of the reviews that a search finds", async () => {
    const tour = await seaTour();
    await index(tour);
    const { mentioned } = await search(tour, {});
    const words = mentioned.map(({ word }) => word);
    expect(words).toEqual(expect.arrayContaining(["seasick", "swim", "wind"]));
    // A word of its title says nothing new.
    for (const word of ["jacket", "guide", "stories", "the"]) expect(words).not.toContain(word);
    expect(mentioned.find(({ word }) => word === "seasick")).toEqual({
      word: "seasick",
      count: 10,
      mean: 3,
    });
    for (const { word, count } of mentioned)
      expect((await search(tour, { q: word })).total).toBe(count);
  });

  test("are phrases before single words, and nothing that is no topic", async () => {
    const tour = await seaTour(30, [
      "We sat on the wooden boat without wind.",
      "Anchovies on deck, without any hurry.",
      "It is too far to the breakwater without anchovies.",
    ]);
    await index(tour);
    const { mentioned } = await search(tour, {});
    const words = mentioned.map(({ word }) => word);
    expect(words[0]).toBe("wooden boat");
    expect(mentioned[0]).toMatchObject({ count: 10 });
    expect(words).toEqual(expect.arrayContaining(["Anchovies", "breakwater"]));
    for (const word of ["without", "too", "boat", "wooden"]) expect(words).not.toContain(word);
    for (const { word, count } of mentioned)
      expect((await search(tour, { q: word })).total).toBe(count);
  });

  test("are gone with a change until they are counted anew", async () => {
    const tour = await seaTour();
    await index(tour);
    expect((await search(tour, {})).mentioned).not.toEqual([]);
    const changed = await Tour.findByIdAndUpdate(
      tour._id,
      { $inc: { ratingsVersion: 1 } },
      { returnDocument: "after" },
    ).lean<TourDocument>();
    expect((await search(changed!, {})).mentioned).toEqual([]);
  });

  test("are not told of fewer than twenty comments", async () => {
    const tour = await seaTour(19);
    await index(tour);
    expect((await search(tour, {})).mentioned).toEqual([]);
  });
});
