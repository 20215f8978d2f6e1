import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { countFigures, FIGURES_KEPT_MS, getFigures } from "~/moderation/figures/figures.server";
import { computeRatings } from "~/reviews/ratings.server";
import { Decision, type DecisionDocument } from "#models/decision";
import { StoredFigures } from "#models/figures";
import { RemovedReview } from "#models/removed-review";
import { Report, type ReportDocument } from "#models/report";
import { Review } from "#models/review";
import { Sanction } from "#models/sanction";
import { Tour, type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeAbsence, makeReview, makeTour, makeUser } from "../support/factories";
import { atTime, moveTime, setTime } from "../support/time";

// docs/rules/moderation.md, Figures

useDatabase();

const NOW = new Date("2026-11-26T08:00:00.000Z");
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);
const A_YEAR = 365 * 24;

const figures = () => atTime(NOW, countFigures);

const id = () => new Types.ObjectId();

/** Makes so many of something. */
const times = async (count: number, make: () => Promise<unknown>) => {
  for (let n = 0; n < count; n++) await make();
};

const makeReport = (fields: Partial<ReportDocument> = {}) =>
  Report.create({ caseId: id(), reason: "hateful", at: ago(1), ...fields });

/** A row of the log; it was waited for during those hours. */
const makeDecision = ({
  hours = 1,
  ...fields
}: Partial<DecisionDocument> & { hours?: number } = {}) => {
  const at = fields.at ?? ago(1);
  return Decision.create({
    ...{ caseId: id(), reviewId: id(), tourId: id(), operatorId: id(), kind: "review", at },
    ...{ action: "remove", ground: "hateful", rating: 1, onAppeal: false, overturns: false },
    waitedSince: new Date(at.getTime() - hours * HOUR),
    ...fields,
  });
};

async function makeRemoved(tour: Pick<TourDocument, "_id">, ratings: unknown[]) {
  // However long ago: they are removed now.
  const removed = { tourId: tour._id, review: null, removedAt: ago(3 * A_YEAR) };
  for (const rating of ratings)
    await RemovedReview.collection.insertOne({ userId: id(), caseId: id(), rating, ...removed });
}

/** A tour with reviews of these ratings, and the aggregates of them. */
async function makeRated(...ratings: number[]) {
  const tour = await makeTour();
  for (const rating of ratings) await makeReview(await makeUser(), tour, { rating });
  await Tour.updateOne({ _id: tour._id }, { $set: await computeRatings(tour._id) });
  return tour;
}

it("counts the explorers of these months who did not come, and those who objected, once they were told", async () => {
  const [tour, ann] = [await makeTour(), await makeUser()];
  // By the database's clock, which removes what is older than a year.
  const before = (hours: number) => new Date(Date.now() - hours * HOUR);
  const absences = async () => (await countFigures()).absences;
  await times(5, () => makeAbsence(ann, tour, { at: before(1) }));
  await times(4, () => makeAbsence(ann, tour, { at: before(A_YEAR - 25), objectedAt: before(1) }));
  for (const fields of [
    { at: before(0), tellAt: before(-1), objectedAt: before(0) },
    { at: before(A_YEAR + 25), objectedAt: before(1) },
  ])
    await makeAbsence(ann, tour, fields);
  expect(await absences()).toEqual({ noShows: 5, objections: null });
  await makeAbsence(ann, tour, { at: before(2), objectedAt: before(1) });
  expect(await absences()).toEqual({ noShows: 10, objections: 5 });
});

it("counts warnings and suspensions of these months, and which of them were taken back", async () => {
  const make = (kind: "warning" | "suspension", number: number, at: Date, stands?: boolean) =>
    Sanction.create({
      ...{ subject: "somebody", scope: "account", kind, number, at },
      ...{ operatorId: id(), caseId: id() },
      outcome: stands === undefined ? null : { at, operatorId: id(), stands, explanation: null },
    });
  let number = 0;
  await times(5, () => make("warning", number++, ago(A_YEAR + 24), false));
  await times(9, () => make("warning", number++, ago(2)));
  await times(4, () => make("suspension", number++, ago(1), true));
  const sanctions = async () => (await figures()).sanctions;
  expect(await sanctions()).toEqual({ warnings: 5, suspensions: null, takenBack: null });
  await times(5, () => make("suspension", number++, ago(2), false));
  expect(await sanctions()).toEqual({ warnings: 5, suspensions: 5, takenBack: 5 });
});

it("counts the reports of twelve months by their reason", async () => {
  await times(12, () => makeReport({ reason: "off-topic" }));
  await times(4, () => makeReport({ reason: "danger" }));
  // Exactly twelve months ago, a moment before, and a moment from now.
  await times(5, () => makeReport({ at: new Date("2025-11-26T08:00:00.000Z") }));
  await times(5, () => makeReport({ at: new Date("2025-11-26T07:59:59.999Z") }));
  await times(5, () => makeReport({ at: ago(-0.001) }));
  expect((await figures()).reports).toEqual([
    { reason: "hateful", count: 5 },
    { reason: "off-topic", count: 10 },
  ]);
});

