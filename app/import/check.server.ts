import { Booking } from "#models/booking";
import { Erasure } from "#models/erasure";
import { Review } from "#models/review";
import { formsOfSlug, Tour, type TourDocument } from "#models/tour";
import { User } from "#models/user";
import { batches, BATCH } from "~/db/batches";
import { erasedAmong } from "~/accounts/erasures.server";
import { HASHES_AT_ONCE, verifyPassword } from "~/accounts/log-in/hashing.server";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { findOtherEmails, type MovedEmail } from "./emails.server";
import { EMAIL_TAKEN, type ReadFile, SLUG_TAKEN } from "./read-file.server";
import {
  type Issue,
  type Kind,
  perKind,
  type Problems,
  type Records,
  type States,
} from "./records.server";
import { idsIn, isStored, removedAuthors, storedById, storedPairs } from "./stored.server";

export const GUIDE_OF_TOUR: Issue = { field: "userId", message: "is the guide of this tour" };
export const REVIEWED_ALREADY: Issue = {
  field: "tourId",
  message: "is reviewed by this user already",
};

export interface CheckOptions {
  /** Whether accounts that were deleted here, and their reviews, come back. */
  restoreDeleted: boolean;
  progress: (count: number) => void;
  stopped?: AbortSignal;
}

interface Check {
  file: ReadFile;
  states: States;
  problems: Problems;
  /** Whether any account was deleted here that the file may not bring back. */
  anyErased: boolean;
  /** Whether there is any user in the database. */
  anyUsers: boolean;
}

type NumberedRecord<Name extends Kind> = Partial<Records[Name]> & { number: number };

/**
 * Says what to do with each record. Adds to `problems` which of them contradict the database, or refer to what is
 * neither there nor in the file. Writes nothing. Ends with an `AbortError` when `stopped` aborts.
 */
export async function checkRecords(
  file: ReadFile,
  problems: Problems,
  { restoreDeleted, progress, stopped }: CheckOptions,
): Promise<States> {
  const { spool } = file;
  const states: States = perKind((kind) => new Array<"new">(spool.count(kind)).fill("new"));
  const anyErased = !restoreDeleted && (await Erasure.exists({})) !== null;
  const anyUsers = (await User.exists({})) !== null;
  const context = { file, states, problems, anyErased, anyUsers };
  const inBatches = async <Name extends Kind>(
    kind: Name,
    numbers: number[],
    work: (records: NumberedRecord<Name>[]) => Promise<void>,
  ) => {
    for (const some of batches(numbers, BATCH, stopped)) {
      await work(some.map((number) => ({ ...spool.read(kind, number), number })));
      progress(some.length);
    }
  };
  await inBatches("users", [...states.users.keys()], (users) => checkUsers(context, users));
  await inBatches("tours", [...states.tours.keys()], (tours) => checkTours(context, tours));
  await inBatches("bookings", [...states.bookings.keys()], (some) => checkBookings(context, some));
  for (const [tourId, numbers] of file.reviewsOf) {
    const tour = await referredTour(file, tourId);
    await inBatches("reviews", numbers, (reviews) => checkReviews(context, tour, reviews));
  }
  return states;
}

async function checkUsers(
  { file, states, problems, anyErased, anyUsers }: Check,
  users: NumberedRecord<"users">[],
): Promise<void> {
  const stored = await storedById(User.collection, users);
  const strangers = users.filter(({ id = "" }) => !stored.has(id));
  const erased = anyErased ? await erasedAmong(strangers) : new Set();
  const moved: MovedEmail[] = [];
  const decideAboutUser = async (user: NumberedRecord<"users">) => {
    const { number, password, ...fields } = user;
    const { id = "", email, passwordHash } = fields;
    const before = stored.get(id);
    if (erased.has(user)) {
      states.users[number] = "leftOut";
      return;
    }
    if (id && email && before?.email !== email) moved.push({ id, email, number });
    const state = importDecision(before, fields);
    const isToCompare = state === "unchanged" && password !== undefined && !passwordHash;
    const isChanged = isToCompare && !(await isPassword(before?.passwordHash, password));
    states.users[number] = isChanged ? "changed" : state;
  };
  for (const some of batches(users, HASHES_AT_ONCE)) await Promise.all(some.map(decideAboutUser));
  for (const [number, owners] of await findOtherEmails(anyUsers ? moved : [])) {
    // The addresses in a file are distinct: an owner that is in the file has another address afterwards.
    const numbers = owners.flatMap((owner) => file.numbers.users.get(owner) ?? []);
    if (numbers.length < owners.length) problems.addTo("users", number, "email", EMAIL_TAKEN);
    else file.takers.set(number, numbers);
  }
}

const isPassword = async (stored: unknown, password: string) =>
  typeof stored === "string" && (await verifyPassword(stored, password));

