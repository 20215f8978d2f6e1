import { describe, expect, test, vi } from "vitest";
import { deleteAccount } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { findUser } from "~/accounts/users.server";
import { logIn } from "~/accounts/log-in/log-in.server";
import { createSession } from "~/accounts/log-in/sessions.server";
import { importData, type ImportOptions } from "~/import/import.server";
import type { ImportFile } from "~/import/records.server";
import { checkRatings } from "~/reviews/ratings.server";
import { Booking } from "#models/booking";
import { Erasure } from "#models/erasure";
import { Review } from "#models/review";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { PASSWORD, PASSWORD_HASH, provenUser } from "../support/factories";
import {
  booking,
  everything,
  id,
  oid,
  review,
  stored,
  tour,
  useGuide,
  user,
} from "../support/import-records";
import { HOME } from "../support/services";

// The outcome that an import reports, and the records that it leaves out.

useDatabase();
useGuide();

const outcome = (counts: object) => ({ new: 0, changed: 0, unchanged: 0, leftOut: 0, ...counts });

const FACTS = {
  price: 19.9,
  currency: "EUR",
  meetingPoint: { text: "At the well", lat: 41.5, lng: -8 },
  groupSize: 12,
  minAge: 0,
  languages: ["en", "pt-BR"],
  included: ["Lunch"],
  bring: [],
};

/** 300 reviews of three tours, with bookings, and users with passwords of either kind. */
const file = () => ({
  users: Array.from({ length: 300 }, (_, n) =>
    user(n, n < 2 ? { password: `the password ${n}` } : { passwordHash: PASSWORD_HASH }),
  ),
  tours: [0, 1, 2].map((n) => ({
    ...tour(n),
    ...FACTS,
    date: "2026-05-01",
    dates: ["2026-05-08"],
    image: null,
  })),
  bookings: [0, 1].map((n) => booking(n)),
  reviews: Array.from({ length: 300 }, (_, n) => review(n, { tourId: id("b", n % 3) })),
});

/** The result of an import, and its notices. */
async function imported(data: ImportFile, options: ImportOptions = {}) {
  const notices: string[] = [];
  const onNotice = (message: string) => void notices.push(message);
  return { counts: await importData(data, { ...options, onNotice }), notices };
}

describe("a file a second time", () => {
  test("is compared, and nothing of it is written", async () => {
    await importData(file());
    const before = await everything();
    expect(await importData(file())).toEqual({
      users: outcome({ unchanged: 300 }),
      tours: outcome({ unchanged: 3 }),
      bookings: outcome({ unchanged: 2 }),
      reviews: outcome({ unchanged: 300 }),
    });
    expect(await everything()).toEqual(before);
  });

  test("is written where it differs", async () => {
    await importData(file());
    const tomorrow = new Date(Date.now() + 86_400_000);
    for (const n of [0, 1, 2])
      await createSession({ proven: await provenUser(id("a", n)) }, tomorrow);
    const changed = file();
    changed.users[0]!.name = "Gina";
    changed.users[1] = user(1, { password: "another password" });
    changed.users[2]!.name = "Gwen";
    changed.users.push(user(300));
    changed.tours[1]!.languages = ["pt-BR", "en"];
    changed.tours[2]!.date = "2026-05-02";
    changed.bookings[1] = booking(1, { status: "CANCELLED" });
    changed.reviews[7] = review(7, { tourId: id("b", 1), rating: 1 });
    changed.reviews[8] = review(8, { tourId: id("b", 1) });
    expect(await importData(changed)).toEqual({
      users: outcome({ new: 1, changed: 3, unchanged: 297 }),
      tours: outcome({ changed: 2, unchanged: 1 }),
      bookings: outcome({ changed: 1, unchanged: 1 }),
      reviews: outcome({ changed: 2, unchanged: 298 }),
    });
    expect(await logIn("user1@example.test", "another password", HOME)).not.toBeNull();
    // Only a new password ends log-ins.
    const loggedIn = (await Session.find().sort({ userId: 1 }).lean()).map(({ userId }) => userId);
    expect(loggedIn).toEqual([oid(id("a", 0)), oid(id("a", 2))]);
    expect(await stored(Tour, id("b", 1))).toMatchObject({ ...FACTS, languages: ["pt-BR", "en"] });
    expect(await stored(Review, id("d", 7))).toMatchObject({ rating: 1 });
    expect(await stored(Review, id("d", 8))).toMatchObject({ tourId: oid(id("b", 1)) });
    expect(await checkRatings()).toEqual([]);
  });

  test("gets the ratings that were never stored, or that are wrong", async () => {
    await importData(file());
    await Tour.collection.updateOne({ _id: oid(id("b", 0)) }, { $set: { avgRating: 1 } });
    await Tour.collection.updateOne(
      { _id: oid(id("b", 1)) },
      { $unset: { avgRating: 1, reviewCount: 1, ratingCounts: 1, ratingsVersion: 1 } },
    );
    await importData(file());
    expect(await checkRatings()).toEqual([]);
    expect(await stored(Tour, id("b", 1))).toMatchObject({ avgRating: 5, reviewCount: 100 });
  });
});