describe("decisions", () => {
  it("are counted by ground and action, about reviews and replies, and how many reverse one before", async () => {
    await times(5, () => makeDecision({ ground: "order" }));
    await times(3, () => makeDecision({ kind: "reply" }));
    await times(3, () => makeDecision());
    await times(9, () => makeDecision({ onAppeal: true, action: "redact" }));
    const reversal = { onAppeal: true, overturns: true } as const;
    await times(5, () => makeDecision({ ...reversal, ground: "allowed", action: "keep" }));
    await times(5, () => makeDecision({ ...reversal, at: ago(A_YEAR + 1) }));
    expect(await figures()).toMatchObject({
      decisions: [
        { ground: "hateful", action: "redact", count: 5 },
        { ground: "hateful", action: "remove", count: 5 },
        { ground: "order", action: "remove", count: 5 },
        { ground: "allowed", action: "keep", count: 5 },
      ],
      appeals: { decided: 10, overturned: 5 },
    });
  });

  it("are counted by the stars of the review, in whole stars", async () => {
    for (const rating of [1, 1, 1, 1, 1, 1, 5, 4.5, 4.5, 5, 5, 4.4, 4])
      await makeDecision({ rating });
    for (const rating of [1, 4.4, 4, 4, 3.5, 4]) await makeDecision({ action: "keep", rating });
    await times(5, () => makeDecision({ kind: "reply", action: "restore", rating: 3 }));
    await times(5, () => makeDecision({ action: "redact", rating: null }));
    expect((await figures()).decisionsByStars).toEqual([
      { stars: 1, action: "remove", count: 5 },
      { stars: 4, action: "keep", count: 5 },
      { stars: 5, action: "remove", count: 5 },
      { stars: null, action: "redact", count: 5 },
    ]);
  });

  it("tell nothing of one removal, of which everybody knows the tour, the day and the stars", async () => {
    const numbers = async () => {
      const { from, to, medianHours, reviews, ...numbers } = await figures();
      return numbers;
    };
    const none = await numbers();
    for (const before of [0, 5]) {
      const known = await numbers();
      // Its ground, and whether the one before was reversed: no figure has changed on the next day.
      for (let n = before + 1; n < before + 5; n++) {
        await makeDecision({ ground: "order", onAppeal: true, overturns: true });
        await makeReport();
        expect(await numbers()).toEqual(known);
      }
      await makeDecision({ ground: "order", onAppeal: true, overturns: true });
      await makeReport();
      expect(await numbers()).not.toEqual(known);
    }
    expect(none).toMatchObject({ reports: [], decisions: [], decisionsByStars: [] });
    expect(none.appeals).toEqual({ decided: null, overturned: null });
  });

  it("have the median of the hours that were waited, not counting those about appeals", async () => {
    const median = async () => (await figures()).medianHours;
    expect(await median()).toBeNull();
    await times(5, () => makeDecision({ hours: 1_000, onAppeal: true }));
    for (const hours of [100, 1, 3, 2]) await makeDecision({ hours });
    expect(await median()).toBeNull();
    await makeDecision({ hours: 50 });
    expect(await median()).toBe(3);
    await makeDecision({ hours: 4 + 1 / 3 });
    expect(await median()).toBe(3.67);
  });
});

describe("the means", () => {
  it("are those of the tours with removed reviews, with them and without", async () => {
    const [one, two] = [await makeRated(5, 4), await makeRated(3, 3, 3)];
    await makeRated(1, 1, 1, 1);
    await makeRemoved(one, [1, 2, 1]);
    await makeRemoved(two, [1, 1, 2]);
    const effect = { removed: 5, tours: null, mean: 18 / 5, meanWithRemoved: 26 / 11 };
    expect((await figures()).ratings).toEqual(effect);
  });

  it("count no rating that does not count, and none of a tour that is gone", async () => {
    const tour = await makeRated(5);
    await makeRemoved(tour, [null, "1", 9, 4.5, 1, 1, 1, 1]);
    await makeRemoved({ _id: id() }, [1]);
    const effect = { removed: 5, mean: 5, meanWithRemoved: 13.5 / 6 };
    expect((await figures()).ratings).toMatchObject(effect);
  });

  it("say nothing of fewer than five ratings, nor where none is left", async () => {
    const tour = await makeRated(5);
    await makeRemoved(tour, [1, 1, 1, 1, null]);
    expect((await figures()).ratings).toBeNull();
    await makeRemoved(tour, [1]);
    expect((await figures()).ratings).toMatchObject({ removed: 5 });
    await Review.deleteMany({});
    await Tour.updateOne({ _id: tour._id }, { $set: await computeRatings(tour._id) });
    expect((await figures()).ratings).toBeNull();
  });
});

it("are counted once by all who ask at the same time, and again when they are a day old", async () => {
  setTime(NOW);
  const [counted] = await Promise.all([getFigures(), getFigures()]);
  await times(5, () => makeReport());
  await makeReview(await makeUser(), await makeTour(), { createdAt: ago(1) });
  moveTime(FIGURES_KEPT_MS - 1);
  expect(await getFigures()).toEqual(counted);
  moveTime(1);
  expect(await getFigures()).toMatchObject({
    reviews: 1,
    reports: [{ reason: "hateful", count: 5 }],
  });
});

it("are counted anew where those that are stored follow an earlier rule", async () => {
  const figures = { decisionsByStars: [{ stars: 1, action: "remove", count: 1 }] };
  await StoredFigures.collection.insertOne({ _id: "figures" as never, countedAt: NOW, figures });
  setTime(NOW);
  expect((await getFigures()).decisionsByStars).toEqual([]);
  expect((await getFigures()).decisionsByStars).toEqual([]);
  expect(await StoredFigures.countDocuments()).toBe(1);
});
