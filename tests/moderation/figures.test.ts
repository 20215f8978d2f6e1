import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { countFigures, FIGURES_KEPT_MS, getFigures } from "~/moderation/figures/figures.server";
import { computeRatings } from "~/reviews/ratings.server";
import { Decision, type DecisionDocument } from "#models/decision";
import { RemovedReview } from "#models/removed-review";
import { Report, type ReportDocument } from "#models/report";
import { Review } from "#models/review";
import { Sanction } from "#models/sanction";
import { Tour, type TourDocument } from "#models/tour";
import { useDatabase } from "../support/database";
import { makeAbsence, makeReview, makeTour, makeUser } from "../support/factories";

// docs/rules/moderation.md, Figures

useDatabase();

const NOW = new Date("2026-11-26T08:00:00.000Z");
const HOUR = 3_600_000;
const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR);
const A_YEAR = 365 * 24;

const figures = () => countFigures({ clock: () => NOW });

const id = () => new Types.ObjectId();

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
  for (const fields of [
    { at: before(1) },
    { at: before(A_YEAR - 25), objectedAt: before(1) },
    { at: before(0), tellAt: before(-1) },
    { at: before(A_YEAR + 25) },
  ])
    await makeAbsence(ann, tour, fields);
  expect((await countFigures()).absences).toEqual({ noShows: 2, objections: 1 });
});

it("counts warnings and suspensions of these months, and which of them were taken back", async () => {
  const make = (kind: "warning" | "suspension", number: number, at: Date, stands?: boolean) =>
    Sanction.create({
      ...{ subject: "somebody", scope: "account", kind, number, at },
      ...{ operatorId: id(), caseId: id() },
      outcome: stands === undefined ? null : { at, operatorId: id(), stands, explanation: null },
    });
  await make("warning", 1, ago(A_YEAR + 24));
  await make("warning", 2, ago(2));
  await make("warning", 3, ago(2), false);
  await make("suspension", 4, ago(1), true);
  expect((await figures()).sanctions).toEqual({ warnings: 2, suspensions: 1, takenBack: 1 });
});

it("counts the reports of twelve months by their reason", async () => {
  for (const reason of ["off-topic", "danger", "off-topic"] as const) await makeReport({ reason });
  // Exactly twelve months ago, a moment before, and a moment from now.
  await makeReport({ at: new Date("2025-11-26T08:00:00.000Z") });
  await makeReport({ at: new Date("2025-11-26T07:59:59.999Z") });
  await makeReport({ at: ago(-0.001) });
  expect((await figures()).reports).toEqual([
    { reason: "danger", count: 1 },
    { reason: "hateful", count: 1 },
    { reason: "off-topic", count: 2 },
  ]);
});

describe("decisions", () => {
  it("are counted by ground and action, about reviews and replies, and how many reverse one before", async () => {
    await makeDecision({ ground: "order" });
    await makeDecision({ kind: "reply" });
    await makeDecision();
    await makeDecision({ onAppeal: true, action: "redact" });
    await makeDecision({ onAppeal: true, overturns: true, ground: "allowed", action: "keep" });
    await makeDecision({ onAppeal: true, overturns: true, at: ago(A_YEAR + 1) });
    expect(await figures()).toMatchObject({
      decisions: [
        { ground: "hateful", action: "redact", count: 1 },
        { ground: "hateful", action: "remove", count: 2 },
        { ground: "order", action: "remove", count: 1 },
        { ground: "allowed", action: "keep", count: 1 },
      ],
      appeals: { decided: 2, overturned: 1 },
    });
  });

  it("are counted by the stars of the review, in whole stars, but fewer than three are not", async () => {
    for (const rating of [1, 1, 1, 1, 5, 4.5, 4.5, 4.4, 4]) await makeDecision({ rating });
    for (const rating of [1, 4.4, 4, 4]) await makeDecision({ action: "keep", rating });
    for (let n = 0; n < 3; n++) await makeDecision({ kind: "reply", action: "restore", rating: 3 });
    const all = (await figures()).decisionsByStars;
    expect(all).toHaveLength(12);
    expect(all.filter(({ count }) => count !== null)).toEqual([
      { stars: 1, action: "remove", count: 4 },
      { stars: 4, action: "keep", count: 3 },
      { stars: 5, action: "remove", count: 3 },
    ]);
  });

  it("have the median of the hours that were waited, not counting those about appeals", async () => {
    const median = async () => (await figures()).medianHours;
    expect(await median()).toBeNull();
    await makeDecision({ hours: 1_000, onAppeal: true });
    for (const hours of [100, 1, 3]) await makeDecision({ hours });
    expect(await median()).toBe(3);
    await makeDecision({ hours: 4 + 1 / 3 });
    expect(await median()).toBe(3.67);
  });
});

describe("the means", () => {
  it("are those of the tours with removed reviews, with them and without", async () => {
    const [one, two] = [await makeRated(5, 4), await makeRated(3, 3, 3)];
    await makeRated(1, 1, 1, 1);
    await makeRemoved(one, [1, 2]);
    await makeRemoved(two, [1]);
    const effect = { removed: 3, tours: 2, mean: 18 / 5, meanWithRemoved: 22 / 8 };
    expect((await figures()).ratings).toEqual(effect);
  });

  it("count no rating that does not count, and none of a tour that is gone", async () => {
    const tour = await makeRated(5);
    await makeRemoved(tour, [null, "1", 9, 4.5, 1, 1]);
    await makeRemoved({ _id: id() }, [1]);
    const effect = { removed: 3, mean: 5, meanWithRemoved: 11.5 / 4 };
    expect((await figures()).ratings).toMatchObject(effect);
  });

  it("say nothing of fewer than three ratings, nor where none is left", async () => {
    const tour = await makeRated(5);
    await makeRemoved(tour, [1, 1, null]);
    expect((await figures()).ratings).toBeNull();
    await makeRemoved(tour, [1]);
    expect((await figures()).ratings).toMatchObject({ removed: 3 });
    await Review.deleteMany({});
    await Tour.updateOne({ _id: tour._id }, { $set: await computeRatings(tour._id) });
    expect((await figures()).ratings).toBeNull();
  });
});

it("are counted once by all who ask at the same time, and again when they are a day old", async () => {
  const at = (time: number) => getFigures({ clock: () => new Date(time) });
  const [counted] = await Promise.all([at(NOW.getTime()), at(NOW.getTime())]);
  await makeReport();
  await makeReview(await makeUser(), await makeTour(), { createdAt: ago(1) });
  expect(await at(NOW.getTime() + FIGURES_KEPT_MS - 1)).toEqual(counted);
  expect(await at(NOW.getTime() + FIGURES_KEPT_MS)).toMatchObject({
    reviews: 1,
    reports: [{ reason: "hateful", count: 1 }],
  });
});
