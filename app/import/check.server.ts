import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { formsOfSlug, Tour } from "#models/tour";
import { User } from "#models/user";
import { batches, BATCH } from "~/db/batches";
import { erasedAmong } from "~/accounts/erasures.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { findOtherEmails } from "./emails.server";
import { isPassword } from "./hash-passwords.server";
import { problemOf, type ReadFile, REVIEWED, SLUG_TAKEN, EMAIL_TAKEN } from "./read-file.server";
import type { Kind, Problems, Records } from "./records.server";
import { References } from "./references.server";
import { type State, States } from "./states.server";
import { isStored, removedAuthors, storedById, storedPairs } from "./stored.server";

export interface CheckOptions {
  /** Whether accounts that were deleted here, and their reviews, come back. */
  restoreDeleted: boolean;
  progress: (count: number) => void;
  stopped?: AbortSignal;
}

/**
 * Says what to do with each record. Adds to `problems` which of them contradict the database, or refer to what is
 * neither there nor in the file. Writes nothing. Ends with an `AbortError` when `stopped` aborts.
 */
export async function checkRecords(
  file: ReadFile,
  problems: Problems,
  options: CheckOptions,
): Promise<States> {
  const states = new States((kind) => file.spool.count(kind));
  const references = await References.of(file, states, options.restoreDeleted);
  const check = { file, states, references, problems, ...options };
  await eachBatch(check, "users", (users) => checkUsers(check, users));
  await eachBatch(check, "tours", (tours) => checkTours(check, tours));
  await eachBatch(check, "bookings", (bookings) => checkBookings(check, bookings));
  for (const [tourId, numbers] of file.reviewsOf) {
    await references.find({ users: [], tours: [tourId] });
    for (const some of batches(numbers, BATCH, options.stopped)) {
      await checkReviews(check, tourId, withNumbers(file, "reviews", some));
      options.progress(some.length);
    }
  }
  return states;
}

interface Check extends CheckOptions {
  file: ReadFile;
  states: States;
  references: References;
  problems: Problems;
}

type Numbered<Name extends Kind> = Partial<Records[Name]> & { number: number };

function withNumbers<Name extends Kind>(
  { spool }: ReadFile,
  kind: Name,
  numbers: number[],
): Numbered<Name>[] {
  return numbers.map((number) => ({ ...spool.read(kind, number), number }));
}

async function eachBatch<Name extends Kind>(
  { file, stopped, progress }: Check,
  kind: Name,
  work: (records: Numbered<Name>[]) => Promise<void>,
): Promise<void> {
  const count = file.spool.count(kind);
  for (let first = 0; first < count; first += BATCH) {
    stopped?.throwIfAborted();
    const size = Math.min(BATCH, count - first);
    await work(
      withNumbers(
        file,
        kind,
        Array.from({ length: size }, (_, n) => first + n),
      ),
    );
    progress(size);
  }
}

async function checkUsers(
  { states, problems, references, restoreDeleted }: Check,
  users: Numbered<"users">[],
): Promise<void> {
  const stored = await storedById(User.collection, users);
  const strangers = users.filter(({ id }) => !stored.has(id!));
  const erased = restoreDeleted || !references.anyErased ? new Set() : await erasedAmong(strangers);
  const moved: { id: string; email: string; number: number }[] = [];
  const check = async (user: Numbered<"users">) => {
    const { number, password, ...fields } = user;
    const { id, email } = fields;
    const before = stored.get(id!);
    if (erased.has(user)) return states.set("users", number, "leftOut");
    if (id && email && before?.email !== email) moved.push({ id, email, number });
    const state = stateOf(before, fields);
    const isSame =
      state !== "unchanged" || (await isPassword(before!.passwordHash, { ...fields, password }));
    states.set("users", number, isSame ? state : "changed");
  };
  await Promise.all(users.map(check));
  for (const number of await findOtherEmails(moved))
    problems.add(problemOf("users", number, "email", EMAIL_TAKEN));
}

