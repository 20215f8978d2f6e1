import { Types } from "mongoose";
import pLimit from "p-limit";
import { Booking, COMPLETED, CONFIRMED } from "../../../models/booking";
import { Tour } from "../../../models/tour";
import { User } from "../../../models/user";
import { isDuplicateKeyError } from "../../infra/errors.server";
import { HASHES_AT_ONCE, hashPassword } from "../accounts/hashing.server";
import { verifyReviews } from "../reviews/verified.server";
import { refuseConflicts } from "./conflicts.server";
import { ImportError, parse, type Records } from "./file.server";
import { importReviews } from "./reviews.server";
import { upsert } from "./writes.server";

/** An import that was asked to stop; its message says how far it came. */
export class ImportStopped extends Error {}

/** Statuses of bookings that one message names. */
const MOST_STATUSES = 10;

export interface ImportOptions {
  /** Told how many steps of how many are done, in reviews and other records. */
  onProgress?: (done: number, total: number) => void;
  /**
   * Told of each review that was left out, because its author posted one meanwhile, and of the bookings whose
   * status allows no review.
   */
  onNotice?: (message: string) => void;
  /** Ends the import after the write under way. */
  stopped?: AbortSignal;
}

/**
 * Writes users, tours, bookings and reviews (docs/rules.md, Import). Records with an existing id are
 * updated, their other fields kept. Returns how many of each the file holds. Throws `ImportError` before
 * anything is written when a record is bad, and `ImportStopped`.
 */
export async function importData(
  data: unknown,
  { onProgress = () => {}, onNotice = () => {}, stopped }: ImportOptions = {},
): Promise<Record<keyof Records, number>> {
  const records = parse(data);
  const { users, tours, bookings, reviews } = records;
  const counts = {
    users: users.length,
    tours: tours.length,
    bookings: bookings.length,
    reviews: reviews.length,
  };
  const touched = [...new Set([...tours.map(({ id }) => id), ...reviews.map((one) => one.tourId)])];
  const done = { users: 0, tours: 0, bookings: 0, reviews: 0, ratings: 0 };
  const of = { ...counts, ratings: touched.length };
  const step = (kind: keyof typeof done) => (count: number) => {
    done[kind] += count;
    onProgress(sum(done), sum(of));
  };
  try {
    await refuseConflicts(records, stopped);
    await upsert(User, users, { progress: step("users"), prepare: withPasswordHash, stopped });
    await upsert(Tour, tours, { progress: step("tours"), stopped });
    await upsert(Booking, bookings, { progress: step("bookings"), stopped });
    // Reviews that were there before; those of the file are verified as they are written.
    const booked = [...new Set(bookings.map(({ tourId }) => tourId))];
    await verifyReviews({ tourIds: booked.map((id) => new Types.ObjectId(id)), signal: stopped });
    stopped?.throwIfAborted();
    const progress = { reviews: step("reviews"), tours: step("ratings") };
    await importReviews(touched, reviews, { progress, onLeftOut: onNotice, stopped });
    noteStatuses(bookings, onNotice);
  } catch (error) {
    if (stopped?.aborted) throw new ImportStopped(progressReport(done, of));
    if (!isDuplicateKeyError(error)) throw error;
    // Somebody took an address since it was looked for: that is found now, and named.
    await refuseConflicts(records);
    throw new ImportError(`The database refuses a record: ${(error as Error).message}`);
  }
  return counts;
}

/** Tells of the bookings that will never allow a review: their status is neither the one that does nor turns into it. */
function noteStatuses(bookings: Records["bookings"], onNotice: (message: string) => void): void {
  const counts = new Map<string, number>();
  for (const { status } of bookings)
    if (status !== COMPLETED && status !== CONFIRMED)
      counts.set(status, (counts.get(status) ?? 0) + 1);
  if (counts.size === 0) return;
  const found = [...counts].sort(([, one], [, other]) => other - one);
  const named = found
    .slice(0, MOST_STATUSES)
    .map(([status, count]) => `${JSON.stringify(status)} (${format(count)})`);
  if (found.length > named.length) named.push(`${found.length - named.length} more`);
  onNotice(
    `Bookings allow no review with a status other than "${COMPLETED}": ${named.join(", ")}.`,
  );
}

/** Whether the database has no users and no tours yet. */
export async function isEmptyDatabase(): Promise<boolean> {
  return !(await User.exists({})) && !(await Tour.exists({}));
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

function progressReport(done: Record<string, number>, of: Record<string, number>): string {
  if (sum(done) === 0) return "Stopped before anything was written.";
  const parts = ["users", "tours", "bookings", "reviews"]
    .filter((kind) => of[kind]! > 0)
    .map((kind) => `${format(done[kind]!)} of ${format(of[kind]!)} ${kind}`);
  return `Stopped: ${parts.join(", ")} are written, and the ratings match the reviews. Run it again to complete it.`;
}

const format = (count: number) => count.toLocaleString("en");

/** No more wait for a hash than are computed: only requests are refused because others wait. */
const hashing = pLimit(HASHES_AT_ONCE);

async function withPasswordHash({ password, passwordHash, ...user }: Records["users"][number]) {
  const hash = passwordHash ?? (password && (await hashing(() => hashPassword(password))));
  return hash ? { ...user, passwordHash: hash } : user;
}
