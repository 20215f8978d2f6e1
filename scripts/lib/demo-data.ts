import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Types } from "mongoose";
import { HOUR_MS, YEAR_MS } from "~/lib/durations";
import type { Env } from "~/config/env.server";
import { inTransaction } from "~/db/transaction.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { DEMO_PASSWORD_HASH } from "~/accounts/log-in/demo-log-ins.server";
import { hasUser, toCurrentUser } from "~/accounts/users.server";
import { importData, isEmptyDatabase } from "~/import/import.server";
import { Absence } from "#models/absence";
import { Booking, type BookingDocument, COMPLETED, NO_SHOW } from "#models/booking";
import { Change } from "#models/change";
import { Notification } from "#models/notification";
import { Reply } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { Asking, requestId, ReviewRequest } from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { EMAIL_COLLATION, User, type UserDocument } from "#models/user";
import { demoData, demoLogins } from "../demo/index";
import { say, UsageError } from "./command";
import { connected } from "./database-copy";
import { progressBar } from "./progress";

/** How long after their departure the demo's guides have said who did not come, in milliseconds. */
const NOTED_AFTER_MS = 4 * HOUR_MS;

/** How long after it guests are asked how their tour was. */
const ASKED_AFTER_MS = 20 * HOUR_MS;

type Demo = Pick<ReturnType<typeof demoData>, "bookings" | "reviews">;

/** The explorer among the demo log-ins whose tours wait for a review. */
const AMELIE = "e705c715cf36e9804d4cd35f";

/** Imports the demo data into the database of that URI. */
export async function loadDemoData(uri: string): Promise<void> {
  await connected(uri, importDemoData);
}

/** Imports it into the connected database. Can be repeated: a reply or a no-show that is there already stays as it is. */
export async function importDemoData(): Promise<void> {
  const now = new Date();
  const { replies, ...demo } = demoData(now);
  // Before the import notes that nobody is asked.
  await askGuests(demo, now);
  await importData(demo);
  await Reply.bulkWrite(
    replies.map(({ reviewId, ...reply }) => {
      const filter = { _id: new Types.ObjectId(reviewId) };
      return { updateOne: { filter, update: { $setOnInsert: reply }, upsert: true } };
    }),
  );
  const guideByTour = new Map(demo.tours.map(({ id, createdById }) => [id, createdById]));
  for (const { id, userId, tourId, date } of demo.bookings.filter(isNoShow)) {
    const ids = { userId, tourId, guideId: guideByTour.get(tourId) };
    const at = new Date(Date.parse(date) + NOTED_AFTER_MS);
    await Absence.updateOne(
      { bookingId: new Types.ObjectId(id) },
      { $setOnInsert: { ...ids, date: new Date(date), at } },
      { upsert: true },
    );
  }
}

/**
 * The guests of a year were asked when they came back, and Amelie is to be asked about her last tour now, so that there is
 * an e-mail to look at.
 */
async function askGuests({ bookings, reviews }: Demo, now: Date): Promise<void> {
  const completed = bookings.filter(({ status, date }) => {
    const age = now.getTime() - Date.parse(date);
    return status === COMPLETED && age > 0 && age < YEAR_MS;
  });
  const reviewed = new Set(reviews.map(({ userId, tourId }) => `${userId} ${tourId}`));
  const last = completed
    .filter(({ userId, tourId }) => userId === AMELIE && !reviewed.has(`${userId} ${tourId}`))
    .toSorted((a, b) => a.date.localeCompare(b.date))
    .at(-1);
  await ReviewRequest.bulkWrite(
    completed.map((booking) => {
      const ids = {
        tourId: new Types.ObjectId(booking.tourId),
        userId: new Types.ObjectId(booking.userId),
      };
      const departedAt = new Date(booking.date);
      const due = new Date(departedAt.getTime() + ASKED_AFTER_MS);
      const waits = booking === last || due > now;
      const sent = { askedAt: due, sentAt: due };
      const state = waits ? { dueAt: booking === last ? now : due } : sent;
      const request = { ...ids, departedAt, ...state };
      const filter = { _id: requestId(ids) };
      return { updateOne: { filter, update: { $setOnInsert: request }, upsert: true } };
    }),
  );
  // Otherwise all of them would count as completed before the site began to ask.
  await Asking.updateOne({ _id: "asking" }, { $setOnInsert: { since: now } }, { upsert: true });
}