async function checkTours(
  { states, problems, references }: Check,
  tours: Numbered<"tours">[],
): Promise<void> {
  const stored = await storedById(Tour.collection, tours);
  const moved = tours.filter(({ id, slug }) => slug && stored.get(id!)?.slug !== slug);
  const slugs = moved.flatMap(({ slug }) => formsOfSlug(slug!));
  const owners = new Map<string, string[]>();
  for (const some of batches(slugs, BATCH))
    for (const { _id, slug } of await Tour.find({ slug: { $in: some } }, "slug").lean())
      owners.set(slug.normalize(), [...(owners.get(slug.normalize()) ?? []), _id.toString()]);
  await references.find({ users: tours.map(({ createdById }) => createdById), tours: [] });
  for (const { number, ...tour } of tours) {
    const before = stored.get(tour.id!);
    const named = owners.get(tour.slug?.normalize() ?? "") ?? [];
    if (named.some((owner) => owner !== tour.id))
      problems.add(problemOf("tours", number, "slug", SLUG_TAKEN));
    const { createdById } = tour;
    if (createdById && !references.user(createdById))
      problems.add(problemOf("tours", number, "createdById", `there is no user ${createdById}`));
    // So that the log names a zone that does not exist while its file is at hand.
    zoneOf({ timeZone: tour.timeZone ?? null });
    states.set("tours", number, stateOf(before, tour));
  }
}

async function checkBookings(
  { states, problems, references }: Check,
  bookings: Numbered<"bookings">[],
): Promise<void> {
  const stored = await storedById(Booking.collection, bookings);
  await references.find({
    users: bookings.map(({ userId }) => userId),
    tours: bookings.map(({ tourId }) => tourId),
  });
  for (const { number, ...booking } of bookings) {
    const { userId, tourId } = booking;
    if (userId && !references.user(userId))
      problems.add(problemOf("bookings", number, "userId", `there is no user ${userId}`));
    if (tourId && !references.tour(tourId))
      problems.add(problemOf("bookings", number, "tourId", `there is no tour ${tourId}`));
    states.set("bookings", number, stateOf(stored.get(booking.id!), booking));
  }
}

async function checkReviews(
  { states, problems, references }: Check,
  tourId: string,
  reviews: Numbered<"reviews">[],
): Promise<void> {
  const tour = references.tour(tourId);
  await references.find({ users: reviews.map(({ userId }) => userId), tours: [] });
  const stored = await storedById(Review.collection, reviews);
  const removed = await removedAuthors(tourId, reviews);
  const asked: Numbered<"reviews">[] = [];
  for (const review of reviews) {
    const { number, userId } = review;
    const report = (field: string, message: string) =>
      problems.add(problemOf("reviews", number, field, message));
    const user = userId && references.user(userId);
    if (userId && !user) report("userId", `there is no user ${userId}`);
    if (!tour) report("tourId", `there is no tour ${tourId}`);
    else if (user && tour.guide === userId) report("userId", "is the guide of this tour");
    const before = stored.get(review.id!);
    // An operator's decision stands.
    if (user === "erased" || removed.has(userId ?? "") || before?.redaction) {
      states.set("reviews", number, "leftOut");
      continue;
    }
    const { number: _, ...fields } = review;
    states.set("reviews", number, stateOf(before, fields));
    // A stored pair has no other review, by the unique index.
    if (!before || !isStored(before, { userId, tourId })) asked.push(review);
  }
  // In a tour that is new, nobody has a review.
  if (!tour?.isStored) return;
  const owners = await storedPairs(tourId, asked);
  for (const { number, id, userId } of asked)
    if ((owners.get(userId ?? "") ?? id) !== id)
      problems.add(problemOf("reviews", number, "tourId", REVIEWED));
}

function stateOf(before: Record<string, unknown> | undefined, record: object): State {
  if (!before) return "new";
  return isStored(before, record) ? "unchanged" : "changed";
}
