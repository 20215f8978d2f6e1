import { Types } from "mongoose";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { EMAIL_COLLATION, User } from "../../../models/user";
import { type Records, refuse } from "./file.server";

/**
 * Values in one `$in`: the embedded database compares each document with all of them
 * (docs/decisions/005-embedded-database.md).
 */
export const LOOKUP = 100;

/** Throws when records contradict each other or the database: ids, addresses, slugs, pairs, references. */
export async function refuseConflicts({ users, tours, bookings, reviews }: Records): Promise<void> {
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
 * Finds the records whose key belongs to a record of another id in the database; `find` returns what
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
export async function knownIds(
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

export function* batches<Item>(list: Item[], size: number): Generator<Item[]> {
  for (let offset = 0; offset < list.length; offset += size)
    yield list.slice(offset, offset + size);
}
