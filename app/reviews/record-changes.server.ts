import { type ClientSession, Types } from "mongoose";
import type { z } from "zod";
import { Change, type ChangeDocument, type MonthEnds } from "#models/change";
import { Notification, type ReviewNotification } from "#models/notification";
import { asRating } from "#models/review";
import { type LastChange, Tour, type TourDocument } from "#models/tour";
import { DAY_MS } from "~/lib/durations";
import { BATCH } from "~/db/batches";
import { sha256 } from "~/lib/digest.server";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { addToCounts, type Counts, countAndMean, inOrder } from "./figures";
import type * as schemas from "./schemas";
import { toEvents } from "./webhooks/events.server";

/** A change of one review; the ratings as in `ChangeDocument`. */
export type ReviewChange = Pick<
  ChangeDocument,
  "type" | "review" | "before" | "stars" | "forgetAt"
>;

/** An entry as everybody sees it, in the order in which it is hashed. */
export type PublicChange = z.output<typeof schemas.Change>;

/** The hash before a tour's first entry. */
export const NO_HASH = "0".repeat(64);

/** Returns a review's stored rating as entries have it. */
export const countedRating = (stored: unknown): number => asRating(stored) ?? 0;

/** Returns the counts of reviews that are grouped by their stored rating. */
export function toCounts(groups: { _id: unknown; count: number }[]): Counts {
  const counts: Counts = new Map();
  for (const { _id, count } of groups) addToCounts(counts, countedRating(_id), count);
  return counts;
}

/** Changes of a claimed tour. */
export interface Recorded {
  /** The time of their transaction. */
  now: Date;
  changes: readonly ReviewChange[];
  /** To which they have led. */
  counts: Counts;
  /** The last entry before them, where this transaction has read it. */
  known: FormerEntry;
  /** Whether no webhook is told of them. */
  isQuiet: boolean;
  /** The e-mails about them. */
  mails: readonly ReviewNotification[];
}

/**
 * Adds an entry for each of these changes. An entry with all counts comes before them where the earlier ones do not
 * lead there: a tour's first one, or after writes past this service. E-mails and webhooks' events go into the outbox by
 * one command. Returns the last entry, which the caller stores with the tour; without any entry, undefined. Throws
 * `EarlierTourError`.
 */
export async function recordChanges(
  tourId: Types.ObjectId,
  {
    changes = [],
    counts,
    known,
    isQuiet = false,
    mails = [],
    now = new Date(),
  }: Partial<Recorded> & Pick<Recorded, "counts">,
  session: ClientSession,
): Promise<LastChange | undefined> {
  const stored = known === undefined ? await readLastChange(tourId, session) : known;
  const last = stored ?? (await findLastEntry(tourId, session));
  const entries: ChangeDocument[] = [];
  // Entries of all tours are in the order of their times: within a tour it is that of the versions.
  const time = last && last.time > now ? last.time : now;
  const addEntry = (change: ReviewChange, ratings: ChangeDocument["ratings"] = null) => {
    const former = entries.at(-1);
    entries.push({
      _id: new Types.ObjectId(),
      tourId,
      version: ((former ?? last)?.version ?? 0) + 1,
      ...change,
      ...(isQuiet && { isQuiet }),
      ratings,
      ...countAndMean(present),
      time,
      previous: former ? entryHash(former) : (last?.hash ?? NO_HASH),
    });
  };
  let present = countsBefore(changes, counts);
  // A platform has stored a review so that it does not count (docs/rules/database.md, Malformed records).
  const isInconsistent = [...present.values()].some((reviews) => reviews < 0);
  if (isInconsistent) present = new Map(counts);
  if (last ? last.state !== countsHash(present) : present.size > 0) {
    const type = !last ? "checkpoint" : changes.length > 0 ? "platform" : "rebuilt";
    addEntry({ type, before: null, stars: null }, inOrder(present));
  }
  for (const change of isInconsistent ? [] : changes) {
    addToCounts(present, change.before, -1);
    addToCounts(present, change.stars, 1);
    addEntry(change);
  }
  const [first] = entries;
  const newest = entries.at(-1);
  const state = countsHash(present);
  if (first && newest) {
    newest.state = state;
    if (last && toMonth(last.time) < toMonth(time))
      first.atMonthEnds = await monthEndsBetween(tourId, last, time, session);
    // By the driver, as reviews are.
    await Change.collection.insertMany(entries, { session }).catch((error: unknown) => {
      throw isDuplicateKeyError(error) ? new EarlierTourError(tourId) : error;
    });
  }
  const outbox = [...mails, ...(isQuiet ? [] : await toEvents(entries))];
  if (outbox.length > 0) await Notification.collection.insertMany(outbox, { session });
  return newest && { version: newest.version, hash: entryHash(newest), state, time };
}