async function checkTours(check: Check, tours: NumberedRecord<"tours">[]): Promise<void> {
  const { file, states, problems } = check;
  const stored = await storedById(Tour.collection, tours);
  const slugs = tours.flatMap(({ id = "", slug }) =>
    slug && stored.get(id)?.slug !== slug ? formsOfSlug(slug) : [],
  );
  const owners = new Map<string, string[]>();
  for (const some of batches(slugs, BATCH))
    for (const { _id, slug } of await Tour.find({ slug: { $in: some } }, "slug").lean())
      owners.set(slug.normalize(), [...(owners.get(slug.normalize()) ?? []), _id.toString()]);
  await referredUsers(check, "tours", "createdById", tours);
  for (const { number, ...tour } of tours) {
    const { id = "", slug, timeZone } = tour;
    const named = owners.get(slug?.normalize() ?? "") ?? [];
    // The slugs in a file are distinct: an owner that is in the file has another slug afterwards.
    const stays = (owner: string) => owner !== id && !file.numbers.tours.has(owner);
    if (named.some(stays)) problems.addTo("tours", number, "slug", SLUG_TAKEN);
    // So that the log names a zone that does not exist while its file is at hand.
    tourTimeZone({ timeZone: timeZone ?? null });
    states.tours[number] = importDecision(stored.get(id), tour);
  }
}

async function checkBookings(check: Check, bookings: NumberedRecord<"bookings">[]): Promise<void> {
  const { file, states, problems } = check;
  const stored = await storedById(Booking.collection, bookings);
  await referredUsers(check, "bookings", "userId", bookings);
  const isInFile = (tourId: string) => file.numbers.tours.has(tourId);
  const outside = bookings.flatMap(({ tourId }) => (tourId && !isInFile(tourId) ? tourId : []));
  const tours = await idsIn(Tour, [...new Set(outside)]);
  for (const { number, ...booking } of bookings) {
    const { id = "", tourId } = booking;
    if (tourId && !isInFile(tourId) && !tours.has(tourId))
      problems.addTo("bookings", number, "tourId", `there is no tour ${tourId}`);
    states.bookings[number] = importDecision(stored.get(id), booking);
  }
}

type ReferredTour = Awaited<ReturnType<typeof referredTour>>;

/**
 * Loads a referenced tour from the database or the file, with its guide, whom a malformed record lacks, and an empty
 * set for the authors of its reviews in the file.
 */
async function referredTour({ spool, numbers }: ReadFile, id: string) {
  const stored = await Tour.findById(id, "createdById").lean<TourDocument>();
  const number = numbers.tours.get(id);
  const guide =
    number === undefined ? stored?.createdById.toString() : spool.read("tours", number).createdById;
  const isStored = stored !== null;
  const authors = new Set<string>();
  return { id, isThere: isStored || number !== undefined, isStored, guide, authors };
}

async function checkReviews(
  check: Check,
  tour: ReferredTour,
  reviews: NumberedRecord<"reviews">[],
): Promise<void> {
  const { states, problems } = check;
  const users = await referredUsers(check, "reviews", "userId", reviews);
  const stored = await storedById(Review.collection, reviews);
  const removed = await removedAuthors(tour.id, reviews);
  const isLeftOut = ({ id = "", userId = "" }: NumberedRecord<"reviews">) =>
    users.get(userId) === "erased" ||
    // An operator's decision stands.
    removed.has(userId) ||
    Boolean(stored.get(id)?.redaction);
  // The unique index of pairs keeps a stored review from having another one beside it, and a new tour has no stored
  // reviews.
  const asked = reviews.filter((review) => {
    const { id = "", userId, tourId } = review;
    const before = stored.get(id);
    return !isLeftOut(review) && !(before && isStored(before, { userId, tourId }));
  });
  const owners = tour.isStored ? await storedPairs(tour.id, asked) : new Map<string, string>();
  for (const review of reviews) {
    const { number, ...fields } = review;
    const { id = "", userId } = fields;
    const report = ({ field, message }: Issue) => problems.addTo("reviews", number, field, message);
    if (!tour.isThere) report({ field: "tourId", message: `there is no tour ${tour.id}` });
    else if (userId && users.has(userId) && tour.guide === userId) report(GUIDE_OF_TOUR);
    if (userId && (tour.authors.has(userId) || (owners.get(userId) ?? id) !== id))
      report(REVIEWED_ALREADY);
    if (userId) tour.authors.add(userId);
    states.reviews[number] = isLeftOut(review) ? "leftOut" : importDecision(stored.get(id), fields);
  }
}

/**
 * Resolves the users whom a field of up to a hundred records names: those who are or will be there, and those who were
 * deleted here. Others are problems.
 */
async function referredUsers<Field extends "userId" | "createdById">(
  { file, states, problems, anyErased }: Check,
  kind: Kind,
  field: Field,
  records: ({ number: number } & { [name in Field]?: string })[],
): Promise<Map<string, "there" | "erased">> {
  const users = new Map<string, "there" | "erased">();
  const named = records.flatMap(({ number, [field]: id }) => (id ? { number, id } : []));
  for (const { id } of named) {
    const user = file.numbers.users.get(id);
    if (user !== undefined) users.set(id, states.users[user] === "leftOut" ? "erased" : "there");
  }
  const outside = new Set(named.map(({ id }) => id).filter((id) => !users.has(id)));
  for (const id of await idsIn(User, [...outside])) users.set(id, "there");
  const absent = [...outside].filter((id) => !users.has(id)).map((id) => ({ id }));
  if (anyErased) for (const { id } of await erasedAmong(absent)) users.set(id, "erased");
  for (const { number, id } of named)
    if (!users.has(id)) problems.addTo(kind, number, field, `there is no user ${id}`);
  return users;
}

function importDecision(before: Record<string, unknown> | undefined, record: object) {
  if (!before) return "new";
  return isStored(before, record) ? "unchanged" : "changed";
}
