import { Types } from "mongoose";
import { beforeEach, describe, expect, it, test } from "vitest";
import { postReview } from "~/reviews/post.server";
import { reviewEligibility } from "~/reviews/may-review.server";
import { UNDO_MS } from "~/guides/departures/absences.server";
import {
  completeDeparture,
  HOLD_MS,
  recentCompletions,
  undoCompletion,
} from "~/guides/departures/completions.server";
import { AUTO_COMPLETE_MS, completeDue } from "~/guides/departures/departures.server";
import { Booking, type BookingDocument } from "#models/booking";
import { Completion } from "#models/completion";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { beforeTransaction } from "../support/interrupt";
import { as, makeReview, makeTour, makeUser } from "../support/factories";
import { atTime, setTime } from "../support/time";

// A departure is a tour at one date; completing it lets its explorers review the tour, except for those who did
// not come. The guide can undo it.

useDatabase();

// By the database's clock: after a day it removes the completions.
const NOW = new Date();
beforeEach(() => setTime(NOW));
const at = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR = 60 * 60 * 1_000;
const BEGAN = at(-2 * HOUR);

interface Booked {
  user: { _id: Types.ObjectId };
  id: string;
}

const statuses = (booked: Booked[]) =>
  Promise.all(booked.map(async ({ id }) => (await Booking.findById(id).orFail()).status));

/** A guide with a tour on that date, and what the guide does with departures, by default that of `BEGAN`. */
async function scene(date: Date | null = null) {
  const guide: Booked["user"] = await makeUser();
  const tour = await makeTour({ createdById: guide._id, date });
  return {
    guide,
    tour,
    other: () => makeTour({ createdById: guide._id }),
    /** A confirmed booking of somebody new, unless the fields say otherwise. */
    async book(fields: Partial<BookingDocument> = {}): Promise<Booked> {
      const user = fields.userId ? { _id: fields.userId } : await makeUser();
      const booking = { userId: user._id, tourId: tour._id, status: "CONFIRMED", date: BEGAN };
      const { _id } = await Booking.create({ ...booking, ...fields });
      return { user, id: _id.toString() };
    },
    complete: (
      of: Date | null = BEGAN,
      { now = NOW, by = guide, absent = [] as string[], platform = false } = {},
    ) =>
      atTime(now, () =>
        completeDeparture(
          as(by),
          { tourId: tour._id.toString(), date: of?.toISOString() ?? null, absent },
          { completion: platform ? "platform" : "automatic" },
        ),
      ),
    undo: async (ms: number, { by = guide, id = "", platform = false } = {}) => {
      const completionId = id || (await Completion.findOne().orFail())._id.toString();
      const options = { completion: platform ? "platform" : "automatic" } as const;
      return atTime(at(ms), () => undoCompletion(as(by), completionId, options));
    },
  };
}