const isNoShow = ({ status }: { status: string }) => status === NO_SHOW;

interface DemoOptions {
  embedded: boolean;
  env: Env;
  demo: boolean;
}

/**
 * Loads the demo data into the connected database if `demo` is set, or if a site that is only for this machine and not
 * in production starts for the first time on an embedded database without records. Returns the demo log-ins that are in
 * the database with the demo password. Throws `UsageError` if `demo` is set for a database with other records.
 */
export async function provideDemoData({
  embedded,
  env,
  demo,
}: DemoOptions): Promise<typeof demoLogins> {
  // Notes that the embedded database's first start is over, and whether its import was interrupted.
  const note = join(env.dataDir, "demo-data");
  const noted = embedded ? await readFile(note, "utf8").catch(() => "") : DECIDED;
  const empty = await isEmptyDatabase();
  const wanted = empty && (demo || (noted === "" && env.local && !env.production));
  if (demo && !empty && noted !== LOADING && !(await hasDemoUsers()))
    throw new UsageError(
      "--demo is for a database without records, and this one has some: set DATA_DIR to another folder, or MONGODB_URI to another database",
    );
  if (wanted || noted === LOADING) {
    say("Loading the demo data …");
    if (embedded) await writeFile(note, LOADING, { mode: 0o600 });
    await importDemoData();
  }
  if (embedded) await writeFile(note, DECIDED, { mode: 0o600 });
  const unchanged = await findDemoUsers(demoLogins.map(({ email }) => email));
  return demoLogins.filter(({ email }) => unchanged.includes(email));
}

/** Returns which of these e-mail addresses have a user with the demo password. */
export async function findDemoUsers(emails: string[]): Promise<string[]> {
  const users = await User.find({ email: { $in: emails } }, "email passwordHash")
    .collation(EMAIL_COLLATION)
    .lean<UserDocument[]>();
  return users
    .filter(({ passwordHash }) => passwordHash === DEMO_PASSWORD_HASH)
    .map(({ email }) => email);
}

/**
 * Removes the demo data from the connected database: its tours and users, with their bookings, reviews and replies. The next
 * removal also removes what an interrupted one has left. Returns how many tours and users there were.
 */
export async function removeDemoData(): Promise<{ tours: number; users: number }> {
  const demo = demoData(new Date());
  const [tours, users] = await Promise.all([
    Tour.find({ _id: { $in: toIds(demo.tours) } }, "_id").lean<TourDocument[]>(),
    User.find({ _id: { $in: toIds(demo.users) } }).lean<UserDocument[]>(),
  ]);
  const progress = progressBar("Demo data");
  let done = 0;
  for (const { _id } of tours) {
    await removeTour(_id);
    progress(++done, tours.length + users.length);
  }
  for (const user of users) {
    // An import of the demo data may restore them.
    await deleteAccountOf(toCurrentUser(user), { noted: false });
    progress(++done, tours.length + users.length);
  }
  progress.end();
  await Booking.deleteMany({ userId: { $in: toIds(demo.users) } });
  await continueDeletions();
  return { tours: tours.length, users: users.length };
}

/**
 * Removes a tour with everything that belongs to it, in one transaction, so that no part of it ever exists without
 * the tour.
 */
async function removeTour(tourId: Types.ObjectId): Promise<void> {
  await inTransaction(async (session) => {
    await Tour.deleteOne({ _id: tourId }, { session });
    const reviews = await Review.find({ tourId }, "_id", { session }).lean<ReviewDocument[]>();
    const ofReviews = { _id: { $in: reviews.map(({ _id }) => _id) } };
    await Notification.deleteMany(ofReviews, { session });
    await Reply.deleteMany(ofReviews, { session });
    await Review.deleteMany({ tourId }, { session });
    await Change.deleteMany({ tourId }, { session });
    const bookings = await Booking.find({ tourId }, "_id", { session }).lean<BookingDocument[]>();
    const bookingId = { $in: bookings.map(({ _id }) => _id) };
    await Absence.deleteMany({ bookingId }, { session });
    await ReviewRequest.deleteMany({ tourId }, { session });
    await Booking.deleteMany({ tourId }, { session });
  });
}

const toIds = (records: { id: string }[]) => records.map(({ id }) => new Types.ObjectId(id));

const LOADING = "loading\n";
const DECIDED = "decided\n";

const hasDemoUsers = () => hasUser(demoLogins[0]!.email);
