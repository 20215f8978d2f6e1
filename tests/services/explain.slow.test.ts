import mongoose, { Types } from "mongoose";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { continueDeletions } from "~/services/accounts/deletion-worker.server";
import { createSession, listSessions, readSession } from "~/services/accounts/sessions.server";
import { TOKENS_PER_PAGE } from "~/services/accounts/token-limits";
import { createTokenFor, findUserByToken, listTokens } from "~/services/accounts/tokens.server";
import { findUser } from "~/services/accounts/users.server";
import { writes } from "~/services/limits.server";
import { countFigures, MEDIAN_OF } from "~/services/moderation/figures.server";
import { noShowsByGuide } from "~/services/moderation/no-shows.server";
import { countReviewsSince, MOST_TOURS } from "~/services/moderation/posted-reviews.server";
import { postReview } from "~/services/reviews/post.server";
import { deleteReview } from "~/services/reviews/delete.server";
import type { ReviewSort } from "~/services/limits";
import { listReviews } from "~/store/reviews/list.server";
import { MY_REVIEWS_PER_PAGE, myReviews } from "~/services/reviews/my-reviews.server";
import { pageOfReviews, pageOfToursReviews, REVIEWS_PER_PAGE } from "~/store/reviews/page.server";
import { findVisits } from "~/store/reviews/visits.server";
import { pageUnansweredFirst } from "~/store/reviews/unanswered.server";
import { editReview } from "~/services/reviews/edit.server";
import { verifyReviews } from "~/services/reviews/verified.server";
import {
  completeDeparture,
  recentCompletions,
  undoCompletion,
} from "~/services/tours/completions.server";
import { tellAbsent } from "~/services/tours/absences.server";
import { completeDue } from "~/services/tours/departures.server";
import { myAbsences, objectionsTo } from "~/services/tours/objections.server";
import { migrateOutbox } from "../../scripts/migrations/outbox";
import { Absence } from "../../models/absence";
import { AccessToken } from "../../models/access-token";
import { AccountDeletion } from "../../models/account-deletion";
import { Booking, COMPLETED, CONFIRMED } from "../../models/booking";
import { Completion } from "../../models/completion";
import { Decision } from "../../models/decision";
import { Notification } from "../../models/notification";
import { RemovedReview } from "../../models/removed-review";
import { Reply } from "../../models/reply";
import { Report } from "../../models/report";
import { Review, type ReviewDocument } from "../../models/review";
import { Tour } from "../../models/tour";
import { useDatabase } from "../support/database";
import {
  expectReads,
  explain,
  explains,
  fieldsOf,
  indexInOrder,
  type Sent,
  sentBy,
  sortOf,
} from "../support/explain";
import {
  as,
  makeAbsence,
  makeBookedExplorer,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
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
const FEWER = 120;

/** A tour among others, and an explorer with reviews of many tours. */
async function scene() {
  const tour = await makeTour();
  const guest = await makeBookedExplorer(tour);
  const id = () => new Types.ObjectId();
  const review = (n: number, fields: object) => ({
    ...{ tourId: id(), userId: id(), rating: 1 + (n % 5), comment: null },
    createdAt: new Date(Date.now() - n * 1_000),
    ...fields,
  });
  await Review.insertMany([
    ...Array.from({ length: isTrue ? TOUR : FEWER }, (_, n) => review(n, { tourId: tour._id })),
    ...Array.from({ length: isTrue ? ELSEWHERE : FEWER }, (_, n) =>
      review(n, n % 4 ? {} : { userId: guest._id }),
    ),
  ]);
  return { tour, guest, tourId: tour._id.toString() };
}

const named = (sent: Sent[], collection: string) =>
  sent.filter((one) => one.collection === collection);

/** The command for one tour, whose order an index has: for several, MongoDB merges the ranges of that index. */
const ofOneTour = (command: Sent["command"]) => ({
  ...command,
  filter: { ...(command.filter as object), tourId: new Types.ObjectId() },
});

/** An aggregation of a tour's reviews may read those of the tour. */
const expectBounded = (sent: Sent[], documents: number) =>
  expectReads(sent, documents, { aggregated: TOUR + 1 });

describe("a page of a tour", () => {
  test.each<[ReviewSort, number | null]>([
    ["newest", null],
    ["newest", 3],
    ["highest", null],
    ["highest", 2],
    ["lowest", null],
    ["lowest", 5],
  ])("%s, of %s stars, comes from an index with filter and order", async (sort, stars) => {
    const { tourId } = await scene();
    // The first one also looks for reviews that no index has in its place, which is then known for a while.
    const first = await pageOfReviews(
      { _id: new Types.ObjectId(tourId), ratingsVersion: 0 },
      { sort, stars, after: null },
    );
    expect(first.next).not.toBeNull();
    for (const after of [null, first.next]) {
      const sent = named(
        await sentBy(() =>
          pageOfReviews(
            { _id: new Types.ObjectId(tourId), ratingsVersion: 0 },
            { sort, stars, after },
          ),
        ),
        Review.collection.name,
      );
      expect(sent).not.toEqual([]);
      for (const one of sent) {
        expect(indexInOrder(one), JSON.stringify(one.command)).toBeDefined();
        expect(one.command.limit).toBeLessThanOrEqual(REVIEWS_PER_PAGE + 1);
        if (!isTrue) continue;
        const { stages, documents } = await explain(one);
        expect(stages).toContain("IXSCAN");
        expect(stages).not.toContain("SORT");
        // The last one of the page before is looked at, too.
        expect(documents).toBeLessThanOrEqual(Number(one.command.limit) + (after ? 1 : 0));
      }
    }
  });
});

test.each<[ReviewSort, number | null]>([
  ["newest", null],
  ["newest", 3],
  ["highest", null],
  ["lowest", 5],
])(
  "a page of a tour's comments, %s, of %s stars, comes from their own index",
  async (sort, stars) => {
    const { tourId } = await scene();
    const reviews = await Review.find({ tourId: new Types.ObjectId(tourId) }).lean();
    const half = reviews.filter((_, n) => n % 2 === 0).map(({ _id }) => _id);
    await Review.updateMany({ _id: { $in: half } }, { $set: { comment: "Fine." } });
    const tour = { _id: new Types.ObjectId(tourId), ratingsVersion: 0 };
    const selection = { sort, stars, commented: true };
    const first = await pageOfReviews(tour, { ...selection, after: null });
    for (const after of [null, first.next]) {
      const sent = named(
        await sentBy(() => pageOfReviews(tour, { ...selection, after })),
        Review.collection.name,
      );
      expect(sent).not.toEqual([]);
      for (const one of sent) {
        const [equal, only, order, cut] = one.command.pipeline as Record<string, unknown>[];
        const find = { filter: equal!.$match, sort: order!.$sort };
        expect(indexInOrder({ ...one, command: find }), JSON.stringify(find)).toBeDefined();
        expect(only!.$match).toMatchObject({ comment: { $gt: "" } });
        expect(cut!.$limit).toBeLessThanOrEqual(REVIEWS_PER_PAGE + 1);
        if (!isTrue) continue;
        const { stages, documents } = await explain(one);
        expect(stages).not.toContain("SORT");
        expect(documents).toBeLessThanOrEqual(Number(cut!.$limit) + 1);
      }
    }
  },
);

test("a list comes from an index with filter and order", async () => {
  const { tourId } = await scene();
  await listReviews(tourId);
  await mongoose.connection
    .collection("tours")
    .updateOne({ _id: new Types.ObjectId(tourId) }, { $inc: { ratingsVersion: 1 } });
  const sent = named(await sentBy(() => listReviews(tourId)), Review.collection.name);
  expect(sent.length).toBeGreaterThan(0);
  for (const one of sent) {
    expect(indexInOrder(one), JSON.stringify(one.command)).toBeDefined();
    if (!isTrue) continue;
    const { stages, documents } = await explain(one);
    expect(stages).not.toContain("SORT");
    expect(documents).toBe(TOUR);
  }
});

test("a page of one's own reviews comes from an index with filter and order", async () => {
  const { guest } = await scene();
  const first = await myReviews(as(guest));
  for (const after of [null, first.next]) {
    const sent = named(await sentBy(() => myReviews(as(guest), { after })), Review.collection.name);
    await expectBounded(sent, ELSEWHERE / 4);
    const dated = sent.filter(({ command }) => sortOf(command)[0]?.[0] === "createdAt");
    expect(dated).not.toEqual([]);
    for (const one of dated) {
      expect(indexInOrder(one), JSON.stringify(one.command)).toBeDefined();
      if (!isTrue) continue;
      const { stages, documents } = await explain(one);
      expect(stages).not.toContain("SORT");
      expect(documents).toBeLessThanOrEqual(MY_REVIEWS_PER_PAGE + 2);
    }
  }
});

test("an export finds the user's records by indexes", async () => {
  const { guest } = await scene();
  await makeUser();
  const user = (await findUser(guest._id.toString()))!;
  await expectBounded(await sentBy(() => exportOf(user)), ELSEWHERE / 4);
});

test("what a tour's bookings say of its reviews is found by indexes", async () => {
  const { tour } = await scene();
  for (let n = 0; n < 20; n++) await makeBookedExplorer({ _id: new Types.ObjectId() });
  const sent = await sentBy(() => verifyReviews({ tourIds: [tour._id] }));
  await expectBounded(sent, TOUR);
  await expectBounded(named(sent, Booking.collection.name), 1);
});

test.each([1, 20])("the visits of %i authors of a tour are found by an index", async (authors) => {
  const { tour } = await scene();
  const booked = Array.from({ length: TOUR + authors }, () => new Types.ObjectId());
  const fields = { tourId: tour._id, status: COMPLETED, date: new Date() };
  await Booking.insertMany(booked.map((userId) => ({ userId, ...fields })));
  const written = { _id: new Types.ObjectId(), tourId: tour._id, createdAt: new Date() };
  const reviews = booked.slice(0, authors).map((userId) => ({ ...written, userId }));
  const sent = await sentBy(() => findVisits(reviews));
  await expectBounded(sent, authors);
  expect(sent.map(fieldsOf)).toEqual([["userId", "tourId", "status"]]);
  if (isTrue) expect((await explain(sent[0]!)).documents).toBeLessThanOrEqual(authors);
});

describe("what every request and change asks", () => {
  /** Others, so that reading a collection shows. */
  const OTHERS = 20;
  beforeEach(async () => {
    for (let n = 0; n < OTHERS; n++) await makeBookedExplorer({ _id: new Types.ObjectId() });
  });

  it("finds a session and a user's sessions by an index", async () => {
    const end = new Date(Date.now() + 60_000);
    for (let n = 0; n < OTHERS; n++)
      await createSession({ userId: new Types.ObjectId().toString() }, end);
    const user = await makeUser();
    let session = "";
    const create = async () =>
      (session = await createSession({ userId: user._id.toString(), waiting: {} }, end));
    await expectBounded(await sentBy(create), 1);
    await expectBounded(await sentBy(() => readSession(session)), 1);
    await expectBounded(await sentBy(() => listSessions(as(user), session)), 1);
  });

  it("finds a user's access tokens by an index", async () => {
    const [user, other] = await Promise.all([makeUser(), makeUser()]);
    const token = (userId: Types.ObjectId, n: number) => {
      const createdAt = new Date(Date.now() - n * 1_000);
      return { userId, name: "Laptop", hash: `${userId.toString()} ${n}`, createdAt };
    };
    await AccessToken.insertMany([
      ...Array.from({ length: OTHERS }, (_, n) => token(new Types.ObjectId(), n)),
      ...Array.from({ length: TOKENS_PER_PAGE + 1 }, (_, n) => token(user._id, n)),
    ]);
    const { next } = await listTokens(as(user));
    expect(next).not.toBeNull();
    const sent = await sentBy(() => listTokens(as(user), next));
    await expectBounded(sent, TOKENS_PER_PAGE + 1);
    expect(sent.map(fieldsOf)).toEqual([["userId"]]);

    let made = "";
    const create = async () =>
      (made = await createTokenFor(as(other), {
        ...{ tokenName: "CI", expiry: "never", currentPassword: PASSWORD },
      }));
    await expectBounded(await sentBy(create), 1);
    await expectBounded(await sentBy(() => findUserByToken(made)), 1);
  });

  it("counts a limit by an index", async () => {
    for (let n = 0; n < OTHERS; n++) await writes.consume(`other ${n}`);
    await writes.consume("me");
    await expectBounded(await sentBy(() => writes.consume("me")), 1);
  });

  it("posts, edits and deletes a review by indexes", async () => {
    const { guest, tourId } = await scene();
    let id = "";
    const post = async () =>
      void ({ id } = (await postReview(as(guest), { tourId, rating: 4 })).review);
    await expectBounded(await sentBy(post), 1);
    await expectBounded(await sentBy(() => editReview(as(guest), id, { rating: 2 })), 1);
    await expectBounded(await sentBy(() => deleteReview(as(guest), id)), 1);
  });
});

describe("what a guide does", () => {
  it("completes and undoes a departure, and finds what can be undone, by indexes", async () => {
    const FEW = 3;
    const HERE = { completion: "automatic" } as const;
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    const date = new Date(Date.now() - 1_000);
    const id = () => new Types.ObjectId();
    await Booking.insertMany(
      Array.from({ length: 300 }, (_, n) => ({
        ...{ userId: id(), tourId: n % 2 ? tour._id : id(), status: CONFIRMED },
        date: n < 2 * FEW ? date : new Date(date.getTime() - n),
      })),
    );
    await Completion.insertMany(
      Array.from({ length: 100 }, (_, n) => ({
        ...{ tourId: n % 2 ? tour._id : id(), completed: [], absent: [] },
        completedAt: new Date(Date.now() - 20 * 60_000),
      })),
    );
    const [first] = await Booking.find({ tourId: tour._id, date }).lean();
    const departure = { tourId: tour._id.toString(), date: date.toISOString() };
    const absent = [first!._id.toString()];
    const complete = () => completeDeparture(as(guide), { ...departure, absent }, HERE);
    await expectBounded(await sentBy(complete), FEW);
    const recent = () => recentCompletions([tour], new Date());
    await expectBounded(await sentBy(recent), 1);
    const [completion] = await recent();
    expect(completion).toMatchObject({ completed: FEW - 1, absent: 1 });
    await expectBounded(await sentBy(() => undoCompletion(as(guide), completion!.id, HERE)), FEW);
  });

  test.each([null, 3])("reviews of several tours, of %s stars, from an index", async (stars) => {
    const { tour, guest } = await scene();
    const ids = [tour._id, ...Array.from({ length: 30 }, () => new Types.ObjectId())];
    const others = { userId: { $ne: guest._id }, tourId: { $ne: tour._id } };
    await Review.updateMany(others, { tourId: ids[1] });
    const read = (after: string | null) =>
      pageOfToursReviews(ids, { sort: "newest", stars, commented: false, after });
    // The first one also looks for reviews that no index has in its place, which is then known for a while.
    const { next } = await read(null);
    for (const after of [null, next]) {
      const sent = named(await sentBy(() => read(after)), Review.collection.name);
      expect(sent).not.toEqual([]);
      for (const one of sent) {
        expect(one.command.limit).toBeLessThanOrEqual(REVIEWS_PER_PAGE + 1);
        if (!isTrue) continue;
        const { stages, documents } = await explain(one);
        expect(stages).not.toContain("COLLSCAN");
        expect(stages).not.toContain("SORT");
        // One of each tour, and the last one of the page before.
        expect(documents).toBeLessThanOrEqual(Number(one.command.limit) + ids.length + 1);
      }
    }
  });

  test.each([null, 3])(
    "reviews without a reply first, of %s stars, from indexes",
    async (stars) => {
      const { tour, guest } = await scene();
      const ids = [tour._id, ...Array.from({ length: 30 }, () => new Types.ObjectId())];
      const others = { userId: { $ne: guest._id }, tourId: { $ne: tour._id } };
      await Review.updateMany(others, { tourId: ids[25] });
      const reviews = await Review.find().lean();
      const reply = ({ _id, tourId, createdAt }: ReviewDocument, n: number) => ({
        ...{
          _id,
          text: "Thank you.",
          userId: new Types.ObjectId(),
          createdAt,
          reviewedAt: createdAt,
        },
        // Most are of other guides' tours.
        tourId: n % 5 ? new Types.ObjectId() : tourId,
      });
      // All of one star, so that several batches are looked at, and a third of the others.
      const answered = reviews.filter(({ rating }, n) => rating === 1 || n % 3 === 0);
      await Reply.insertMany(answered.map(reply));
      const read = (after: string | null) => pageUnansweredFirst(ids, { stars, after });
      const { next } = await read(null);
      const BATCH = 100;
      let looked = new Set<string>();
      for (const after of [null, next, `answered_0_${Date.now() - 20_000}_${"f".repeat(24)}`]) {
        const sent = await sentBy(() => read(after));
        looked = new Set([...looked, ...sent.map(({ collection }) => collection)]);
        for (const { name, command } of named(sent, Review.collection.name)) {
          if (name !== "aggregate") continue;
          const [match, only, order, cut] = command.pipeline as Record<string, unknown>[];
          // Where malformed reviews are, is looked for once in a while.
          if (!order?.$sort) continue;
          const find = { filter: match!.$match, sort: order.$sort };
          const sample = { name, collection: Review.collection.name, command: ofOneTour(find) };
          expect(indexInOrder(sample), JSON.stringify(find)).toBeDefined();
          expect(only!.$match).toMatchObject({ comment: { $gt: "" } });
          expect(cut!.$limit).toBeLessThanOrEqual(BATCH);
        }
        const finds = sent.filter(({ name }) => name === "find");
        for (const one of finds.filter(({ collection }) => collection !== "users")) {
          const { limit, filter } = one.command as {
            limit?: number;
            filter: { _id?: { $in?: [] } };
          };
          const most = limit ?? filter._id!.$in!.length;
          expect(most).toBeLessThanOrEqual(BATCH);
          if (limit)
            expect(indexInOrder({ ...one, command: ofOneTour(one.command) })).toBeDefined();
          if (!isTrue) continue;
          const { stages, documents } = await explain(one);
          expect(stages).not.toContain("COLLSCAN");
          expect(stages).not.toContain("SORT");
          // One of each tour, and the last one of the page before.
          expect(documents).toBeLessThanOrEqual(most + ids.length + 1);
        }
      }
      expect(looked).toContain(Reply.collection.name);
      expect(looked).toContain(Review.collection.name);
    },
  );
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
    expect(sent.map(({ name }) => name)).toEqual(["update", "aggregate", "find", "update"]);
    await Booking.updateMany({ tourId: over._id }, { $set: { status: CONFIRMED } });
    await expectBounded(sent, waiting.length);
  });

  it("at explorers who did not come reads those who are to be asked, and what they, guides and operators see", async () => {
    const [ann, now] = [await makeUser(), Date.now()];
    const tours = await Promise.all(repeat(FEW, () => makeTour()));
    for (const tour of tours) await makeAbsence(ann, tour);
    await Absence.insertMany(
      repeat(OTHERS, () => ({
        ...{ bookingId: id(), userId: id(), tourId: id(), date: null },
        ...{ at: new Date(now - 1e9), tellAt: LATER },
      })),
    );
    await expectBounded(await sentBy(() => tellAbsent()), 0);
    const automatic = { completion: "automatic" as const };
    let seen = 0;
    const sent = await sentBy(async () => {
      seen = (await myAbsences(as(ann), automatic)).length;
      await objectionsTo({ id: tours[0]!.createdById.toString() });
    });
    expect(seen).toBe(FEW);
    await expectBounded(sent, FEW);
    const [listed, ...rest] = await sentBy(() => noShowsByGuide());
    expect(fieldsOf(listed!)).toContain("at");
    expect(rest.map(({ collection }) => collection)).toContain("bookings");
    await expectBounded(rest, FEW);
  });

  it("at an earlier version's outbox reads nothing that was written since", async () => {
    const mail = (n: number) => ({
      ...{ kind: "review", state: ["sent", "pending", "captured", "dead"][n % 4], dueAt: LATER },
      ...{ guideId: id(), explorerId: id(), createdAt: new Date() },
    });
    await Notification.collection.insertMany(repeat(OTHERS, mail));
    await expectBounded(await sentBy(() => migrateOutbox()), 0);
  });

  it("at deleted accounts reads what is due, and what it removes", async () => {
    const deletion = (fields: object) => ({ _id: id(), requestedAt: new Date(), ...fields });
    await AccountDeletion.insertMany(repeat(OTHERS, () => deletion({ leasedUntil: LATER })));
    await expectBounded(await sentBy(() => continueDeletions()), 0);

    const { guest } = await scene();
    await Review.deleteMany({ userId: guest._id });
    const reviewed = repeat(FEW, () => ({ tourId: id(), userId: guest._id, rating: 3 }));
    await Review.insertMany(reviewed.map((review) => ({ ...review, createdAt: new Date() })));
    await Notification.collection.insertMany(
      repeat(OTHERS, (n) => ({
        ...{ kind: "review", state: "sent", endedAt: new Date(), dueAt: new Date() },
        ...{ guideId: id(), explorerId: n < FEW ? guest._id : id() },
      })),
    );
    await AccountDeletion.create(deletion({ _id: guest._id, leasedUntil: new Date() }));
    const stored = await Review.find({ userId: guest._id }).lean();
    const mails = await Notification.collection.find({ explorerId: guest._id }).toArray();
    let done = 0;
    const sent = await sentBy(async () => (done = await continueDeletions()));
    expect(done).toBe(1);
    expect(await Review.countDocuments({ userId: guest._id })).toBe(0);
    expect(await Notification.countDocuments({ explorerId: guest._id })).toBe(0);
    // As when they were read.
    await Review.insertMany(stored);
    await Notification.collection.insertMany(mails);
    await expectBounded(sent, FEW);
  });
});