describe("a guide completes", () => {
  it("the confirmed bookings of that departure, and no others", async () => {
    const { book, other, complete } = await scene(at(-30 * 24 * HOUR));
    const confirmed = [await book(), await book()];
    const left = [
      await book({ date: at(-3 * HOUR) }),
      await book({ date: null }),
      await book({ tourId: (await other())._id }),
    ];
    const kept = ["PENDING", "CANCELLED", "NO_SHOW"];
    const others = await Promise.all(kept.map((status) => book({ status })));
    expect(await complete()).toMatchObject({ completed: 2, absent: 0 });
    expect(await statuses(confirmed)).toEqual(["COMPLETED", "COMPLETED"]);
    expect(await statuses(left)).toEqual(Array(3).fill("CONFIRMED"));
    expect(await statuses(others)).toEqual(kept);
  });

  it("again without effect, also at the same time", async () => {
    const { book, complete } = await scene();
    for (let n = 0; n < 5; n++) await book();
    const counts = await Promise.all([complete(), complete(), complete()]);
    expect(counts.map(({ completed }) => completed).sort()).toEqual([0, 0, 5]);
    expect(await complete()).toMatchObject({ completed: 0, absent: 0, reviewers: 0 });
    expect(await Completion.countDocuments()).toBe(1);
  });

  test.each([
    ["a moment before it begins", 1, "This departure has not begun yet", "CONFIRMED"],
    ["when it begins", 0, "done", "COMPLETED"],
  ])("%s", async (_, ms, outcome, status) => {
    const { book, complete } = await scene();
    const booked = await book({ date: at(ms) });
    const done = complete(at(ms)).then(
      () => "done",
      (error: Error) => error.message,
    );
    expect(await done).toBe(outcome);
    expect(await statuses([booked])).toEqual([status]);
  });

  it("at the tour's date, bookings without one of their own too", async () => {
    const { book, complete } = await scene(BEGAN);
    const booked = [await book({ date: null }), await book(), await book({ date: at(-5 * HOUR) })];
    expect(await complete()).toMatchObject({ completed: 2, absent: 0 });
    expect(await statuses(booked)).toEqual(["COMPLETED", "COMPLETED", "CONFIRMED"]);
  });

  it("a tour without any date at any time", async () => {
    const { tour, book, complete } = await scene();
    const booked = await book({ date: null });
    // Left out altogether, as a platform's own bookings may.
    const { _id: userId } = await makeUser();
    await Booking.collection.insertOne({ userId, tourId: tour._id, status: "CONFIRMED" });
    expect(await complete(null)).toMatchObject({ completed: 2 });
    expect(await statuses([booked])).toEqual(["COMPLETED"]);
  });

  it("only departures of their own tours", async () => {
    const { book, complete } = await scene();
    const booked = await book();
    for (const by of [await makeUser(), booked.user])
      await expect(complete(BEGAN, { by })).rejects.toMatchObject({
        status: 403,
        message: "You can only complete departures of your own tours",
      });
    expect(await statuses([booked])).toEqual(["CONFIRMED"]);
  });

  test.each([
    ["a tour that is no id", "nope", BEGAN.toISOString(), "Tour not found"],
    ["an unknown tour", new Types.ObjectId().toString(), BEGAN.toISOString(), "Tour not found"],
    ["a date that nobody has booked", null, at(-7 * HOUR).toISOString(), "Departure not found"],
    ["a date that is none", null, "yesterday", "Departure not found"],
    ["no date at all", null, null, "Departure not found"],
  ])("%s: 404", async (_, unknown, date, message) => {
    const { guide, tour, book } = await scene();
    const booked = await book();
    const tourId = unknown ?? tour._id.toString();
    await expect(completeDeparture(as(guide), { tourId, date })).rejects.toMatchObject({
      status: 404,
      message,
    });
    expect(await statuses([booked])).toEqual(["CONFIRMED"]);
  });
});

describe("explorers who did not come", () => {
  it("are those who are named, and cannot review", async () => {
    const { tour, book, complete } = await scene(BEGAN);
    const [ann, bob, cid] = [await book({ date: null }), await book(), await book({ date: null })];
    expect(await complete(BEGAN, { absent: [bob.id, cid.id] })).toMatchObject({
      tour: { title: tour.title },
      completed: 1,
      absent: 2,
      reviewers: 1,
    });
    expect(await statuses([ann, bob, cid])).toEqual(["COMPLETED", "NO_SHOW", "NO_SHOW"]);
    const eligible = ({ user }: Booked) =>
      reviewEligibility(as(user), { id: tour._id.toString(), date: null });
    expect(await eligible(ann)).toMatchObject({ kind: "eligible" });
    expect(await eligible(bob)).toMatchObject({ kind: "notCompleted" });
    const review = postReview(as(bob.user), { tourId: tour._id.toString(), rating: 1 });
    await expect(review).rejects.toMatchObject({ status: 400 });
    // Not even when their time has come.
    await atTime(at(2 * AUTO_COMPLETE_MS), completeDue);
    expect(await statuses([bob])).toEqual(["NO_SHOW"]);
  });

  it("are only those with a confirmed booking of the departure, whoever is named", async () => {
    const { book, other, complete } = await scene();
    await book();
    const left = [
      await book({ date: at(-3 * HOUR) }),
      await book({ tourId: (await other())._id }),
      await book({ status: "PENDING" }),
      await book({ status: "COMPLETED" }),
    ];
    const before = await statuses(left);
    const absent = [...left.map(({ id }) => id), "nope", "", "x".repeat(10_000)];
    expect(await complete(BEGAN, { absent })).toMatchObject({ completed: 1, absent: 0 });
    expect(await statuses(left)).toEqual(before);
  });

  it("are what the first of several forms says, whoever sends others at the same time", async () => {
    const { book, complete } = await scene();
    const booked = await Promise.all([1, 2, 3, 4].map(() => book()));
    const results = await Promise.all(booked.map(({ id }) => complete(BEGAN, { absent: [id] })));
    const first = results.findIndex(({ absent }) => absent === 1);
    expect(results.filter(({ completed, absent }) => completed + absent === 0)).toHaveLength(3);
    const expected = booked.map((_, n) => (n === first ? "NO_SHOW" : "COMPLETED"));
    expect(await statuses(booked)).toEqual(expected);
    expect(await Completion.countDocuments()).toBe(1);
  });
});

