import mongoose, { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
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
import { as, makeBooking, makeReview, makeTour, makeUser } from "../support/factories";

// A departure is a tour at one date; completing it lets its explorers review the tour, except for those who did
// not come. The guide can undo it.

useDatabase();

// By the database's clock: after a day it removes the completions.
const NOW = new Date();
const at = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR = 60 * 60 * 1_000;
const BEGAN = at(-2 * HOUR);

const CONFIRMED = { status: "CONFIRMED" };

/** A booking of somebody new; gives what is needed to look at it again. */
async function book(tour: { _id: Types.ObjectId }, fields: Partial<BookingDocument> = {}) {
  const user = await makeUser();
  await makeBooking(user, tour, { ...CONFIRMED, ...fields });
  return user;
}
const bookingOf = (user: { _id: Types.ObjectId }) =>
  Booking.findOne({ userId: user._id }).lean().orFail();
const statusOf = async (user: { _id: Types.ObjectId }) => (await bookingOf(user)).status;
const idOf = async (user: { _id: Types.ObjectId }) => (await bookingOf(user))._id.toString();
const statuses = (users: { _id: Types.ObjectId }[]) => Promise.all(users.map(statusOf));

async function scene(date: Date | null = null) {
  const guide = await makeUser();
  const tour = await makeTour({ createdById: guide._id, date });
  const complete = (
    of: Date | null,
    { now = NOW, by = guide, absent = [] as string[], platform = false } = {},
  ) =>
    completeDeparture(
      as(by),
      { tourId: tour._id.toString(), date: of?.toISOString() ?? null, absent },
      { clock: () => now, completion: platform ? "platform" : "automatic" },
    );
  const undo = async (ms: number, { by = guide, id = "", platform = false } = {}) =>
    undoCompletion(as(by), id || (await Completion.findOne().orFail())._id.toString(), {
      clock: () => at(ms),
      completion: platform ? "platform" : "automatic",
    });
  return { guide, tour, complete, undo };
}

describe("a guide completes", () => {
  it("the confirmed bookings of that departure, and no others", async () => {
    const { tour, complete } = await scene(at(-30 * 24 * HOUR));
    const other = await makeTour({ createdById: tour.createdById });
    const confirmed = [await book(tour, { date: BEGAN }), await book(tour, { date: BEGAN })];
    const left = [
      await book(tour, { date: at(-3 * HOUR) }),
      await book(tour),
      await book(other, { date: BEGAN }),
    ];
    const kept = ["PENDING", "CANCELLED", "NO_SHOW"];
    const others = await Promise.all(kept.map((status) => book(tour, { date: BEGAN, status })));

    expect(await complete(BEGAN)).toMatchObject({ completed: 2, absent: 0 });
    expect(await Promise.all(confirmed.map(statusOf))).toEqual(["COMPLETED", "COMPLETED"]);
    expect(await Promise.all(left.map(statusOf))).toEqual(Array(3).fill("CONFIRMED"));
    expect(await Promise.all(others.map(statusOf))).toEqual(kept);
  });

  it("and the explorer may review, which was refused before", async () => {
    const { tour, complete } = await scene();
    const explorer = await book(tour, { date: BEGAN });
    const review = () => postReview(as(explorer), { tourId: tour._id.toString(), rating: 5 });
    await expect(review()).rejects.toMatchObject({ status: 400 });
    await complete(BEGAN);
    expect((await review()).review.rating).toBe(5);
  });

  it("again without effect, also at the same time", async () => {
    const { tour, complete } = await scene();
    for (let n = 0; n < 5; n++) await book(tour, { date: BEGAN });
    const counts = await Promise.all([complete(BEGAN), complete(BEGAN), complete(BEGAN)]);
    expect(counts.map(({ completed }) => completed).sort()).toEqual([0, 0, 5]);
    expect(await complete(BEGAN)).toMatchObject({ completed: 0, absent: 0, reviewers: 0 });
    expect(await Completion.countDocuments()).toBe(1);
  });

  test.each([
    ["a moment before it begins", 1, "CONFIRMED"],
    ["when it begins", 0, "COMPLETED"],
  ])("%s", async (_, ms, expected) => {
    const { tour, complete } = await scene();
    const explorer = await book(tour, { date: at(ms) });
    const outcome = await complete(at(ms)).catch((error: unknown) => error);
    if (expected === "CONFIRMED")
      expect(outcome).toMatchObject({ status: 400, message: "This departure has not begun yet" });
    expect(await statusOf(explorer)).toBe(expected);
  });

  it("at the tour's date, bookings without one of their own too", async () => {
    const { tour, complete } = await scene(BEGAN);
    const explorers = [await book(tour), await book(tour, { date: BEGAN })];
    const another = await book(tour, { date: at(-5 * HOUR) });
    expect(await complete(BEGAN)).toMatchObject({ completed: 2, absent: 0 });
    expect(await Promise.all(explorers.map(statusOf))).toEqual(["COMPLETED", "COMPLETED"]);
    expect(await statusOf(another)).toBe("CONFIRMED");
  });

  it("a tour without any date at any time", async () => {
    const { tour, complete } = await scene(null);
    const explorer = await book(tour);
    // Left out altogether, as a platform's own bookings may.
    const { _id } = await makeUser();
    await mongoose.connection
      .collection("bookings")
      .insertOne({ userId: _id, tourId: tour._id, ...CONFIRMED });
    expect(await complete(null)).toMatchObject({ completed: 2 });
    expect(await statusOf(explorer)).toBe("COMPLETED");
  });

  it("only departures of their own tours", async () => {
    const { tour, complete } = await scene();
    const explorer = await book(tour, { date: BEGAN });
    for (const stranger of [await makeUser(), explorer])
      await expect(complete(BEGAN, { by: stranger })).rejects.toMatchObject({
        status: 403,
        message: "You can only complete departures of your own tours",
      });
    expect(await statusOf(explorer)).toBe("CONFIRMED");
  });

  test.each([
    ["a tour that is no id", "nope", BEGAN.toISOString(), "Tour not found"],
    ["an unknown tour", new Types.ObjectId().toString(), BEGAN.toISOString(), "Tour not found"],
    ["a date that nobody has booked", null, at(-7 * HOUR).toISOString(), "Departure not found"],
    ["a date that is none", null, "yesterday", "Departure not found"],
    ["no date at all", null, null, "Departure not found"],
  ])("%s: 404", async (_, unknown, date, message) => {
    const { guide, tour } = await scene();
    const explorer = await book(tour, { date: BEGAN });
    const tourId = unknown ?? tour._id.toString();
    const completing = completeDeparture(as(guide), { tourId, date }, { clock: () => NOW });
    await expect(completing).rejects.toMatchObject({ status: 404, message });
    expect(await statusOf(explorer)).toBe("CONFIRMED");
  });
});

describe("explorers who did not come", () => {
  it("are those who are named, and cannot review", async () => {
    const { tour, complete } = await scene(BEGAN);
    const [ann, bob, cid] = [await book(tour), await book(tour, { date: BEGAN }), await book(tour)];
    const absent = [await idOf(bob), await idOf(cid)];
    expect(await complete(BEGAN, { absent })).toMatchObject({
      tour: { title: tour.title },
      completed: 1,
      absent: 2,
      reviewers: 1,
    });
    expect(await statuses([ann, bob, cid])).toEqual(["COMPLETED", "NO_SHOW", "NO_SHOW"]);
    const eligible = (user: typeof ann) =>
      reviewEligibility(as(user), { id: tour._id.toString(), date: null });
    expect(await eligible(ann)).toMatchObject({ kind: "eligible" });
    expect(await eligible(bob)).toMatchObject({ kind: "notCompleted" });
    await expect(
      postReview(as(bob), { tourId: tour._id.toString(), rating: 1 }),
    ).rejects.toMatchObject({ status: 400 });
    // Not even when their time has come.
    await completeDue({ clock: () => at(2 * AUTO_COMPLETE_MS) });
    expect(await statusOf(bob)).toBe("NO_SHOW");
  });

  it("are only those with a confirmed booking of the departure, whoever is named", async () => {
    const { tour, complete } = await scene();
    const other = await makeTour({ createdById: tour.createdById });
    await book(tour, { date: BEGAN });
    const left = [
      await book(tour, { date: at(-3 * HOUR) }),
      await book(other, { date: BEGAN }),
      await book(tour, { date: BEGAN, status: "PENDING" }),
      await book(tour, { date: BEGAN, status: "COMPLETED" }),
    ];
    const before = await statuses(left);
    const absent = [...(await Promise.all(left.map(idOf))), "nope", "", "x".repeat(10_000)];
    expect(await complete(BEGAN, { absent })).toMatchObject({ completed: 1, absent: 0 });
    expect(await statuses(left)).toEqual(before);
  });

  it("are what the first of several forms says, whoever sends others at the same time", async () => {
    const { tour, complete } = await scene();
    const explorers = [];
    for (let n = 0; n < 4; n++) explorers.push(await book(tour, { date: BEGAN }));
    const ids = await Promise.all(explorers.map(idOf));
    const results = await Promise.all(ids.map((id) => complete(BEGAN, { absent: [id] })));
    const first = results.findIndex(({ absent }) => absent === 1);
    expect(results.filter(({ completed, absent }) => completed + absent === 0)).toHaveLength(3);
    const expected = explorers.map((_, n) => (n === first ? "NO_SHOW" : "COMPLETED"));
    expect(await statuses(explorers)).toEqual(expected);
    expect(await Completion.countDocuments()).toBe(1);
  });

  it("are told to whoever says so at the moment at which it is completed automatically", async () => {
    const began = at(-AUTO_COMPLETE_MS);
    const { tour, complete } = await scene();
    for (let n = 0; n < 5; n++) {
      const explorer = await book(tour, { date: began });
      const [{ absent }] = await Promise.all([
        complete(began, { absent: [await idOf(explorer)] }),
        completeDue({ clock: () => NOW }),
      ]);
      expect(await statusOf(explorer)).toBe(absent === 1 ? "NO_SHOW" : "COMPLETED");
    }
  });
});

it("counts only explorers who can review now, each once", async () => {
  const { guide, tour, complete } = await scene();
  const booked = { ...CONFIRMED, date: BEGAN };
  const ann = await book(tour, { date: BEGAN });
  await makeBooking(ann, tour, booked);
  const again = await book(tour, { date: BEGAN });
  await makeReview(again, tour);
  const gone = await book(tour, { date: BEGAN });
  await User.deleteOne({ _id: gone._id });
  await makeBooking(guide, tour, booked);
  expect(await complete(BEGAN)).toMatchObject({ completed: 5, reviewers: 1 });
});

describe("undoing a completion", () => {
  it("makes the bookings what they were, and they can be completed again", async () => {
    const { tour, complete, undo } = await scene();
    const [ann, bob] = [await book(tour, { date: BEGAN }), await book(tour, { date: BEGAN })];
    const others = ["COMPLETED", "NO_SHOW", "PENDING"];
    const kept = await Promise.all(others.map((status) => book(tour, { date: BEGAN, status })));
    await complete(BEGAN, { absent: [await idOf(ann)] });
    expect(await undo(1_000)).toMatchObject({ tour: { title: tour.title }, isFirst: true });
    expect(await statuses([ann, bob])).toEqual(["CONFIRMED", "CONFIRMED"]);
    expect(await statuses(kept)).toEqual(others);
    expect(await complete(BEGAN, { absent: [await idOf(bob)] })).toMatchObject({ completed: 1 });
    expect(await statuses([ann, bob])).toEqual(["COMPLETED", "NO_SHOW"]);
  });

  test.each([
    ["at ten minutes", 0, "CONFIRMED"],
    ["a millisecond later", 1, "COMPLETED"],
  ])("%s", async (_, ms, expected) => {
    const { tour, complete, undo } = await scene();
    const ann = await book(tour, { date: BEGAN });
    await complete(BEGAN);
    const outcome = await undo(UNDO_MS + ms).catch((error: unknown) => error);
    if (ms > 0)
      expect(outcome).toMatchObject({
        status: 400,
        message: "This can only be undone within ten minutes",
      });
    expect(await statusOf(ann)).toBe(expected);
  });

  it("twice, also at the same time, does it once; even when the ten minutes are over by then", async () => {
    const { tour, complete, undo } = await scene();
    const ann = await book(tour, { date: BEGAN });
    await complete(BEGAN);
    const first = (await Completion.findOne().orFail())._id.toString();
    const results = await Promise.all([undo(1), undo(1), undo(1)]);
    expect(results.map(({ isFirst }) => isFirst).sort()).toEqual([false, false, true]);
    // What the guide does afterwards stays.
    await complete(BEGAN);
    for (const ms of [2, 2 * UNDO_MS])
      expect(await undo(ms, { id: first })).toMatchObject({ isFirst: false });
    expect(await statusOf(ann)).toBe("COMPLETED");
  });

  it("leaves reviews as they are, and what else has changed since", async () => {
    const { tour, complete, undo } = await scene();
    const [ann, bob, cid] = [
      await book(tour, { date: BEGAN }),
      await book(tour, { date: BEGAN }),
      await book(tour, { date: BEGAN }),
    ];
    await complete(BEGAN, { absent: [await idOf(cid)] });
    const { review } = await postReview(as(ann), { tourId: tour._id.toString(), rating: 1 });
    for (const user of [bob, cid])
      await Booking.updateOne({ userId: user._id }, { status: "CANCELLED" });
    await undo(1_000);
    expect(await statuses([ann, bob, cid])).toEqual(["CONFIRMED", "CANCELLED", "CANCELLED"]);
    expect(await Review.findById(review.id).lean()).toMatchObject({ rating: 1, verified: true });
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ reviewCount: 1, avgRating: 1 });
  });

  it("leaves the departure to its guide for an hour, and never longer than it would be anyway", async () => {
    const began = at(-AUTO_COMPLETE_MS + 1);
    const { tour, complete, undo } = await scene();
    const late = await book(tour, { date: began });
    await complete(began);
    expect(await undo(1)).toMatchObject({ isDueSoon: true });
    await completeDue({ clock: () => at(HOLD_MS) });
    expect(await statusOf(late)).toBe("CONFIRMED");
    await completeDue({ clock: () => at(HOLD_MS + 1) });
    expect(await statusOf(late)).toBe("COMPLETED");

    await Completion.deleteMany();
    const early = await book(tour, { date: BEGAN });
    await complete(BEGAN);
    expect(await undo(1)).toMatchObject({ isDueSoon: false });
    await completeDue({ clock: () => at(AUTO_COMPLETE_MS - 2 * HOUR) });
    expect(await statusOf(early)).toBe("COMPLETED");
  });

  it("is the guide's of the tour alone", async () => {
    const { tour, complete, undo } = await scene();
    const ann = await book(tour, { date: BEGAN });
    await complete(BEGAN);
    for (const by of [ann, await makeUser()])
      await expect(undo(1, { by })).rejects.toMatchObject({
        status: 403,
        message: "You can only undo what you have done",
      });
    expect(await statusOf(ann)).toBe("COMPLETED");
  });
});

