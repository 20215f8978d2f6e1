import { type ClientSession, Types } from "mongoose";
import type { z } from "zod";
import { Change, type ChangeDocument, type MonthEnds } from "#models/change";
import { Notification, type ReviewNotification } from "#models/notification";
import { asRating } from "#models/review";
import { type LastChange, Tour, type TourDocument } from "#models/tour";
import { BATCH } from "~/db/batches";
import { sha256 } from "~/lib/digest.server";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { add, type Counts, figuresOf, inOrder } from "./figures";
import type * as schemas from "./schemas";
import { eventsOf } from "./webhooks/events.server";

/** A change of one review; the ratings as in `ChangeDocument`. */
export type ReviewChange = Pick<
  ChangeDocument,
  "type" | "review" | "before" | "stars" | "forgetAt"
>;

/** A line as everybody sees it, in the order in which it is hashed. */
export type PublicChange = z.output<typeof schemas.Change>;

/** The hash before a tour's first line. */
export const NOTHING = "0".repeat(64);

/** Returns a review's stored rating as lines have it. */
export const countedRating = (stored: unknown): number => asRating(stored) ?? 0;

/** Returns the counts of reviews that are grouped by their stored rating. */
export function toCounts(groups: { _id: unknown; count: number }[]): Counts {
  const counts: Counts = new Map();
  for (const { _id, count } of groups) add(counts, countedRating(_id), count);
  return counts;
}

/** Changes of a claimed tour. */
export interface Recorded {
  changes: readonly ReviewChange[];
  /** To which they have led. */
  counts: Counts;
  /** The last line before them, where this transaction has read it. */
  known: FormerEntry;
  /** Whether no webhook is told of them. */
  isQuiet: boolean;
  /** The e-mails about them. */
  mails: readonly ReviewNotification[];
}

/**
 * Adds a line for each of these changes. A line with all counts comes before them where the earlier lines do not lead
 * there: a tour's first one, or after writes past this service. E-mails and webhooks' events go into the outbox by one
 * command. Returns the last line, which the caller stores with the tour; without any line, undefined. Throws
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
  }: Partial<Recorded> & Pick<Recorded, "counts">,
  session: ClientSession,
): Promise<LastChange | undefined> {
  const stored = known === undefined ? await readLastChange(tourId, session) : known;
  const last = stored ?? (await findLastLine(tourId, session));
  const lines: ChangeDocument[] = [];
  const now = new Date();
  // Lines of all tours are in the order of their times: within a tour it is that of the versions.
  const time = last && last.time > now ? last.time : now;
  const write = (change: ReviewChange, ratings: ChangeDocument["ratings"] = null) => {
    const former = lines.at(-1);
    lines.push({
      _id: new Types.ObjectId(),
      tourId,
      version: ((former ?? last)?.version ?? 0) + 1,
      ...change,
      ...(isQuiet && { isQuiet }),
      ratings,
      ...figuresOf(present),
      time,
      previous: former ? entryHash(former) : (last?.hash ?? NOTHING),
    });
  };
  let present = countsBefore(changes, counts);
  // A platform has stored a review so that it does not count (docs/rules/database.md, Malformed records).
  const isInconsistent = [...present.values()].some((reviews) => reviews < 0);
  if (isInconsistent) present = new Map(counts);
  if (last ? last.state !== countsHash(present) : present.size > 0) {
    const type = !last ? "checkpoint" : changes.length > 0 ? "platform" : "rebuilt";
    write({ type, before: null, stars: null }, inOrder(present));
  }
  for (const change of isInconsistent ? [] : changes) {
    add(present, change.before, -1);
    add(present, change.stars, 1);
    write(change);
  }
  const line = lines.at(-1);
  const state = countsHash(present);
  if (line) {
    line.state = state;
    if (last && monthOf(last.time) < monthOf(time))
      lines[0]!.atMonthEnds = await monthEndsBetween(tourId, last, time, session);
    // By the driver, as reviews are.
    await Change.collection.insertMany(lines, { session }).catch((error: unknown) => {
      throw isDuplicateKeyError(error) ? new EarlierTourError(tourId) : error;
    });
  }
  const outbox = [...mails, ...(isQuiet ? [] : await eventsOf(lines))];
  if (outbox.length > 0) await Notification.collection.insertMany(outbox, { session });
  return line && { version: line.version, hash: entryHash(line), state, time };
}

/** A tour's last line as the tour has it; null where it has none, undefined where it was not looked for. */
export type FormerEntry = LastChange | null | undefined;

