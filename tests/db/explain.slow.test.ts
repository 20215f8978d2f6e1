import { Types } from "mongoose";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { createSession, listSessions, readSession } from "~/accounts/log-in/sessions.server";
import { findUser } from "~/accounts/users.server";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import type { ReviewSort } from "~/lib/review-limits";
import { listChanges } from "~/reviews/list-changes.server";
import { MY_REVIEWS_PER_PAGE, myReviews } from "~/me/my-reviews.server";
import { getReviewPage, getReviewPageOfTours, REVIEWS_PER_PAGE } from "~/reviews/list/page.server";
import { getUnansweredFirst } from "~/reviews/replies/unanswered.server";
import { editReview } from "~/reviews/edit.server";
import { verifyReviews } from "~/reviews/list/verified.server";
import { findVisits } from "~/reviews/list/visits.server";
import { completeDue } from "~/guides/departures/departures.server";
import { Booking, COMPLETED, CONFIRMED } from "#models/booking";
import { Change } from "#models/change";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { useDatabase } from "../support/database";
import {
  explain,
  explains,
  indexInOrder,
  type Sent,
  sentBy,
  sortOf,
  expectReads,
} from "../support/explain";
import { as, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { exportOf } from "../support/services";

// By which indexes the app's commands find what they ask for, and how much is read for it: as the server
// explains it, where it does so truly (docs/decisions/005-embedded-database.md); elsewhere that there is an
// index with filter and order.

useDatabase();

let isTrue = false;
beforeAll(async () => {
  isTrue = await explains();
});

const TOUR = 300;
const ELSEWHERE = 600;
/** Enough for two pages of each kind, where nothing says how much is read. */
const FEWER = 150;
/** How many other tours the guide leads. */
const LED = 30;

/** A tour among others, most of whose reviews have a comment, and an explorer with reviews of many tours. */
async function scene() {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  const id = () => new Types.ObjectId();
  const review = (n: number, fields: object) => ({
    _id: id(),
    tourId: id(),
    userId: id(),
    rating: 1 + (n % 5),
    comment: n % 7 ? "Fine." : null,
    createdAt: new Date(Date.now() - n * 1_000),
    ...fields,
  });
  const led = [tour._id, ...Array.from({ length: LED }, id)];
  const reviews = [
    ...Array.from({ length: isTrue ? TOUR : FEWER }, (_, n) => review(n, { tourId: tour._id })),
    ...Array.from({ length: isTrue ? ELSEWHERE : FEWER }, (_, n) =>
      review(n, n % 4 ? { tourId: led[25] } : { userId: guest._id }),
    ),
  ];
  await Review.insertMany(reviews);
  return { tour, guest, led, reviews, tourId: tour._id.toString() };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const named = (sent: Sent[], collection: string) =>
  sent.filter((one) => one.collection === collection);

/** An aggregation of a tour's reviews may read those of the tour. */
const expectBounded = (sent: Sent[], documents: number) =>
  expectReads(sent, documents, { aggregated: TOUR + 1 });

/**
 * A command as a find with a filter and an order, also if it is an aggregation; for one tour if it is for several, whose
 * ranges of an index MongoDB merges.
 */
function asFind(one: Sent): Sent {
  const stages = one.command.pipeline as Record<string, object>[] | undefined;
  const stage = (name: string) => stages?.find((stage) => stage[name])?.[name];
  const { filter, sort, limit } = stages
    ? { filter: stages[0]!.$match, sort: stage("$sort"), limit: stage("$limit") }
    : one.command;
  const { tourId } = filter as { tourId?: object };
  const ofOneTour = tourId && "$in" in tourId ? { tourId: new Types.ObjectId() } : {};
  return { ...one, command: { filter: { ...(filter as object), ...ofOneTour }, sort, limit } };
}

/** Each ordered one has an index with its filter and order, a limit, and reads so many documents at most. */
async function expectOrdered(sent: Sent[], documents: number): Promise<void> {
  const ordered = sent.filter((one) => sortOf(asFind(one).command).length > 0);
  expect(ordered).not.toEqual([]);
  for (const one of ordered) {
    const find = asFind(one);
    expect(indexInOrder(find), JSON.stringify(one.command)).toBeDefined();
    expect(find.command.limit).toBeLessThanOrEqual(documents);
    if (isTrue) expect((await explain(one)).stages).not.toContain("SORT");
  }
  await expectReads(ordered, documents);
}

type Read = (scene: Scene, after: string | null) => Promise<{ next: string | null }>;
const ofTour =
  (sort: ReviewSort, stars: number | null, commented = false): Read =>
  ({ tour }, after) =>
    getReviewPage({ _id: tour._id, ratingsVersion: 0 }, { sort, stars, commented, after });
const ofTours =
  (stars: number | null): Read =>
  ({ led }, after) =>
    getReviewPageOfTours(led, { sort: "newest", stars, commented: false, after });
const unanswered =
  (stars: number | null): Read =>
  ({ led }, after) =>
    getUnansweredFirst(led, { stars, after });

/** A page, the one after the last that is shown, and the last one of the page before. */
const PAGE = REVIEWS_PER_PAGE + 2;
/** One of each tour beside them. */
const OF_TOURS = PAGE + LED + 1;
/** Number of reviews that are looked at together to find those without a reply. */
const NEWEST = 1_000;

test.each<[string, Read, number]>([
  ["a tour, newest first", ofTour("newest", null), PAGE],
  ["a tour, highest first", ofTour("highest", null), PAGE],
  ["a tour, newest comments first", ofTour("newest", null, true), PAGE],
  ["a tour, lowest comments of 5 stars first", ofTour("lowest", 5, true), PAGE],
  ["several tours", ofTours(null), OF_TOURS],
  ["several tours, those without a reply first", unanswered(null), NEWEST + LED + 1],
])("a page of reviews of %s, comes from an index in order", async (_, read, most) => {
  const here = await scene();
  // All of one star, so that several batches are looked at, and a third of the others.
  const answered = here.reviews.filter(({ rating }, n) => rating === 1 || n % 3 === 0);
  await Reply.insertMany(
    answered.map(({ _id, tourId, createdAt }) => ({
      _id,
      tourId,
      createdAt,
      text: "Thank you.",
      userId: new Types.ObjectId(),
    })),
  );
  // The first one also looks for reviews that no index has in its place, which is then known for a while.
  const { next } = await read(here, null);
  expect(next).not.toBeNull();
  for (const after of [null, next]) {
    const sent = await sentBy(() => read(here, after));
    await expectOrdered(named(sent, Review.collection.name), most);
  }
});

test("a page of a tour's changes comes from an index in order", async () => {
  const { tour, tourId } = await scene();
  const entry = (n: number) => ({ tourId: n % 2 ? tour._id : new Types.ObjectId(), version: n });
  const fields = { type: "created", count: 1, mean: 1, time: new Date(), previous: "0" } as const;
  await Change.insertMany(
    Array.from({ length: ELSEWHERE }, (_, n) => ({ ...entry(n), ...fields })),
  );
  const sent = await sentBy(() => listChanges(tourId, { limit: 20, after: 40 }));
  await expectOrdered(named(sent, Change.collection.name), 21);
});

test("a page of one's own reviews comes from an index with filter and order", async () => {
  const { guest } = await scene();
  const first = await myReviews(as(guest));
  for (const after of [null, first.next]) {
    const sent = named(await sentBy(() => myReviews(as(guest), { after })), Review.collection.name);
    await expectBounded(sent, ELSEWHERE / 4);
    const dated = sent.filter(({ command }) => sortOf(command)[0]?.[0] === "createdAt");
    await expectOrdered(dated, MY_REVIEWS_PER_PAGE + 2);
  }
});

test("an export finds the user's records by indexes", async () => {
  const { guest } = await scene();
  const user = (await findUser(guest._id.toString()))!;
  await expectBounded(await sentBy(() => exportOf(user)), ELSEWHERE / 4);
});

test("a tour's bookings and the visits of its authors are found by indexes", async () => {
  const { tour } = await scene();
  const AUTHORS = 20;
  for (let n = 0; n < AUTHORS; n++) await makeBookedExplorer({ _id: new Types.ObjectId() });
  const sent = await sentBy(() => verifyReviews({ tourIds: [tour._id] }));
  await expectBounded(sent, TOUR);
  await expectBounded(named(sent, Booking.collection.name), 1);

  const booked = Array.from({ length: TOUR }, () => new Types.ObjectId());
  const fields = { tourId: tour._id, status: COMPLETED, date: new Date() };
  await Booking.insertMany(booked.map((userId) => ({ userId, ...fields })));
  const written = { _id: new Types.ObjectId(), tourId: tour._id, createdAt: new Date() };
  const reviews = booked.slice(0, AUTHORS).map((userId) => ({ ...written, userId }));
  await expectReads(await sentBy(() => findVisits(reviews)), AUTHORS);
});

describe("what every request and change asks", () => {
  /** Others, so that reading a collection shows. */
  const OTHERS = 20;
  beforeEach(async () => {
    for (let n = 0; n < OTHERS; n++) await makeBookedExplorer({ _id: new Types.ObjectId() });
  });

  it("finds a session and a user's sessions by an index", async () => {
    const end = new Date(Date.now() + 60_000);
    for (let n = 0; n < OTHERS; n++) await createSession({ proven: await makeUser() }, end);
    const user = await makeUser();
    let session = "";
    const create = async () => (session = await createSession({ proven: user, waiting: {} }, end));
    await expectBounded(await sentBy(create), 1);
    await expectBounded(await sentBy(() => readSession(session)), 1);
    await expectBounded(await sentBy(() => listSessions(as(user), session)), 1);
  });

  it("posts, edits and deletes a review by indexes", async () => {
    const { guest, tourId } = await scene();
    let id = "";
    const post = async () =>
      void ({ id } = (await postReview(as(guest), { tourId, rating: 4 })).review);
    await expectBounded(await sentBy(post), 1);
    await expectBounded(await sentBy(() => editReview(as(guest), id, { rating: 2 })), 1);
    // Two entries have its id, of the post and of the edit.
    await expectBounded(await sentBy(() => deleteReview(as(guest), id)), 2);
  });
});

describe("a worker's look", () => {
  const FEW = 3;
  const OTHERS = 100;
  const LATER = new Date(Date.now() + 1e8);
  const repeat = <Item>(count: number, make: (n: number) => Item) =>
    Array.from({ length: count }, (_, n) => make(n));
  const id = () => new Types.ObjectId();

  it("at departures reads the bookings that wait, whatever else is booked", async () => {
    const booking = (fields: object) => ({ userId: id(), tourId: id(), date: null, ...fields });
    await Booking.insertMany([
      ...repeat(OTHERS, () => booking({ status: "COMPLETED" })),
      ...repeat(OTHERS, () => booking({ status: CONFIRMED, date: LATER })),
    ]);
    await expectBounded(await sentBy(() => completeDue()), 0);
    const over = await makeTour({ date: new Date(0) });
    const waiting = [...repeat(FEW, id), over._id];
    await Booking.insertMany(waiting.map((tourId) => booking({ tourId, status: CONFIRMED })));
    await Tour.insertMany(
      repeat(OTHERS, (n) => ({ title: "Walk", slug: `walk-${n}`, createdById: id() })),
    );
    let completed = 0;
    const sent = await sentBy(async () => (completed = await completeDue()));
    expect(completed).toBe(1);
    await Booking.updateMany({ tourId: over._id }, { $set: { status: CONFIRMED } });
    await expectBounded(sent, waiting.length);
  });
});
