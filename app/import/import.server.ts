import { Types } from "mongoose";
import { allowsNoReview, COMPLETED } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { User } from "#models/user";
import { env } from "~/config/env.server";
import { batches, BATCH } from "~/db/batches";
import { LONGEST_TRANSACTION_MS } from "~/db/transaction.server";
import { isDuplicateKeyError } from "~/lib/errors.server";
import { ratingsAreStored } from "~/reviews/ratings.server";
import { forgetErasures } from "~/accounts/erasures.server";
import { verifyReviews } from "~/reviews/list/verified.server";
import { checkRecords } from "./check.server";
import { exchangeEmails, exchangeGroups } from "./exchanges.server";
import { readRecords, type ReadFile } from "./read-file.server";
import {
  type Entries,
  entriesOfLists,
  ImportError,
  type ImportFile,
  type Kind,
  KINDS,
  type StateCounts,
  toOutcomes,
  Problems,
  type States,
} from "./records.server";
import { PictureFiles, removeUnnamedPictures } from "./pictures.server";
import { importReviews, recompute } from "./imported-reviews.server";
import { Spool } from "./spool.server";
import { writeRecords } from "./writes.server";
import { WrittenBookings } from "./written-bookings.server";

/** The message says how far it came. */
export class ImportStopped extends Error {}

const MOST_STATUSES = 10;

export interface ImportOptions {
  dryRun?: boolean;
  /** Whether accounts that were deleted here come back; they are left out otherwise. */
  restoreDeleted?: boolean;
  /** The folder of the files that tours name as their pictures. */
  images?: string;
  /** No webhook is told of the changes. */
  quietWebhooks?: boolean;
  onProgress?: (phase: "Check" | "Pictures" | "Import", done: number, total: number) => void;
  onNotice?: (message: string) => void;
  /** Ends the import after the write under way. */
  stopped?: AbortSignal;
}

/**
 * Writes records of one object or as they are read from a file (docs/rules/import.md, Import), but for unchanged ones.
 * Throws `ImportError` before anything is written when a record is bad, and `ImportStopped`.
 */
export async function importData(
  data: ImportFile | Entries,
  options: ImportOptions = {},
): Promise<Record<Kind, StateCounts>> {
  const entries =
    data !== null && typeof data === "object" && Symbol.asyncIterator in data
      ? data
      : entriesOfLists(data);
  const spool = new Spool();
  try {
    return await importRecords(entries, spool, options);
  } finally {
    spool.close();
  }
}

async function importRecords(
  entries: Entries,
  spool: Spool,
  {
    dryRun = false,
    restoreDeleted = false,
    images,
    quietWebhooks = false,
    onProgress = () => {},
    onNotice = () => {},
    stopped,
  }: ImportOptions,
): Promise<Record<Kind, StateCounts>> {
  const done = { users: 0, tours: 0, bookings: 0, reviews: 0, ratings: 0 };
  const of = { ...done };
  try {
    const problems = new Problems((kind, number) => spool.findLine(kind, number));
    const pictures = new PictureFiles(images);
    const now = new Date();
    const file = await readRecords(entries, spool, problems, { now, pictures, stopped });
    for (const kind of KINDS) of[kind] = spool.count(kind);
    let checked = 0;
    const progress = (count: number) => onProgress("Check", (checked += count), sumCounts(of));
    const states = await checkRecords(file, problems, { restoreDeleted, progress, stopped });
    problems.throwIfAny();
    const before = toOutcomes(states);
    noteForeignHashes(file.foreignHashes, onNotice);
    noteErased(before, onNotice);
    if (!dryRun) {
      await pictures.keep((kept, total) => onProgress("Pictures", kept, total), stopped);
      const tours = [...new Set([...file.reviewsOf.keys(), ...file.numbers.tours.keys()])];
      of.ratings = tours.length;
      const onWritten = (kind: keyof typeof done, count: number) => {
        done[kind] += count;
        if (count > 0) onProgress("Import", sumCounts(done), sumCounts(of));
      };
      for (const kind of KINDS) onWritten(kind, before[kind].unchanged + before[kind].leftOut);
      try {
        await writeChecked(file, states, {
          tours,
          restoreDeleted,
          quietWebhooks,
          onNotice,
          onWritten,
          stopped,
        });
      } catch (error) {
        if (stopped?.aborted || !isDuplicateKeyError(error)) throw error;
        // Somebody took an address since the check: another check finds and names it.
        await checkRecords(file, problems, { restoreDeleted, progress: () => {}, stopped });
        problems.throwIfAny();
        throw new ImportError(`The database refuses a record: ${(error as Error).message}`);
      }
    }
    if (!dryRun) await removeUnnamedPictures(now);
    noteStatuses(file.statuses, onNotice);
    return toOutcomes(states);
  } catch (error) {
    if (stopped?.aborted) throw new ImportStopped(progressReport(done, of));
    throw error;
  }
}

