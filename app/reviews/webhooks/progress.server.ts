import { Change, type ChangeDocument } from "#models/change";
import { NO_ID } from "#models/reading";
import type { WebhookDocument } from "#models/webhook";
import { type ChangePlace, findLinesAfter } from "~/db/embedded/changes.server";
import { LONGEST_TRANSACTION_MS } from "~/db/transaction.server";

/** Where an address stands in the lines of all tours. */
export interface Progress {
  place: ChangePlace;
  /** The ids of delivered lines behind the place. */
  delivered: Set<string>;
}

export interface Look {
  now: Date;
  /** Only for lines of the last seconds: a whole look costs more, the more lines are delivered behind the place. */
  isShort?: boolean;
  find?: typeof findLinesAfter;
}

const SHORT_MS = 4_000;
const SHORT_AHEAD_MS = 1_000;

export const progressOf = ({ place, delivered }: WebhookDocument): Progress => ({
  place,
  delivered: new Set(delivered.map(String)),
});

/** The place before all lines of that time. */
export const placeAt = (time: Date): ChangePlace => ({
  time,
  tourId: NO_ID,
  version: 0,
});

/** No transaction under way can add a line before it. */
export const settledAt = (now: Date) => new Date(now.getTime() - LONGEST_TRANSACTION_MS);

/** Lines of which addresses are told. No index has that: others bound the look to lines behind a place. */
const EVENTS = { isQuiet: { $ne: true } };

/** Returns the lines behind the place: those that are delivered, and up to `more` others. */
export async function linesBehind(
  { place, delivered }: Progress,
  more: number,
  { now, isShort = false, find = findLinesAfter }: Look,
): Promise<{ lines: ChangeDocument[]; areAll: boolean }> {
  // The clock of the process that wrote a line may be ahead.
  const until = new Date(now.getTime() + (isShort ? SHORT_AHEAD_MS : LONGEST_TRANSACTION_MS));
  const count = delivered.size + more;
  const recent = new Date(now.getTime() - SHORT_MS);
  const from = isShort && place.time < recent ? placeAt(recent) : place;
  const lines = await find(from, until, count, EVENTS);
  return { lines, areAll: lines.length < count };
}

/**
 * Whether a line of the same tour comes first that the look has missed: a short one, or one that had passed its place
 * when it was committed.
 */
export async function isBeforeMissed(
  { tourId, version }: ChangeDocument,
  passed: readonly ChangeDocument[],
  { place, delivered }: Progress,
): Promise<boolean> {
  const before = version - 1;
  if (before === 0) return false;
  if (passed.some((line) => line.version === before && line.tourId.equals(tourId))) return false;
  let found = await Change.findOne({ tourId, version: before }).lean<ChangeDocument>();
  // Before a quiet line that is settled there is none behind the place, however many such lines there are.
  if (found?.isQuiet && orderOf(found) > orderOf(place))
    found = await Change.findOne({ tourId, version: { $lt: before }, ...EVENTS })
      .sort({ version: -1 })
      .lean<ChangeDocument>();
  return found !== null && orderOf(found) > orderOf(place) && !delivered.has(found._id.toString());
}

/** Texts in the order of the places. */
const orderOf = ({ time, tourId, version }: ChangePlace) =>
  `${time.getTime()} ${tourId.toString()} ${String(version).padStart(15, "0")}`;

/** Moves the place behind the lines that a whole look has passed and that are settled; `areAll` if there were no others. */
export function settle(
  progress: Progress,
  { passed, areAll, now }: { passed: readonly ChangeDocument[]; areAll: boolean; now: Date },
): void {
  const settled = settledAt(now);
  const old = passed.filter(({ time }) => time < settled);
  for (const { _id } of old) progress.delivered.delete(_id.toString());
  const last = old.at(-1);
  if (last) {
    const { time, tourId, version } = last;
    progress.place = { time, tourId, version };
  }
  if (!areAll) return;
  if (progress.place.time < settled) progress.place = placeAt(settled);
  // Ids of lines that somebody has removed would otherwise stay.
  const behind = passed.slice(old.length);
  progress.delivered = new Set(behind.map(({ _id }) => _id.toString()));
}
