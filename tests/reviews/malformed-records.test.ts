import { mongo, Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { findUser } from "~/accounts/users.server";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import { getReviewPage, type ReviewPage } from "~/reviews/list/page.server";
import { myReviews, toursToReview } from "~/me/my-reviews.server";
import { getDeletableReview } from "~/reviews/own-review.server";
import { checkRatings, rebuildRatings } from "~/reviews/ratings.server";
import { editReview } from "~/reviews/edit.server";
import { completeDue } from "~/guides/departures/departures.server";
import { searchTours } from "~/tours/search/search.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import { getTour, getTourPage } from "~/tours/tours.server";
import { AccountDeletion } from "#models/account-deletion";
import { Booking } from "#models/booking";
import { Notification } from "#models/notification";
import { NO_ID } from "#models/reading";
import { Review } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { useDatabase } from "../support/database";
import {
  as,
  insertReviews,
  makeBooking,
  makeBookedExplorer,
  makeReview,
  makeTour,
  makeUser,
} from "../support/factories";
import { exportOf, guideOverview, listedReviews } from "../support/services";
import { RATINGS } from "../support/platform";

// Records that a platform may have written (docs/rules/database.md, Malformed records). The proof that every page and
// operation stands it is tests/server/platform.http.slow.test.ts.

useDatabase();

/** Replaces fields of a stored document by what no schema allows; undefined removes one. */
async function spoil(
  model: { collection: { updateOne(filter: object, update: object): Promise<unknown> } },
  { _id }: { _id: Types.ObjectId },
  fields: Record<string, unknown>,
) {
  for (const [name, value] of Object.entries(fields))
    await model.collection.updateOne(
      { _id },
      value === undefined ? { $unset: { [name]: true } } : { $set: { [name]: value } },
    );
}

/** Posts a review of the tour by that explorer, or by a new one. */
async function posted(tour: TourDocument, explorer?: UserDocument, comment: string | null = null) {
  const author = as(explorer ?? (await makeBookedExplorer(tour)));
  const body = { tourId: tour._id.toString(), rating: 4, comment };
  return (await postReview(author, body)).review;
}

describe("a tour", () => {
  const NO_GUIDE = { createdById: NO_ID.toString() };
  const SIGNS: Record<string, string> = {
    "Group size": "group",
    Age: "age",
    Languages: "languages",
  };
  const facts = (shown: Record<string, string>) => ({
    facts: {
      inShort: Object.entries(shown).map(([name, words]) => ({
        sign: SIGNS[name],
        name,
        words,
      })),
    },
  });
  const meeting = (text: string | null, north: string | null, east?: string) => {
    const map = `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
    return { facts: { meetingPoint: { text, map: north && map } } };
  };
  const A = "https://img.example.test/a.jpg";
  /** With the other half of a price. */
  const WITH: Record<string, object> = { price: { currency: "EUR" }, currency: { price: 45 } };
  const ROWS: [field: string, value: unknown, shown: object][] = [
    ["title", " ", { title: "Untitled tour" }],
    ["title", 1984, { title: "Untitled tour" }],
    ["title", "Old\r\n\r\nTown", { title: "Old Town" }],
    ["location", { lat: 1 }, { location: null }],
    ["description", { type: "doc" }, { description: "" }],
    ["date", "every Saturday", { departure: null }],
    ["date", "2026-05-01", { departure: "2026-05-01T00:00:00.000Z" }],
    ["date", 1_777_777_777_000, { departure: "2026-05-03T03:09:37.000Z" }],
    ["date", new mongo.Long(-1, 2 ** 30), { departure: null }],
    [
      "dates",
      [null, "soon", "2026-05-01", ["2026-06-01"]],
      { departure: "2026-05-01T00:00:00.000Z" },
    ],
    [
      "dates",
      [...Array<number>(1_000).fill(1_777_777_777_000), "2026-06-01"],
      { departure: "2026-05-03T03:09:37.000Z" },
    ],
    ["timeZone", "Mars/Base", { timeZone: "UTC" }],
    ["durationMinutes", "90", { durationMinutes: null }],
    ["durationMinutes", mongo.Decimal128.fromString("90"), { durationMinutes: 90 }],
    ["image", "http://img.example.test/a.jpg", { picture: null }],
    ["images", [7, null, "x", "/pictures/../x", { url: 7 }, [A]], { picture: null, gallery: [] }],
    ["images", [{ url: "http://x.test" }, A], { picture: { src: A, alt: "" }, gallery: [] }],
    ["images", Array(21).fill(A), { gallery: Array(19).fill({ src: A, alt: "" }) }],
    ["bookingUrl", "https:/\\/evil.test", { bookingUrl: null }],
    ["bookingUrl", "https://a:b@tours.example.test/", { bookingUrl: null }],
    ["bookingUrl", "https://a.example.test/?b#c", { bookingUrl: "https://a.example.test/?b#c" }],
    ["price", Infinity, { price: null }],
    ["price", mongo.Decimal128.fromString("19.90"), { price: { amount: 19.9, words: "€19.90" } }],
    ["currency", "eur", { price: { amount: 45, currency: "EUR", words: "€45" } }],
    ["currency", "XXX", { price: null }],
    ["groupSize", 12.5, facts({})],
    ["groupSize", 1, facts({ "Group size": "1 person" })],
    ["groupSize", mongo.Long.fromNumber(1_200), facts({ "Group size": "Up to 1,200 people" })],
    ["minAge", 999, facts({})],
    ["minAge", 0, facts({ Age: "All ages" })],
    ["languages", ["xx", "German", "e n", "", 7, null, {}], facts({})],
    ["languages", ["DE", "de", 7, "pt-BR"], facts({ Languages: "German, Brazilian Portuguese" })],
    ["meetingPoint", [1, 2], { facts: { meetingPoint: null } }],
    ["meetingPoint", { text: 7, lat: 91, lng: 0 }, { facts: { meetingPoint: null } }],
    ["meetingPoint", { text: "Well", lat: NaN, lng: 0 }, meeting("Well", null)],
    ["meetingPoint", "By\nthe well", meeting("By the well", null)],
    ["meetingPoint", { text: [], lat: 0, lng: -8.5 }, meeting(null, "0.000000", "-8.500000")],
    [
      "included",
      ["Lunch", "", 7, null, ["x"], "x".repeat(1_001)],
      { facts: { included: ["Lunch"] } },
    ],
    ["bring", { 0: "Shoes" }, { facts: { bring: [] } }],
    ["createdById", "auth0|x", NO_GUIDE],
    ["createdById", "66a1e9b1c3d4e5f607182931", { createdById: "66a1e9b1c3d4e5f607182931" }],
    ["avgRating", NaN, { avgRating: 0 }],
    ["reviewCount", 1.5, { reviewCount: 0 }],
    ["ratingCounts", { 5: 3, 4: "x" }, { ratingCounts: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 3 } }],
  ];
  /** Fields that only the page has. */
  const OF_PAGE =
    /^(description|location|timeZone|durationMinutes|picture|gallery|bookingUrl|departure|price|facts)$/;

  it("with any field malformed is shown with what is left: on its page, in every list and in the API", async () => {
    const tours = await Promise.all(ROWS.map(([field]) => makeTour(WITH[field])));
    for (const [n, [field, value]] of ROWS.entries())
      await spoil(Tour, tours[n]!, { [field]: value });
    await tourRefresh.renew();
    const listed = await Promise.all(
      (["best", "reviewed", "newest"] as const).flatMap((sort) =>
        [1, 2, 3, 4].map(async (page) => (await searchTours({ words: "", sort, page })).tours),
      ),
    );
    const cards = listed.flat();
    for (const [n, [field, value, shown]] of ROWS.entries()) {
      const what = `${field} ${String(value)}`;
      const id = tours[n]!._id.toString();
      const { tour: page } = await getTourPage(tours[n]!.slug);
      expect(page, what).toMatchObject({ id, ...shown });
      const {
        description,
        createdById,
        ratingCounts,
        departure,
        bookingUrl,
        facts,
        gallery,
        isClosed,
        ...rest
      } = page;
      const card = {
        ...rest,
        nextDate: null,
        askedDate: null,
        quote: null,
        cover: expect.anything() as string,
      };
      expect(
        cards.filter((card) => card.id === id),
        what,
      ).toEqual([card, card, card]);
      const inApi = Object.entries(shown).filter(([name]) => name in page && !OF_PAGE.test(name));
      expect(await getTour(id), what).toMatchObject(Object.fromEntries(inApi));
    }
  });

  test.each([undefined, 42, "..", "京".repeat(901)])(
    "with the slug %s has its page at its id",
    async (slug) => {
      const tour = await makeTour({ title: "Harbour" });
      await spoil(Tour, tour, { slug });
      const id = tour._id.toString();
      expect((await getTourPage(id)).tour).toMatchObject({ title: "Harbour", slug: id });
      expect(await getTour(id)).toMatchObject({ slug: id });
    },
  );

  test.each(["x", NaN])(
    "whose version is %s takes a review, and every change is a new version",
    async (ratingsVersion) => {
      const tour = await makeTour();
      await spoil(Tour, tour, { ratingsVersion, avgRating: "x", reviewCount: [], ratingCounts: 5 });
      const ann = await makeBookedExplorer(tour);
      expect(await listedReviews(tour._id.toString())).toEqual([]);
      const { id } = await posted(tour, ann);
      expect(await listedReviews(tour._id.toString())).toHaveLength(1);
      expect(await Tour.findById(tour._id).lean()).toMatchObject({
        ratingsVersion: 1,
        avgRating: 4,
        reviewCount: 1,
        ratingCounts: { 4: 1, 5: 0 },
      });
      await deleteReview(as(ann), id);
      expect((await Tour.findById(tour._id).lean())!.ratingsVersion).toBe(2);
    },
  );

  it("whose guide has no address that is text is reviewed, and nobody is notified", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    await spoil(User, guide, { email: { primary: "x@example.test" }, name: undefined });
    await posted(tour);
    expect(await Notification.countDocuments()).toBe(0);
    expect(await findUser(guide._id.toString())).toMatchObject({ name: "", email: "" });
    expect((await getTourPage(tour.slug)).tour.guide.name).toBe("Guide");
  });

  it("whose guide is named otherwise than by an id is reviewed, and who can be found is notified", async () => {
    const guide = await makeUser();
    const notified = async (createdById: unknown) => {
      const tour = await makeTour({ createdById: guide._id });
      await spoil(Tour, tour, { createdById });
      return (await Notification.findById((await posted(tour)).id).lean())?.guideId?.toString();
    };
    expect(await notified(guide._id)).toBe(guide._id.toString());
    expect(await notified(guide._id.toString())).toBe(guide._id.toString());
    for (const nobody of [undefined, null, "auth0|x", [guide._id], { _id: guide._id }])
      expect(await notified(nobody)).toBeUndefined();
  });
});

describe("a review", () => {
  test.each([
    { rating: "4" },
    { comment: 42 },
    { createdAt: undefined },
    { createdAt: new Date(0) },
  ])("with %j is edited and deleted by its author alone", async (fields) => {
    const tour = await makeTour();
    const [ann, bob] = [await makeUser(), await makeUser()];
    const review = await makeReview(ann, tour, { comment: "Fine" });
    await spoil(Review, review, fields);
    const id = review._id.toString();
    await expect(editReview(as(bob), id, { rating: 2 })).rejects.toMatchObject({ status: 403 });
    const edit = editReview(as(ann), id, { rating: 2 });
    if (fields.createdAt) await expect(edit).rejects.toMatchObject({ status: 403 });
    else expect(await edit).toMatchObject({ id, rating: 2 });
    await expect(deleteReview(as(bob), id)).rejects.toMatchObject({ status: 403 });
    await deleteReview(as(ann), id);
    expect(await Review.countDocuments()).toBe(0);
    expect(await checkRatings()).toEqual([]);
  });

  it("counts with its rating when that is a number from 1 to 5, and without it otherwise", async () => {
    const tour = await makeTour();
    const createdAt = new Date();
    await insertReviews(tour._id, RATINGS.length, (n) => ({ rating: RATINGS[n]![0], createdAt }));
    await rebuildRatings();
    const rated = RATINGS.map(([, shown]) => shown).filter((shown) => shown !== null);
    const mean = rated.reduce((sum: number, rating) => sum + rating, 0) / rated.length;
    expect(rated).toEqual([4, 4, 5, 3, 4.5]);
    expect(await getTour(tour._id.toString())).toMatchObject({
      avgRating: mean,
      reviewCount: RATINGS.length,
      ratingCounts: { 1: 0, 2: 0, 3: 1, 4: 2, 5: 2 },
    });
    expect(await checkRatings()).toEqual([]);
    const list = await listedReviews(tour._id.toString());
    expect(list.map(({ rating }) => rating).reverse()).toEqual(RATINGS.map(([, shown]) => shown));
  });

  it("without a time stands where that of its id is, on every page and in the list", async () => {
    const tour = await makeTour();
    const now = Math.floor(Date.now() / 1_000);
    const at = (day: number) => new Date((now - day * 24 * 60 * 60) * 1_000);
    const reviews = await insertReviews(tour._id, 45, (day) => ({
      _id: Types.ObjectId.createFromTime(at(day).getTime() / 1_000),
      createdAt: [undefined, "some day", at(day).toISOString(), at(day).getTime(), at(day)][
        day % 5
      ],
    }));
    const ids = reviews.map(({ _id }) => _id.toString());
    const list = await listedReviews(tour._id.toString());
    expect(list.map(({ id }) => id)).toEqual(ids);
    expect(list.map(({ createdAt }) => createdAt)).toEqual(
      ids.map((_, day) => at(day).toISOString()),
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: ReviewPage = await getReviewPage(tour, { stars: null, sort: "newest", after });
      seen.push(...page.reviews.map(({ id }) => id));
      after = page.next;
    } while (after);
    expect(seen).toEqual(ids);
  });

  it("without a time is edited within a day of its id, and not after it", async () => {
    const tour = await makeTour();
    const posted = async (hours: number) => {
      const author = await makeUser();
      const _id = Types.ObjectId.createFromTime(Date.now() / 1_000 - hours * 60 * 60);
      const malformed = { rating: "4", comment: ["malformed"], createdAt: undefined };
      await insertReviews(tour._id, 1, () => ({ _id, userId: author._id, ...malformed }));
      return { author: as(author), id: _id.toString() };
    };
    const [{ author, id }, old] = [await posted(23), await posted(25)];
    expect(await getDeletableReview(author, id)).toMatchObject({ rating: null, comment: null });
    expect(await editReview(author, id, { comment: "Fine" })).toMatchObject({
      rating: null,
      comment: "Fine",
    });
    expect(await editReview(author, id, { rating: 3 })).toMatchObject({ rating: 3 });
    const late = editReview(old.author, old.id, { rating: 3 });
    await expect(late).rejects.toMatchObject({ status: 403 });
    expect((await myReviews(author)).items[0]).toMatchObject({
      rating: 3,
      editableUntil: expect.any(String),
    });
    await deleteReview(author, id);
    await deleteReview(old.author, old.id);
    expect(await Review.countDocuments()).toBe(0);
  });

  it.each([
    [{ userId: "ann" }, { userId: NO_ID.toString(), user: { name: "", image: null } }],
    [{ comment: 42 }, { comment: null }],
  ])("with %o is listed", async (fields, shown) => {
    const tour = await makeTour();
    await spoil(Review, await makeReview(await makeUser(), tour, { comment: "x" }), fields);
    expect(await listedReviews(tour._id.toString())).toMatchObject([shown]);
  });

  it("of a tour that is no id goes with its author's others", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    await makeReview(ann, tour);
    await spoil(Review, await makeReview(ann, await makeTour()), { tourId: "some-tour" });
    await makeBooking(ann, await makeTour());
    await Booking.collection.insertOne({ userId: ann._id, tourId: "some-tour", status: 3 });
    expect((await myReviews(as(ann))).items).toHaveLength(2);
    const now = new Date();
    await AccountDeletion.create({ _id: ann._id, requestedAt: now, leasedUntil: now });
    expect(await continueDeletions()).toBe(1);
    expect(await Review.countDocuments()).toBe(0);
  });
});

it("an author's name and picture that are no text are none", async () => {
  const tour = await makeTour();
  const ann = await makeUser();
  await makeReview(ann, tour);
  await spoil(User, ann, { name: ["Ann"], image: { url: "x" }, reviewMails: 7, passwordHash: 1 });
  const [review] = await listedReviews(tour._id.toString());
  expect(review!.user).toEqual({ name: "", image: null });
  const exported = await exportOf((await findUser(ann._id.toString()))!);
  expect(exported.profile).toMatchObject({ name: "", reviewMails: "each", hasPassword: false });
});

it("bookings of other kinds are shown, never completed, and stop nobody", async () => {
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id, date: new Date(Date.now() - 172_800_000) });
  const ann = await makeBookedExplorer(tour);
  const confirmed = { status: "CONFIRMED", date: null };
  await makeBooking(await makeUser(), tour, confirmed);
  await Booking.collection.insertMany([
    { userId: ann._id, tourId: tour._id, status: 3 },
    { userId: ann._id, tourId: tour._id, status: "CONFIRMED", date: "2026-01-01" },
    { userId: ann._id, tourId: "some-tour", status: "COMPLETED", date: "next Tuesday" },
    { userId: "ann", tourId: "some-tour", status: "CONFIRMED" },
    { userId: "ann", tourId: tour._id, status: null },
  ]);
  expect(await completeDue()).toBe(1);
  expect((await toursToReview(as(ann))).items.map(({ title }) => title)).toEqual([tour.title]);
  const { departures } = await guideOverview(as(guide));
  const [departure] = Object.values(departures).flatMap(({ items }) => items);
  expect(departure!.counts).toEqual([
    { status: "", count: 2 },
    { status: "COMPLETED", count: 2 },
  ]);
  const statuses = departure!.bookings.map(({ status }) => status).sort();
  expect(statuses).toEqual(["", "", "COMPLETED", "COMPLETED"]);
  const { bookings } = await exportOf({ ...as(ann), name: "", email: "", image: null });
  expect(bookings).toHaveLength(4);
});

test("names of people and tours are one line, on pages, in the API and in e-mails", async () => {
  const line = "\r\n\u2028\t\u0000";
  const spoilt = (one: string, other: string) => `${line}${one}${line}${line}${other}${line}`;
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id });
  const ann = await makeBookedExplorer(tour);
  await spoil(User, guide, { name: spoilt("Gwen", "Guide") });
  await spoil(User, ann, { name: spoilt("Ann", "Bcc: all@example.test") });
  await spoil(Tour, tour, { title: spoilt("Old", "Town") });
  const tourId = tour._id.toString();
  const { id } = await posted(tour, ann, "one\ntwo");
  const explorerName = "Ann Bcc: all@example.test";
  expect((await Notification.findById(id).lean())!.inputs).toMatchObject({
    guideName: "Gwen Guide",
    explorerName,
    tourTitle: "Old Town",
    comment: "one\ntwo",
  });
  expect(await listedReviews(tourId)).toMatchObject([
    { comment: "one\ntwo", user: { name: explorerName } },
  ]);
  expect(await getTour(tourId)).toMatchObject({ title: "Old Town" });
  expect((await getTourPage(tour.slug)).tour).toMatchObject({ guide: { name: "Gwen Guide" } });
  expect(await findUser(ann._id.toString())).toMatchObject({ name: explorerName });
  // The stored record stays as it is.
  expect((await User.collection.findOne({ _id: ann._id }))!.name).toContain(line);
});
