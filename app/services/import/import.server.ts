import { Types } from "mongoose";
import { z } from "zod";
import { Booking } from "../../../models/booking";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { EMAIL_COLLATION, User } from "../../../models/user";
import { hashPassword } from "../accounts/log-in.server";
import { rebuildRatings } from "../reviews/ratings.server";
import { COMMENT_MAX_LENGTH } from "../reviews/limits";

/** A file that cannot be imported; its message has a line such as `users[3].email: …` for each bad record. */
export class ImportError extends Error {}

/** Records in one write. */
const BATCH = 1_000;
/** Values in one `$in`: the embedded database compares each document with all of them. */
const LOOKUP = 100;
/** Bad records that one message names. */
const MOST_PROBLEMS = 20;

const id = z
  .string("must be an id of 24 hex digits")
  .regex(/^[0-9a-f]{24}$/i, "must be an id of 24 hex digits")
  .transform((value) => value.toLowerCase());
const date = z
  .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
    error: "must be a date such as 2026-05-01T09:30:00Z",
  })
  // A time without a zone is one of UTC, on whatever machine it is imported.
  .transform((value) => new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value));
const text = z.string("must be a string");
const filled = text.trim().min(1, { error: "must not be empty", abort: true });
/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>` */
const ARGON2 =
  /^\$argon2(id|i|d)(\$v=\d+)?\$m=\d+,t=\d+,p=\d+[^$]*\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;
const rating = "must be an integer from 1 to 5";

/** The import file (contract). Fields that it does not name are ignored. */
export const ImportFile = z.strictObject({
  users: z
    .array(
      z.object({
        id,
        name: text,
        email: text.trim().regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address"),
        image: text.nullish(),
        password: text.min(1, "must not be empty").optional(),
        passwordHash: text.regex(ARGON2, "must be an argon2 PHC string").optional(),
      }),
    )
    .default([]),
  tours: z
    .array(
      z.object({
        id,
        title: filled,
        slug: filled.regex(/^[^\s/?#]+$/, "must not hold spaces, /, ? or #"),
        createdById: id,
        description: text.optional(),
        date: date.nullish(),
        location: text.nullish(),
        durationMinutes: z.number("must be a number").positive("must be above 0").nullish(),
        image: text.nullish(),
      }),
    )
    .default([]),
  bookings: z
    .array(z.object({ id, userId: id, tourId: id, status: filled, date: date.nullish() }))
    .default([]),
  reviews: z
    .array(
      z.object({
        id,
        userId: id,
        tourId: id,
        rating: z.number(rating).int(rating).min(1, rating).max(5, rating),
        comment: text
          .refine(
            (value) => [...value].length <= COMMENT_MAX_LENGTH,
            `must be at most ${COMMENT_MAX_LENGTH} characters`,
          )
          .transform((value) => value || null)
          .nullish(),
        createdAt: date,
      }),
    )
    .default([]),
});

export type ImportFile = z.input<typeof ImportFile>;
type Records = z.output<typeof ImportFile>;

/**
 * Writes users, tours, bookings and reviews and recomputes the ratings of the tours touched.
 * Records with an existing id are updated, their other fields kept. Gives how many of each were
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
  await rebuildRatings(touched, () => progress(1));
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

function parse(data: unknown): Records {
  const result = ImportFile.safeParse(data);
  if (result.success) return result.data;
  refuse(
    result.error.issues.map((issue) => {
      const message =
        issue.code === "unrecognized_keys" ? `unknown: ${issue.keys.join()}` : issue.message;
      return `${where(issue.path)}: ${message}`;
    }),
  );
}

/** `["users", 3, "email"]` as `users[3].email`. */
function where(path: PropertyKey[]): string {
  const [list, index, ...fields] = path.map(String);
  return [`${list ?? "file"}${index === undefined ? "" : `[${index}]`}`, ...fields].join(".");
}

function refuse(problems: string[]): never {
  const shown = problems.slice(0, MOST_PROBLEMS);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  throw new ImportError(shown.join("\n"));
}

/** Throws when records contradict each other or the database: ids, addresses, slugs, pairs, references. */
async function refuseConflicts({ users, tours, bookings, reviews }: Records): Promise<void> {
  const problems: string[] = [];
  const lists: Record<string, { id: string }[]> = { users, tours, bookings, reviews };
  const report = (list: string, index: number, field: string, message: string) =>
    problems.push(`${list}[${index}].${field}: ${message}`);

  for (const [list, items] of Object.entries(lists))
    findRepeats(
      items,
      (record) => record.id,
      (index) => report(list, index, "id", "stands in the file twice"),
    );

  const email = (user: { email: string }) => user.email.toLowerCase();
  const slug = (tour: { slug: string }) => tour.slug;
  const pair = (review: { tourId: unknown; userId: unknown }) =>
    `${String(review.tourId)} ${String(review.userId)}`;
  const taken = {
    email: (index: number) => report("users", index, "email", "is taken by another user"),
    slug: (index: number) => report("tours", index, "slug", "is taken by another tour"),
    pair: (index: number) => report("reviews", index, "tourId", "is reviewed by this user already"),
  };
  findRepeats(users, email, taken.email);
  findRepeats(tours, slug, taken.slug);
  findRepeats(reviews, pair, taken.pair);

  await findOthers(users, email, taken.email, users.map(email), (some) =>
    User.find({ email: { $in: some } }, "email")
      .collation(EMAIL_COLLATION)
      .lean(),
  );
  await findOthers(tours, slug, taken.slug, tours.map(slug), (some) =>
    Tour.find({ slug: { $in: some } }, "slug").lean(),
  );
  const reviewed = reviews.map((review) => review.tourId);
  await findOthers(reviews, pair, taken.pair, reviewed, (some) =>
    Review.find({ tourId: { $in: some } }, "tourId userId").lean(),
  );

  const records = [...bookings, ...reviews];
  const known = {
    user: await knownIds(
      users,
      [...tours.map((tour) => tour.createdById), ...records.map((record) => record.userId)],
      (ids) => User.distinct("_id", { _id: { $in: ids } }),
    ),
    tour: await knownIds(
      tours,
      records.map((record) => record.tourId),
      (ids) => Tour.distinct("_id", { _id: { $in: ids } }),
    ),
  };
  const reference = (
    list: string,
    index: number,
    field: string,
    kind: keyof typeof known,
    value: string,
  ) => {
    if (!known[kind].has(value)) report(list, index, field, `there is no ${kind} ${value}`);
  };
  for (const [index, tour] of tours.entries())
    reference("tours", index, "createdById", "user", tour.createdById);
  for (const [list, items] of Object.entries({ bookings, reviews }))
    for (const [index, record] of items.entries()) {
      reference(list, index, "userId", "user", record.userId);
      reference(list, index, "tourId", "tour", record.tourId);
    }
  if (problems.length > 0) refuse(problems);
}

function findRepeats<Item>(
  records: Item[],
  key: (record: Item) => string,
  onRepeat: (index: number) => void,
): void {
  const seen = new Set<string>();
  for (const [index, record] of records.entries()) {
    if (seen.has(key(record))) onRepeat(index);
    seen.add(key(record));
  }
}

/**
 * Finds the records whose key belongs to a record of another id in the database; `find` gives what
 * is stored for some of the values `wanted`.
 */
async function findOthers<Key>(
  records: (NoInfer<Key> & { id: string })[],
  key: (record: Key) => string,
  onTaken: (index: number) => void,
  wanted: string[],
  find: (some: string[]) => Promise<(NoInfer<Key> & { _id: Types.ObjectId })[]>,
): Promise<void> {
  const owners = new Map<string, string>();
  for (const some of batches([...new Set(wanted)], LOOKUP))
    for (const stored of await find(some)) owners.set(key(stored), stored._id.toString());
  for (const [index, record] of records.entries()) {
    const owner = owners.get(key(record));
    if (owner && owner !== record.id) onTaken(index);
  }
}

/** Which of the ids are in the file or in the database. */
async function knownIds(
  inFile: { id: string }[],
  wanted: string[],
  find: (ids: string[]) => Promise<Types.ObjectId[]>,
): Promise<Set<string>> {
  const known = new Set(inFile.map((record) => record.id));
  const missing = [...new Set(wanted)].filter((value) => !known.has(value));
  for (const batch of batches(missing, LOOKUP))
    for (const value of await find(batch)) known.add(value.toString());
  return known;
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
    // Inserting what is new takes the embedded database a third of the time of an upsert.
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

function* batches<Item>(list: Item[], size: number): Generator<Item[]> {
  for (let offset = 0; offset < list.length; offset += size)
    yield list.slice(offset, offset + size);
}