it("the public figures read the rows of twelve months, and the removed reviews tour by tour", async () => {
  const [id, now, ages] = [() => new Types.ObjectId(), new Date(), new Date(0)];
  const rows = (at: Date, count: number) =>
    Array.from({ length: count }, () => ({
      ...{ caseId: id(), reviewId: id(), tourId: id(), userId: id(), operatorId: id(), at },
      ...{ reason: "hateful", ground: "hateful", kind: "review", action: "keep", rating: 1 },
      ...{ waitedSince: at, onAppeal: false, overturns: false, removedAt: at },
    }));
  const [few, removed] = [10, 5];
  for (const [model, counted] of [
    [Decision, few],
    [Report, few],
    [RemovedReview, removed],
  ] as const)
    await model.collection.insertMany(rows(now, counted));
  for (const model of [Decision, Report]) await model.collection.insertMany(rows(ages, ELSEWHERE));
  await Tour.insertMany(
    Array.from({ length: ELSEWHERE }, (_, n) => ({
      ...{ title: "Walk", slug: `walk-${n}`, createdById: id() },
    })),
  );
  const sent = await sentBy(() => countFigures());
  expect(sent.map(({ name, collection }) => `${name} ${collection}`).sort()).toEqual([
    "aggregate tourReviews.absences",
    "aggregate tourReviews.decisions",
    "aggregate tourReviews.reports",
    "aggregate tourReviews.sanctions",
    "find tourReviews.decisions",
    "find tourReviews.removedReviews",
    "find tours",
  ]);
  const dated = sent.filter(({ collection }) => /decisions|reports|sanctions/.test(collection));
  expect(dated.map(fieldsOf)).toEqual([["at"], ["at"], ["at"], ["at"]]);
  const newest = named(sent, Decision.collection.name).find(({ name }) => name === "find")!;
  expect(newest.command.limit).toBe(MEDIAN_OF);
  expect(indexInOrder(newest)).toBeDefined();
  await expectBounded(sent, few);
  if (!isTrue) return;
  for (const one of sent) {
    const { stages, documents } = await explain(one);
    expect(stages).not.toContain("SORT");
    expect(documents).toBeLessThanOrEqual(few);
  }
});

it("the number of reviews comes from the index of their tours, and a bounded number of tours", async () => {
  await scene();
  const sent = await sentBy(() => countReviewsSince(new Date(0)));
  expect(sent.map(({ name, collection }) => `${name} ${collection}`)).toEqual([
    "find tours",
    "aggregate reviews",
  ]);
  expect(sent[0]!.command.limit).toBe(MOST_TOURS + 1);
  expect(fieldsOf(sent[1]!)).toEqual(["tourId", "createdAt"]);
  await expectBounded(sent, await Tour.countDocuments());
});
