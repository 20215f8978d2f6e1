import { Types } from "mongoose";
import { Booking } from "../../../models/booking";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { User } from "../../../models/user";
import { hashPassword } from "../accounts/hashing.server";
import { rebuildRatings } from "../reviews/ratings.server";
import { verifyReviews } from "../reviews/verified.server";
import { batches, knownIds, LOOKUP, refuseConflicts } from "./conflicts.server";
import { parse, type Records } from "./file.server";

/** Records in one write. */
const BATCH = 1_000;

/**
 * Writes users, tours, bookings and reviews and recomputes the ratings of the tours touched.
 * Records with an existing id are updated, their other fields kept. Returns how many of each were
 * written. Throws `ImportError` before anything is written when a record is bad.
 */
export async function importData(
  data: unknown,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Record<keyof Records, number>> {
  const records = parse(data);
  await refuseConflicts(records);

  const touched = await touchedTours(records);
  const { users, tours, bookings, reviews } = records;
  const total = users.length + tours.length + bookings.length + reviews.length + touched.length;
  let done = 0;
  const progress = (count: number) => onProgress((done += count), total);

  const hashed = await Promise.all(users.map(withPasswordHash));
  await upsert(User, hashed, progress);
  await upsert(Tour, tours, progress);
  await upsert(Booking, bookings, progress);
  await upsert(Review, reviews, progress);
  await verifyReviews({ tourIds: toursOf([...bookings, ...reviews]) });
  await rebuildRatings({ tourIds: touched, onProgress: () => progress(1) });
  return {
    users: users.length,
    tours: tours.length,
    bookings: bookings.length,
    reviews: reviews.length,
  };
}

/** Whether the database has no users and no tours yet. */
export async function isEmptyDatabase(): Promise<boolean> {
  return !(await User.exists({})) && !(await Tour.exists({}));
}

/** The tours whose list changes: those of the file, those of its reviews, and those its reviews leave. */
async function touchedTours({ tours, reviews }: Records): Promise<Types.ObjectId[]> {
  const touched = new Set([
    ...tours.map((tour) => tour.id),
    ...reviews.map((review) => review.tourId),
  ]);
  for (const batch of batches(reviews, LOOKUP))
    for (const left of await Review.distinct("tourId", {
      _id: { $in: batch.map((review) => review.id) },
    }))
      touched.add(left.toString());
  return [...touched].map((value) => new Types.ObjectId(value));
}

const toursOf = (records: { tourId: string }[]) =>
  [...new Set(records.map(({ tourId }) => tourId))].map((tourId) => new Types.ObjectId(tourId));

async function withPasswordHash({ password, passwordHash, ...user }: Records["users"][number]) {
  const hash = passwordHash ?? (password && (await hashPassword(password)));
  return hash ? { ...user, passwordHash: hash } : user;
}

/** What a model of any document has in common here. */
interface BulkWriter {
  distinct(field: "_id", filter: never): PromiseLike<unknown[]>;
  bulkWrite(
    operations: never[],
    options: { ordered: boolean; throwOnValidationError: boolean },
  ): Promise<unknown>;
}

async function upsert(
  model: BulkWriter,
  records: { id: string }[],
  progress: (count: number) => void,
): Promise<void> {
  for (const batch of batches(records, BATCH)) {
    const ids = batch.map((record) => record.id);
    const existing = await knownIds(
      [],
      ids,
      (some) => model.distinct("_id", { _id: { $in: some } } as never) as Promise<Types.ObjectId[]>,
    );
    // On the embedded database an insert takes a third of the time of an upsert
    // (docs/decisions/005-embedded-database.md).
    const operations = batch.map(({ id: recordId, ...fields }) => {
      const _id = new Types.ObjectId(recordId);
      return existing.has(recordId)
        ? { updateOne: { filter: { _id }, update: { $set: fields } } }
        : { insertOne: { document: { _id, ...fields } } };
    });
    await model.bulkWrite(operations as never[], { ordered: false, throwOnValidationError: true });
    progress(batch.length);
  }
}