it("nothing of this where the platform completes bookings", async () => {
  const { tour, complete, undo } = await scene();
  const [ann, bob] = [await book(tour, { date: BEGAN }), await book(tour, { date: at(-HOUR) })];
  const refusal = { status: 403, message: "The platform marks departures as completed" };
  await expect(complete(BEGAN, { platform: true })).rejects.toMatchObject(refusal);
  // It was done before the setting changed.
  await complete(at(-HOUR));
  await expect(undo(1, { platform: true })).rejects.toMatchObject(refusal);
  expect(await statuses([ann, bob])).toEqual(["CONFIRMED", "COMPLETED"]);
});

it("lists what can be undone, the latest first", async () => {
  const { tour, complete, undo } = await scene();
  const other = await makeTour({ createdById: tour.createdById });
  const foreign = await makeTour();
  const dates = [at(-5 * HOUR), at(-4 * HOUR), at(-3 * HOUR)];
  for (const date of dates) await book(tour, { date });
  const ann = await book(tour, { date: dates[1]! });
  await Completion.create({ tourId: foreign._id, completed: [], absent: [], completedAt: NOW });
  await complete(dates[0]!, { now: at(-UNDO_MS - 1) });
  await complete(dates[1]!, { now: at(-UNDO_MS), absent: [await idOf(ann)] });
  await complete(dates[2]!);
  const listed = () => recentCompletions([other, tour], NOW);
  const found = await listed();
  expect(found).toMatchObject([
    { tour: { title: tour.title }, date: dates[2]!.toISOString(), completed: 1, absent: 0 },
    { date: dates[1]!.toISOString(), completed: 1, absent: 1, undoUntil: NOW.toISOString() },
  ]);
  await undo(0, { id: found[0]!.id });
  expect(await listed()).toHaveLength(1);
});
