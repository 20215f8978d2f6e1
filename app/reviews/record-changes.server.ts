import { type ClientSession, Types } from "mongoose";
import { Change, type ChangeDocument } from "#models/change";
import { asRating } from "#models/review";
import { findLastChange } from "~/db/embedded/changes.server";
import { systemClock } from "~/infra/clock";
import { sha256 } from "~/infra/digest.server";

/** How many reviews have each rating; 0 stands for ratings that do not count. */
export type Counts = Map<number, number>;

/** What has happened to one review; the ratings as in `ChangeDocument`. */
export interface ReviewChange extends Pick<ChangeDocument, "type" | "before" | "stars"> {
  /** Null where nobody may find it by its id. */
  review: Types.ObjectId | null;
}

/** A line as everybody sees it, in the order in which it is hashed. */
export interface PublicChange {
  tourId: string;
  version: number;
  type: ChangeDocument["type"];
  review: string | null;
  before: number | null;
  stars: number | null;
  ratings: [rating: number, count: number][] | null;
  count: number;
  mean: number;
  time: string;
  previous: string;
}

/** The hash before a tour's first line. */
const NOTHING = "0".repeat(64);

/** Returns a review's stored rating as lines have it. */
export const countedRating = (stored: unknown): number => asRating(stored) ?? 0;

/** Returns the counts of reviews that are grouped by their stored rating. */
export function toCounts(groups: { _id: unknown; count: number }[]): Counts {
  const counts: Counts = new Map();
  for (const { _id, count } of groups) add(counts, countedRating(_id), count);
  return counts;
}

/** Returns the number of reviews and their mean, 0 without any rating; always the same for the same counts. */
export function figuresOf(counts: Counts): { count: number; mean: number } {
  let [count, rated, sum] = [0, 0, 0];
  for (const [rating, reviews] of inOrder(counts)) {
    count += reviews;
    if (rating === 0) continue;
    rated += reviews;
    sum += rating * reviews;
  }
  return { count, mean: rated && sum / rated };
}

/** From the lowest: the sum of fractions depends on their order. */
const inOrder = (counts: Counts) => [...counts].sort(([one], [other]) => one - other);

function add(counts: Counts, rating: number | null, reviews: number): void {
  if (rating === null) return;
  const count = (counts.get(rating) ?? 0) + reviews;
  if (count === 0) counts.delete(rating);
  else counts.set(rating, count);
}

/**
 * Adds a line for each of these changes of a claimed tour, which have led to `counts`. A line with all counts comes
 * before them where the earlier lines do not lead there: a tour's first one, or after writes past this service.
 */
export async function recordChanges(
  tourId: Types.ObjectId,
  changes: readonly ReviewChange[],
  counts: Counts,
  session: ClientSession,
): Promise<void> {
  const last = await findLastChange(tourId, session);
  const lines: ChangeDocument[] = [];
  const time = systemClock();
  const write = (
    { review, ...change }: ReviewChange,
    ratings: ChangeDocument["ratings"] = null,
  ) => {
    const former = lines.at(-1) ?? last;
    lines.push({
      _id: new Types.ObjectId(),
      tourId,
      version: (former?.version ?? 0) + 1,
      ...change,
      ...(review && { review }),
      ratings,
      ...figuresOf(present),
      time,
      previous: former ? hashOf(former) : NOTHING,
    });
  };
  let present = countsBefore(changes, counts);
  // A platform has stored a review so that it does not count (docs/rules/database.md, Malformed records).
  const isOdd = [...present.values()].some((reviews) => reviews < 0);
  if (isOdd) present = new Map(counts);
  if (last ? last.state !== stateOf(present) : present.size > 0) {
    const type = last ? "rebuilt" : "checkpoint";
    write({ type, review: null, before: null, stars: null }, inOrder(present));
  }
  for (const change of isOdd ? [] : changes) {
    add(present, change.before, -1);
    add(present, change.stars, 1);
    write(change);
  }
  if (lines.length === 0) return;
  lines.at(-1)!.state = stateOf(present);
  // By the driver, as reviews are.
  await Change.collection.insertMany(lines, { session });
}

function countsBefore(changes: readonly ReviewChange[], counts: Counts): Counts {
  const before = new Map(counts);
  for (const change of changes) {
    add(before, change.stars, -1);
    add(before, change.before, 1);
  }
  return before;
}

const stateOf = (counts: Counts) => sha256(JSON.stringify(inOrder(counts)));

/** A line's hash does not cover the review's id, so that this can be forgotten. */
const hashOf = (line: ChangeDocument) =>
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

/** Takes the id of a review, or of several, out of all lines. */
export const forgetReview = (
  review: Types.ObjectId | { $in: Types.ObjectId[] },
  session: ClientSession,
) => Change.updateMany({ review }, { $unset: { review: true } }, { session });