interface WriteOptions {
  tours: string[];
  restoreDeleted: boolean;
  quietWebhooks: boolean;
  onNotice: (message: string) => void;
  onWritten: (kind: Kind | "ratings", count: number) => void;
  stopped?: AbortSignal;
}

async function writeChecked(
  file: ReadFile,
  states: States,
  { tours, restoreDeleted, quietWebhooks, onNotice, onWritten, stopped }: WriteOptions,
): Promise<void> {
  const options = { spool: file.spool, states, stopped };
  for (const group of exchangeGroups(file.takers)) {
    stopped?.throwIfAborted();
    const users = group.map((number) => file.spool.read("users", number));
    await exchangeEmails(users, { timeoutMs: LONGEST_TRANSACTION_MS });
  }
  for await (const { records, done } of writeRecords("users", User, options)) {
    if (restoreDeleted) await forgetErasures(records);
    onWritten("users", done);
  }
  for await (const { done } of writeRecords("tours", Tour, options)) onWritten("tours", done);
  for await (const { done } of writeRecords("bookings", WrittenBookings, options))
    onWritten("bookings", done);
  // Reviews that were there before; those of the file are verified as they are written.
  const booked = [...file.booked].map((id) => new Types.ObjectId(id));
  await verifyReviews({ tourIds: booked, signal: stopped });
  for (const some of batches(tours, BATCH, stopped)) {
    const untouched: string[] = [];
    for (const tourId of some) {
      const reviews = { file, states, onNotice, quietWebhooks, onWritten, stopped };
      if (!(await importReviews(tourId, reviews))) untouched.push(tourId);
    }
    stopped?.throwIfAborted();
    const stored = await Tour.find({ _id: { $in: untouched } }).lean<TourDocument[]>();
    for (const tour of stored)
      if (!(await ratingsAreStored(tour))) await recompute(tour._id.toString(), { quietWebhooks });
    onWritten("ratings", some.length);
  }
}

function noteForeignHashes(count: number, onNotice: (message: string) => void): void {
  if (count > 0)
    onNotice(
      `Users with a password hash that is not argon2: ${format(count)}. It is not imported; ${env().loginUrl ? "the platform logs them in" : "they set a password at /reset"}.`,
    );
}

function noteErased(
  { users, reviews }: Record<Kind, StateCounts>,
  onNotice: (message: string) => void,
): void {
  if (users.leftOut + reviews.leftOut > 0)
    onNotice(
      `Left out, because the account was deleted here: ${format(users.leftOut)} users, ${format(reviews.leftOut)} reviews. With --restore-deleted they come back.`,
    );
}

function noteStatuses(counts: Map<string, number>, onNotice: (message: string) => void): void {
  const found = [...counts]
    .filter(([status]) => allowsNoReview(status))
    .sort(([, one], [, other]) => other - one);
  if (found.length === 0) return;
  const named = found
    .slice(0, MOST_STATUSES)
    .map(([status, count]) => `${JSON.stringify(status)} (${format(count)})`);
  if (found.length > named.length) named.push(`${found.length - named.length} more`);
  onNotice(
    `Bookings allow no review with a status other than "${COMPLETED}": ${named.join(", ")}.`,
  );
}

/** No users and no tours. */
export async function isEmptyDatabase(): Promise<boolean> {
  return !(await User.exists({})) && !(await Tour.exists({}));
}

const sumCounts = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

function progressReport(done: Record<Kind, number>, of: Record<Kind, number>): string {
  if (sumCounts(done) === 0) return "Stopped before anything was written.";
  const parts = KINDS.filter((kind) => of[kind] > 0).map(
    (kind) => `${format(done[kind])} of ${format(of[kind])} ${kind}`,
  );
  return `Stopped: ${parts.join(", ")} are written, and the ratings match the reviews. Run it again to complete it.`;
}

const format = (count: number) => count.toLocaleString("en");
