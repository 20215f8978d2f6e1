import { median } from "es-toolkit";
import { ACTIONS, GROUNDS, REASONS, type Reason } from "#models/case";
import { Decision, type DecisionDocument } from "#models/decision";
import { StoredFigures } from "#models/figures";
import { Report } from "#models/report";
import { Sanction, type SanctionKind } from "#models/sanction";
import { BATCH } from "~/db/batches";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { monthsAfter } from "~/moderation/labels";
import { countNoShows } from "./no-shows.server";
import { countReviewsSince, effectOnRatings } from "./reviews.server";
import { FEWEST, inPublic } from "./small-numbers";

// Public statistics of reports and decisions (docs/rules/moderation.md, Figures): numbers, from the log and from
// what the log is about. No row of it says what was written, by whom or about which tour.

const MONTHS = 12;

/** The median is that of so many decisions at most, the newest. */
export const MEDIAN_OF = 10_000;

/** How old stored figures may be, in milliseconds. */
export const FIGURES_KEPT_MS = 24 * 3_600_000;

/** Version of stored figures: those of an earlier rule for small numbers are counted anew. */
const FORM = 2;

export type Figures = Awaited<ReturnType<typeof countFigures>>;

let counting: Promise<Figures> | undefined;

/** Returns the figures, at most a day old: those that are stored, or else they are counted, once for all who ask. */
export async function getFigures(): Promise<Figures> {
  const countedAt = { $gt: new Date(Date.now() - FIGURES_KEPT_MS) };
  const stored = await StoredFigures.findOne({ _id: "figures", form: FORM, countedAt }).lean();
  if (stored) return stored.figures as Figures;
  return (counting ??= countAndStore().finally(() => (counting = undefined)));
}

async function countAndStore(): Promise<Figures> {
  const countedAt = new Date();
  const figures = await countFigures();
  const change = { $set: { countedAt, form: FORM, figures } };
  await StoredFigures.updateOne({ _id: "figures" }, change, { upsert: true }).catch(
    // Another process has just stored its own.
    (error: unknown) => {
      if (!isDuplicateKeyError(error, "_id")) throw error;
    },
  );
  return figures;
}

/** Counts the figures of the months up to now: a kind of which there are fewer than five is absent, or null. */
export async function countFigures() {
  const { from, to } = monthsUpTo(new Date());
  const at = { $gte: from, $lte: to };
  const [reviews, reports, decisions, sanctions, absences, medianHours, ratings] =
    await Promise.all([
      countReviewsSince(from),
      Report.aggregate<Group<Reason>>([
        { $match: { at } },
        { $group: { _id: "$reason", count: { $sum: 1 } } },
      ]),
      countDecisions(at),
      countSanctions(at),
      countNoShows(at),
      findMedianHours(at),
      effectOnRatings(),
    ]);
  const countWhere = (test: (one: DecisionKind) => boolean) => sumGroups(decisions, test);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    /** Null where there are too many to be counted. */
    reviews,
    reports: REASONS.flatMap((reason) =>
      publicRow(
        { reason },
        sumGroups(reports, (one) => one === reason),
      ),
    ),
    decisions: GROUNDS.flatMap((ground) =>
      ACTIONS.flatMap((action) =>
        publicRow(
          { ground, action },
          countWhere((one) => one.ground === ground && one.action === action),
        ),
      ),
    ),
    decisionsByStars: byStars(decisions),
    appeals: {
      decided: inPublic(countWhere(({ onAppeal }) => onAppeal)),
      /** Decisions that reversed the one before. */
      overturned: inPublic(countWhere(({ overturns }) => overturns)),
    },
    sanctions,
    absences: {
      noShows: inPublic(absences.noShows),
      objections: inPublic(absences.objections),
    },
    medianHours,
    ratings,
  };
}

const monthsUpTo = (to: Date) => ({ from: monthsAfter(to, -MONTHS), to });

/** Counts decisions about reviews for each action, by all stars: null for no rating that counts. */
function byStars(decisions: Group<DecisionKind>[]) {
  const about = decisions.filter(({ _id }) => _id.kind === "review");
  return [1, 2, 3, 4, 5, null].flatMap((stars) =>
    ACTIONS.flatMap((action) =>
      publicRow(
        { stars, action },
        sumGroups(about, (one) => one.stars === stars && one.action === action),
      ),
    ),
  );
}

/** A row of that kind with its count; none where that is too small to be shown. */
function publicRow<Kind>(kind: Kind, counted: number): (Kind & { count: number })[] {
  const count = inPublic(counted);
  return count === null ? [] : [{ ...kind, count }];
}

interface Group<Key> {
  _id: Key;
  count: number;
}

const sumGroups = <Key>(groups: Group<Key>[], test: (key: Key) => boolean): number =>
  groups.reduce((total, { _id, count }) => total + (test(_id) ? count : 0), 0);

type Months = { $gte: Date; $lte: Date };

interface DecisionKind extends Pick<
  DecisionDocument,
  "kind" | "action" | "ground" | "onAppeal" | "overturns"
> {
  stars: number | null;
}

/** Whole stars, as in `wholeStars`: a platform's ratings may be fractions, and there must not be a group for each. */
const STARS = {
  $cond: [
    { $and: [{ $gte: ["$rating", 1] }, { $lte: ["$rating", 5] }] },
    { $floor: { $add: ["$rating", 0.5] } },
    null,
  ],
};

const countDecisions = (at: Months) =>
  Decision.aggregate<Group<DecisionKind>>([
    { $match: { at } },
    {
      $group: {
        _id: {
          kind: "$kind",
          action: "$action",
          ground: "$ground",
          stars: STARS,
          onAppeal: "$onAppeal",
          overturns: "$overturns",
        },
        count: { $sum: 1 },
      },
    },
  ]);

async function countSanctions(at: Months) {
  const found = await Sanction.aggregate<Group<{ kind: SanctionKind; stands?: boolean }>>([
    { $match: { at } },
    { $group: { _id: { kind: "$kind", stands: "$outcome.stands" }, count: { $sum: 1 } } },
  ]);
  return {
    warnings: inPublic(sumGroups(found, ({ kind }) => kind === "warning")),
    suspensions: inPublic(sumGroups(found, ({ kind }) => kind === "suspension")),
    takenBack: inPublic(sumGroups(found, ({ stands }) => stands === false)),
  };
}

/** Returns the median of the hours in which the newest cases were first decided, to two decimals; null for too few. */
async function findMedianHours(at: Months): Promise<number | null> {
  const newest = Decision.find({ at }, "at waitedSince onAppeal")
    .sort({ at: -1 })
    .limit(MEDIAN_OF)
    .lean<Pick<DecisionDocument, "at" | "waitedSince" | "onAppeal">>()
    .cursor({ batchSize: BATCH });
  const waits: number[] = [];
  for await (const { at, waitedSince, onAppeal } of newest)
    if (!onAppeal) waits.push(at.getTime() - waitedSince.getTime());
  if (waits.length < FEWEST) return null;
  return Math.round(median(waits) / 36_000) / 100;
}
