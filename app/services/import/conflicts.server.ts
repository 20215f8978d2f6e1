import { Types } from "mongoose";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { compareEmails, EMAIL_COLLATION, User } from "../../../models/user";
import { batches, BATCH } from "../../infra/batches";
import { canonicalEmail, spellingsOf } from "../../infra/email-address.server";
import { type Records, refuse } from "./file.server";

/**
 * Throws `ImportError` when records contradict each other or the database: ids, addresses, slugs, pairs,
 * references. Ends with an `AbortError` when `stopped` aborts.
 */
export async function refuseConflicts(
  { users, tours, bookings, reviews }: Records,
  stopped?: AbortSignal,
): Promise<void> {
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

  const slug = (tour: { slug: string }) => tour.slug;
  const pair = (review: { tourId: unknown; userId: unknown }) =>
    `${String(review.tourId)} ${String(review.userId)}`;
  const taken = {
    email: (index: number) => report("users", index, "email", "is taken by another user"),
    slug: (index: number) => report("tours", index, "slug", "is taken by another tour"),
    pair: (index: number) => report("reviews", index, "tourId", "is reviewed by this user already"),
  };
  findRepeatedEmails(users, taken.email);
  findRepeats(tours, slug, taken.slug);
  findRepeats(reviews, pair, taken.pair);

  await findOtherEmails(users, taken.email, stopped);
  await findOthers(
    tours,
    slug,
    taken.slug,
    (some) => Tour.find({ slug: { $in: some.map(slug) } }, "slug").lean(),
    stopped,
  );
  await findOthers(
    reviews,
    pair,
    taken.pair,
    // All reviews of these users and these tours: more than the pairs, but one range of an index.
    (some) => {
      const userId = { $in: [...new Set(some.map((review) => review.userId))] };
      const tourId = { $in: [...new Set(some.map((review) => review.tourId))] };
      return Review.find({ userId, tourId }, "tourId userId").lean();
    },
    stopped,
  );

  const records = [...bookings, ...reviews];
  const known = {
    user: await knownIds(
      users,
      [...tours.map((tour) => tour.createdById), ...records.map((record) => record.userId)],
      (ids) => User.distinct("_id", { _id: { $in: ids } }),
      stopped,
    ),
    tour: await knownIds(
      tours,
      records.map((record) => record.tourId),
      (ids) => Tour.distinct("_id", { _id: { $in: ids } }),
      stopped,
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
 * is stored with the keys of some of them.
 */
async function findOthers<Key, Item extends Key & { id: string }>(
  records: Item[],
  key: (record: Key) => string,
  onTaken: (index: number) => void,
  find: (some: Item[]) => Promise<(NoInfer<Key> & { _id: Types.ObjectId })[]>,
  stopped?: AbortSignal,
): Promise<void> {
  let index = 0;
  for (const some of batches(records, BATCH, stopped)) {
    const found = await find(some);
    const owners = new Map(found.map((stored) => [key(stored), stored._id.toString()]));
    for (const record of some) {
      const owner = owners.get(key(record));
      if (owner && owner !== record.id) onTaken(index);
      index++;
    }
  }
}

/** Which of the ids are in the file or in the database. */
export async function knownIds(
  inFile: { id: string }[],
  wanted: string[],
  find: (ids: string[]) => Promise<Types.ObjectId[]>,
  stopped?: AbortSignal,
): Promise<Set<string>> {
  const known = new Set(inFile.map((record) => record.id));
  const missing = [...new Set(wanted)].filter((value) => !known.has(value));
  for (const batch of batches(missing, BATCH, stopped))
    for (const value of await find(batch)) known.add(value.toString());
  return known;
}

type Emails = { id: string; email: string }[];

/**
 * Keys that two addresses share when they are one address to us (`canonicalEmail`) or to the unique index:
 * MongoDB's index compares by ICU's rules, that of other databases by Unicode's case folding.
 */
const keysOf = (email: string) => [canonicalEmail(email), email.toUpperCase().toLowerCase()];

const isTakenFor = (one: string, other: string) => compareEmails(one, other) === 0;

function findRepeatedEmails(users: Emails, onRepeat: (index: number) => void): void {
  const repeats = new Set<number>();
  const seen = new Map<string, number>();
  for (const [index, { email }] of users.entries())
    for (const key of keysOf(email))
      if ((seen.get(key) ?? index) !== index) repeats.add(index);
      else seen.set(key, index);
  const sorted = users
    .map(({ email }, index) => ({ email, index }))
    .sort((one, other) => compareEmails(one.email, other.email) || one.index - other.index);
  for (const [place, { email, index }] of sorted.entries())
    if (place > 0 && isTakenFor(sorted[place - 1]!.email, email)) repeats.add(index);
  for (const index of [...repeats].sort((one, other) => one - other)) onRepeat(index);
}

/** Finds the users whose address is, to us or to the unique index, that of another user in the database. */
async function findOtherEmails(
  users: Emails,
  onTaken: (index: number) => void,
  stopped?: AbortSignal,
): Promise<void> {
  const indexed = users.map((user, index) => ({ ...user, index }));
  const taken = new Set<number>();
  for (const some of batches(indexed, BATCH, stopped)) {
    const byKey = new Map(some.flatMap((user) => keysOf(user.email).map((key) => [key, user])));
    for (const asked of batches(
      some.flatMap(({ email }) => spellingsOf(email)),
      BATCH,
    )) {
      const found = await User.find({ email: { $in: asked } }, "email")
        .collation(EMAIL_COLLATION)
        .lean();
      for (const { _id, email } of found) {
        const key = keysOf(email).find((one) => byKey.has(one));
        const user = key ? byKey.get(key) : some.find((one) => isTakenFor(one.email, email));
        if (user && user.id !== _id.toString()) taken.add(user.index);
      }
    }
  }
  for (const index of taken) onTaken(index);
}