async function readLastChange(
  tourId: Types.ObjectId,
  session: ClientSession,
): Promise<LastChange | null> {
  const tour = await Tour.findById(tourId, "lastChange", { session }).lean<TourDocument>();
  return tour?.lastChange ?? null;
}

async function findLastLine(
  tourId: Types.ObjectId,
  session: ClientSession,
): Promise<LastChange | null> {
  const line = await Change.findOne({ tourId }, null, { session })
    .sort({ version: -1 })
    .lean<ChangeDocument>();
  return line && { ...line, hash: entryHash(line), state: line.state ?? "" };
}

/** Returns a time's month, such as "2026-11", in UTC, as the API reads a day. */
export const monthOf = (time: Date): string => time.toISOString().slice(0, 7);

/** Returns the figures that a tour has had since `last`; undefined where that line is missing. */
async function monthEndsBetween(
  tourId: Types.ObjectId,
  { version, time: since }: LastChange,
  until: Date,
  session: ClientSession,
): Promise<MonthEnds | undefined> {
  const line = await Change.findOne({ tourId, version }, "count mean", { session }).lean();
  if (!line) return undefined;
  const lastMonth = monthOf(new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth(), 0)));
  return { from: monthOf(since), to: lastMonth, count: line.count, mean: line.mean };
}

/** A tour names an earlier line as its last one. */
class EarlierTourError extends Error {
  constructor(readonly tourId: Types.ObjectId) {
    super("The tour is in an earlier state than its changes");
  }
}

/** Runs again what fails because a platform has put back earlier states of tours: their lines then name the last one. */
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
    add(before, change.stars, -1);
    add(before, change.before, 1);
  }
  return before;
}

const countsHash = (counts: Counts) => sha256(JSON.stringify(inOrder(counts)));

/** A line's hash does not cover the review's id, so that this can be forgotten. */
export const entryHash = (line: ChangeDocument) =>
  sha256(JSON.stringify({ ...toPublicChange(line), review: undefined }));

export const toPublicChange = (line: ChangeDocument): PublicChange => ({
  tourId: line.tourId.toString(),
  version: line.version,
  type: line.type,
  review: line.review?.toString() ?? null,
  before: line.before,
  stars: line.stars,
  ratings: line.ratings,
  count: line.count,
  mean: line.mean,
  time: line.time.toISOString(),
  previous: line.previous,
});

/** How long entries keep the id of a deleted review. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

export const forgottenAt = (now = new Date()) => new Date(now.getTime() + FORGOTTEN_AFTER_MS);

/** Lets all lines lose the id of a review, or of several, in 30 days. */
export const forgetReview = (
  review: Types.ObjectId | { $in: Types.ObjectId[] },
  session: ClientSession,
) => Change.updateMany({ review }, { $set: { forgetAt: forgottenAt() } }, { session });

/** Takes the ids of reviews out of all their lines once the time of one has come, a batch at a time. */
export async function forgetReviews(): Promise<void> {
  const due = { forgetAt: { $lte: new Date() } };
  const forgotten = { $unset: { review: true, forgetAt: true } };
  for (;;) {
    const lines = await Change.find(due, "review").limit(BATCH).lean<ChangeDocument[]>();
    if (lines.length === 0) return;
    const ids = lines.map(({ _id }) => _id);
    const review = { $in: lines.flatMap(({ review }) => review ?? []) };
    // Those that are due come last: by them the others are found again after a crash.
    await Change.updateMany({ review, _id: { $nin: ids } }, forgotten);
    await Change.updateMany({ _id: { $in: ids } }, forgotten);
  }
}