it("counts only explorers who can review now, each once", async () => {
  const { guide, tour, book, complete } = await scene();
  const ann = await book();
  await book({ userId: ann.user._id });
  await makeReview((await book()).user, tour);
  await User.deleteOne({ _id: (await book()).user._id });
  await book({ userId: guide._id });
  expect(await complete()).toMatchObject({ completed: 5, reviewers: 1 });
});

describe("undoing a completion", () => {
  it("makes the bookings what they were, and they can be completed again", async () => {
    const { tour, book, complete, undo } = await scene();
    const both = [await book(), await book()] as const;
    const others = ["COMPLETED", "NO_SHOW", "PENDING"];
    const kept = await Promise.all(others.map((status) => book({ status })));
    await complete(BEGAN, { absent: [both[0].id] });
    expect(await undo(1_000)).toMatchObject({ tour: { title: tour.title }, isFirst: true });
    expect(await statuses([...both])).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await statuses(kept)).toEqual(others);
    expect(await complete(BEGAN, { absent: [both[1].id] })).toMatchObject({ completed: 1 });
    expect(await statuses([...both])).toEqual(["COMPLETED", "NO_SHOW"]);
  });

  it("is possible for ten minutes, to the millisecond", async () => {
    const { book, complete, undo } = await scene();
    const booked = await book();
    await complete();
    await expect(undo(UNDO_MS + 1)).rejects.toMatchObject({
      status: 400,
      message: "This can only be undone within ten minutes",
    });
    expect(await statuses([booked])).toEqual(["COMPLETED"]);
    await undo(UNDO_MS);
    expect(await statuses([booked])).toEqual(["CONFIRMED"]);
  });

  it("twice, also at the same time, does it once; even when the ten minutes are over by then", async () => {
    const { book, complete, undo } = await scene();
    const booked = await book();
    await complete();
    const id = (await Completion.findOne().orFail())._id.toString();
    const results = await Promise.all([undo(1), undo(1), undo(1)]);
    expect(results.map(({ isFirst }) => isFirst).sort()).toEqual([false, false, true]);
    // Later changes by the guide stay.
    await complete();
    for (const ms of [2, 2 * UNDO_MS])
      expect(await undo(ms, { id })).toMatchObject({ isFirst: false });
    expect(await statuses([booked])).toEqual(["COMPLETED"]);
  });

  it("leaves reviews as they are, and what else has changed since", async () => {
    const { tour, book, complete, undo } = await scene();
    const [ann, bob, cid] = [await book(), await book(), await book()];
    await complete(BEGAN, { absent: [cid.id] });
    const { review } = await postReview(as(ann.user), { tourId: tour._id.toString(), rating: 1 });
    await Booking.updateMany({ _id: { $in: [bob.id, cid.id] } }, { status: "CANCELLED" });
    await undo(1_000);
    expect(await statuses([ann, bob, cid])).toEqual(["CONFIRMED", "CANCELLED", "CANCELLED"]);
    expect(await Review.findById(review.id).lean()).toMatchObject({ rating: 1, verified: true });
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ reviewCount: 1, avgRating: 1 });
  });

  it("leaves the departure to its guide for an hour, and never longer than it would be anyway", async () => {
    const { book, complete, undo } = await scene();
    const date = at(-AUTO_COMPLETE_MS + 1);
    const late = await book({ date });
    await complete(date);
    expect(await undo(1)).toMatchObject({ isDueSoon: true });
    await atTime(at(HOLD_MS), completeDue);
    expect(await statuses([late])).toEqual(["CONFIRMED"]);
    await atTime(at(HOLD_MS + 1), completeDue);
    expect(await statuses([late])).toEqual(["COMPLETED"]);

    await Completion.deleteMany();
    const early = await book();
    await complete();
    expect(await undo(1)).toMatchObject({ isDueSoon: false });
    await atTime(at(AUTO_COMPLETE_MS - 2 * HOUR), completeDue);
    expect(await statuses([early])).toEqual(["COMPLETED"]);
  });

  it("is the guide's of the tour alone", async () => {
    const { book, complete, undo } = await scene();
    const booked = await book();
    await complete();
    for (const by of [booked.user, await makeUser()])
      await expect(undo(1, { by })).rejects.toMatchObject({
        status: 403,
        message: "You can only undo what you have done",
      });
    expect(await statuses([booked])).toEqual(["COMPLETED"]);
  });
});