test("that only checks says the same, and writes nothing", async () => {
  const before = await everything();
  const { counts } = await imported(file(), { dryRun: true });
  expect(counts).toMatchObject({ users: { new: 300 }, reviews: { new: 300 } });
  expect(await everything()).toEqual(before);
  await expect(importData({ users: [user(0, { name: 7 })] }, { dryRun: true })).rejects.toThrow(
    "users[0].name: must be a string",
  );
});

test("a user with a hash that no log-in can use comes in without a password, and is counted", async () => {
  const passwordHash = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
  const users = [user(0, { passwordHash }), user(1, { passwordHash, password: "a good password" })];
  const { notices } = await imported({ users });
  expect(notices).toEqual([
    "Users with a password hash that is not argon2: 1. It is not imported; they set a password at /reset.",
  ]);
  expect(await stored(User, id("a", 0))).toMatchObject({ passwordHash: null });
  // A password that was set here stays.
  await importData({ users: [user(1, { passwordHash })] });
  expect(await logIn("user1@example.test", "a good password", HOME)).not.toBeNull();
});

describe("an account that was deleted here", () => {
  const data = () => ({
    users: [user(0), user(1, { passwordHash: PASSWORD_HASH })],
    tours: [tour(0), tour(1, { createdById: id("a", 1) })],
    bookings: [booking(0)],
    reviews: [review(0), review(1)],
  });
  /** All of `data`, and user 1 deleted. */
  async function deleted() {
    await importData(data());
    await deleteAccount((await findUser(id("a", 1)))!, { password: PASSWORD });
    await continueDeletions();
  }
  const LEFT_OUT =
    "Left out, because the account was deleted here: 1 users, 1 reviews. With --restore-deleted they come back.";

  test("stays so, with its reviews; tours and bookings are the platform's", async () => {
    await deleted();
    const before = await everything();
    const { counts, notices } = await imported(data());
    expect(counts).toEqual({
      users: outcome({ unchanged: 1, leftOut: 1 }),
      tours: outcome({ unchanged: 2 }),
      bookings: outcome({ unchanged: 1 }),
      reviews: outcome({ unchanged: 1, leftOut: 1 }),
    });
    expect(notices).toEqual([LEFT_OUT]);
    expect(await everything()).toEqual(before);
    await Tour.deleteMany({});
    await Booking.deleteMany({});
    expect(await importData(data())).toMatchObject({ tours: { new: 2 }, bookings: { new: 1 } });
  });

  test("is known by its address, and its reviews by the author", async () => {
    await deleted();
    const users = [user(7, { email: " USER1@example.test" })];
    const reviews = [review(7)];
    expect((await imported({ users, reviews })).notices).toEqual([LEFT_OUT]);
    const { counts } = await imported({ reviews: [review(1)] });
    expect(counts).toMatchObject({ reviews: outcome({ leftOut: 1 }) });
    expect(await User.countDocuments()).toBe(2);
    expect(await Review.countDocuments()).toBe(1);
  });

  test("comes back when that is asked for, and is forgotten", async () => {
    await deleted();
    const restored = { users: outcome({ new: 1, unchanged: 1 }) };
    expect(await importData(data(), { restoreDeleted: true })).toMatchObject(restored);
    expect(await Review.countDocuments()).toBe(2);
    expect(await Erasure.countDocuments()).toBe(0);
    const { notices } = await imported(data());
    expect(notices).toEqual([]);
  });

  test("does not come back when it is deleted during the import", async () => {
    await importData(data());
    const changed = data();
    changed.users[1]!.name = "Another name";
    changed.reviews[1]!.rating = 1;
    const { distinct } = User;
    const deleteFirst = async (...query: Parameters<typeof distinct>) => {
      await User.deleteOne({ _id: id("a", 1) });
      return distinct.apply(User, query);
    };
    const { counts, notices } = await imported(changed, {
      // Between the check and the writes, which begin with the users that there are.
      onProgress: (phase, done) => {
        if (phase === "Check" && done === 7)
          vi.spyOn(User, "distinct").mockImplementationOnce(deleteFirst as never);
      },
    });
    expect(counts).toMatchObject({ users: { leftOut: 1 }, reviews: { leftOut: 1 } });
    expect(notices).toEqual(["reviews[1]: left out, its author has deleted the account meanwhile"]);
    expect(await User.exists({ _id: id("a", 1) })).toBeNull();
    expect(await Review.countDocuments()).toBe(1);
    expect(await checkRatings()).toEqual([]);
  });
});