/** A tour's last entry as the tour has it; null where it has none, undefined where it was not read. */
export type FormerEntry = LastChange | null | undefined;

async function readLastChange(
  tourId: Types.ObjectId,
  session: ClientSession,
): Promise<LastChange | null> {
  const tour = await Tour.findById(tourId, "lastChange", { session }).lean<TourDocument>();
  return tour?.lastChange ?? null;
}

async function findLastEntry(
  tourId: Types.ObjectId,
  session: ClientSession,
): Promise<LastChange | null> {
  const entry = await Change.findOne({ tourId }, null, { session })
    .sort({ version: -1 })
    .lean<ChangeDocument>();
  return entry && { ...entry, hash: entryHash(entry), state: entry.state ?? "" };
}

/** Returns a time's month, such as "2026-11", in UTC, as the API reads a day. */
export const toMonth = (time: Date): string => time.toISOString().slice(0, 7);

/** Returns the figures that a tour has had since `last`; undefined where that entry is missing. */
async function monthEndsBetween(
  tourId: Types.ObjectId,
  { version, time: since }: LastChange,
  until: Date,
  session: ClientSession,
): Promise<MonthEnds | undefined> {
  const entry = await Change.findOne({ tourId, version }, "count mean", { session }).lean();
  if (!entry) return undefined;
  const lastMonth = toMonth(new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth(), 0)));
  return { from: toMonth(since), to: lastMonth, count: entry.count, mean: entry.mean };
}

/** A tour names an earlier entry as its last one. */
class EarlierTourError extends Error {
  constructor(readonly tourId: Types.ObjectId) {
    super("The tour is in an earlier state than its changes");
  }
}

/** Runs again what fails because a platform has put back earlier states of tours: the log then names the last entry. */
export async function againAfterEarlierTour<Result>(run: () => Promise<Result>): Promise<Result> {
  const mended = new Set<string>();
  for (;;)
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof EarlierTourError) || mended.has(error.tourId.toString())) throw error;
      mended.add(error.tourId.toString());
      await Tour.updateOne({ _id: error.tourId }, { $unset: { lastChange: true } });
    }
}

function countsBefore(changes: readonly ReviewChange[], counts: Counts): Counts {
  const before = new Map(counts);
  for (const change of changes) {
    addToCounts(before, change.stars, -1);
    addToCounts(before, change.before, 1);
  }
  return before;
}

const countsHash = (counts: Counts) => sha256(JSON.stringify(inOrder(counts)));

/** An entry's hash does not cover the review's id, so that this can be forgotten. */
export const entryHash = (entry: ChangeDocument) =>
  sha256(JSON.stringify({ ...toPublicChange(entry), review: undefined }));

export const toPublicChange = (entry: ChangeDocument): PublicChange => ({
  tourId: entry.tourId.toString(),
  version: entry.version,
  type: entry.type,
  review: entry.review?.toString() ?? null,
  before: entry.before,
  stars: entry.stars,
  ratings: entry.ratings,
  count: entry.count,
  mean: entry.mean,
  time: entry.time.toISOString(),
  previous: entry.previous,
});

/** How long entries keep the id of a deleted review. */
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

export const forgottenAt = (now = new Date()) => new Date(now.getTime() + FORGOTTEN_AFTER_MS);

/** Lets all entries lose the id of a review, or of several, in 30 days. */
export const forgetReview = (
  review: Types.ObjectId | { $in: Types.ObjectId[] },
  session: ClientSession,
) => Change.updateMany({ review }, { $set: { forgetAt: forgottenAt() } }, { session });

/** Takes the ids of reviews out of all their entries once the time of one has come, a batch at a time. */
export async function forgetReviews(): Promise<void> {
  const due = { forgetAt: { $lte: new Date() } };
  const forgotten = { $unset: { review: true, forgetAt: true } };
  for (;;) {
    const entries = await Change.find(due, "review").limit(BATCH).lean<ChangeDocument[]>();
    if (entries.length === 0) return;
    const ids = entries.map(({ _id }) => _id);
    const review = { $in: entries.flatMap(({ review }) => review ?? []) };
    // Those that are due come last: by them the others are found again after a crash.
    await Change.updateMany({ review, _id: { $nin: ids } }, forgotten);
    await Change.updateMany({ _id: { $in: ids } }, forgotten);
  }
}