describe("a tour that is just given to another guide", () => {
  it("is completed by the former one no more", async () => {
    const { tour, book, complete } = await scene();
    const booked = await book();
    const next = await makeUser();
    beforeTransaction(() => Tour.updateOne({ _id: tour._id }, { createdById: next._id }));
    await expect(complete()).rejects.toMatchObject({
      status: 403,
      message: "You can only complete departures of your own tours",
    });
    expect(await statuses([booked])).toEqual(["CONFIRMED"]);
  });

  it("keeps what the former one has completed", async () => {
    const { tour, book, complete, undo } = await scene();
    const booked = await book();
    await complete();
    const next = await makeUser();
    beforeTransaction(() => Tour.updateOne({ _id: tour._id }, { createdById: next._id }));
    await expect(undo(1)).rejects.toMatchObject({
      status: 403,
      message: "You can only undo what you have done",
    });
    expect(await statuses([booked])).toEqual(["COMPLETED"]);
  });
});

it("nothing of this where the platform completes bookings", async () => {
  const { book, complete, undo } = await scene();
  const booked = [await book(), await book({ date: at(-HOUR) })];
  const refusal = { status: 403, message: "The platform marks departures as completed" };
  await expect(complete(BEGAN, { platform: true })).rejects.toMatchObject(refusal);
  // It was done before the setting changed.
  await complete(at(-HOUR));
  await expect(undo(1, { platform: true })).rejects.toMatchObject(refusal);
  expect(await statuses(booked)).toEqual(["CONFIRMED", "COMPLETED"]);
});

it("lists what can be undone, the latest first", async () => {
  const { tour, book, other, complete, undo } = await scene();
  const [first, second, third] = [at(-5 * HOUR), at(-4 * HOUR), at(-3 * HOUR)];
  for (const date of [first, second, third]) await book({ date });
  const absent = [(await book({ date: second })).id];
  const foreign = await makeTour();
  await Completion.create({ tourId: foreign._id, completed: [], absent: [], completedAt: NOW });
  await complete(first, { now: at(-UNDO_MS - 1) });
  await complete(second, { now: at(-UNDO_MS), absent });
  await complete(third);
  const tours = [await other(), tour];
  const found = await recentCompletions(tours, NOW);
  const completed = { status: "COMPLETED", count: 1 };
  const counts = [completed, { status: "NO_SHOW", count: 1 }];
  expect(found).toMatchObject([
    { tour: { title: tour.title }, date: third.toISOString(), counts: [completed] },
    { date: second.toISOString(), counts, undoUntil: NOW.toISOString() },
  ]);
  await undo(0, { id: found[0]!.id });
  expect(await recentCompletions(tours, NOW)).toHaveLength(1);
});
