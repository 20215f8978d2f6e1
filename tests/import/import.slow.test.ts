import { describe, expect, test, vi } from "vitest";
import { logIn } from "~/accounts/log-in/log-in.server";
import { ImportError, type ImportFile } from "~/import/records.server";
import { importData, isEmptyDatabase } from "~/import/import.server";
import { checkRatings } from "~/reviews/ratings.server";
import { changeTour } from "~/reviews/change-tour.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { HOME, listedReviews } from "../support/services";
import { makeReview, makeTour, makeUser, PASSWORD, PASSWORD_HASH } from "../support/factories";
import {
  id,
  oid,
  user,
  tour,
  booking,
  review,
  everything,
  stored,
  useGuide,
} from "../support/import-records";

useDatabase();
useGuide();

describe("a good file", () => {
  test("is stored with the specification's field names and types", async () => {
    const counts = await importData({
      users: [
        user(0, { id: id("a", 0).toUpperCase(), image: null }),
        user(1, { name: "", email: " Ann@Example.test ", image: "/ann.png" }),
      ],
      tours: [
        tour(0, {
          description: "Through the gates",
          date: "2026-04-30",
          dates: ["2026-05-07", "2026-04-30T10:00:00+02:00"],
          location: "York",
          timeZone: "Europe/London",
          durationMinutes: 90,
          image: "/york.jpg",
          bookingUrl: "https://tours.example.test/york",
        }),
        tour(1),
      ],
      bookings: [
        booking(0, { date: "2026-04-30T10:00:00+02:00" }),
        booking(1, { status: "CONFIRMED" }),
      ],
      reviews: [review(1), review(0, { rating: 2, comment: "" })],
    });
    const twoNew = { new: 2, changed: 0, unchanged: 0, leftOut: 0 };
    expect(counts).toEqual({ users: twoNew, tours: twoNew, bookings: twoNew, reviews: twoNew });

    expect(await stored(User, id("a", 0))).toMatchObject({ name: "User 0" });
    expect(await stored(User, id("a", 1))).toEqual({
      _id: oid(id("a", 1)),
      name: "",
      email: "Ann@Example.test",
      image: "/ann.png",
      passwordHash: null,
    });
    expect(await stored(Tour, id("b", 0))).toMatchObject({
      title: "Tour 0",
      slug: "tour-0",
      createdById: oid(id("e", 0)),
      description: "Through the gates",
      date: new Date("2026-04-30T00:00:00Z"),
      dates: [new Date("2026-05-07T00:00:00Z"), new Date("2026-04-30T08:00:00Z")],
      location: "York",
      timeZone: "Europe/London",
      durationMinutes: 90,
      image: "/york.jpg",
      images: [],
      bookingUrl: "https://tours.example.test/york",
      price: null,
      avgRating: 3.5,
      reviewCount: 2,
      ratingCounts: { "1": 0, "2": 1, "3": 0, "4": 0, "5": 1 },
    });
    expect(await stored(Tour, id("b", 1))).toMatchObject({ avgRating: 0, reviewCount: 0 });
    expect(await stored(Booking, id("c", 0))).toEqual({
      _id: oid(id("c", 0)),
      userId: oid(id("a", 1)),
      tourId: oid(id("b", 0)),
      status: "COMPLETED",
      date: new Date("2026-04-30T08:00:00Z"),
    });
    expect(await stored(Booking, id("c", 1))).toMatchObject({ status: "CONFIRMED", date: null });
    expect(await stored(Review, id("d", 1))).toEqual({
      _id: oid(id("d", 1)),
      userId: oid(id("a", 1)),
      tourId: oid(id("b", 0)),
      rating: 5,
      comment: "Comment 1",
      createdAt: new Date("2026-05-01T09:30:00Z"),
      verified: true,
    });
    expect(await stored(Review, id("d", 0))).toMatchObject({ comment: null });
    expect(await stored(Review, id("d", 0))).not.toHaveProperty("verified");
    expect(await checkRatings()).toEqual([]);
  });

  test("may leave out any list, and has its unknown fields ignored", async () => {
    await User.deleteMany({});
    await importData({});
    expect(await isEmptyDatabase()).toBe(true);
    await importData({ users: [user(0, { role: "ADMIN" })] });
    expect(await isEmptyDatabase()).toBe(false);
    expect(await stored(User, id("a", 0))).not.toHaveProperty("role");
    await importData({ tours: [tour(0, { createdById: id("a", 0) })] });
    await importData({ users: [user(1)] });
    await importData({ reviews: [review(1)] });
    await importData({ bookings: [booking(0, { userId: id("a", 0) })] });
    expect(await stored(Tour, id("b", 0))).toMatchObject({ avgRating: 5, reviewCount: 1 });
    expect(await Booking.countDocuments()).toBe(1);
  });

  const DATES: [written: string, meant: string][] = [
    ["2026-05-01", "2026-05-01T00:00:00.000Z"],
    ["2026-05-01T09:30", "2026-05-01T09:30:00.000Z"],
    ["2026-05-01T09:30:15.1234567Z", "2026-05-01T09:30:15.123Z"],
    ["2026-05-01T09:30:15,25+02:00", "2026-05-01T07:30:15.250Z"],
    ["2026-05-01T24:00:00Z", "2026-05-02T00:00:00.000Z"],
    ["0001-01-01T00:00:00-01:00", "0001-01-01T01:00:00.000Z"],
  ];

  test("may have dates of many forms", async () => {
    await importData({
      users: DATES.map((_, n) => user(n)),
      tours: [tour(0)],
      reviews: DATES.map(([createdAt], n) => review(n, { createdAt })),
    });
    for (const [n, [createdAt, meant]] of DATES.entries())
      expect(await stored(Review, id("d", n)), createdAt).toMatchObject({
        createdAt: new Date(meant),
      });
  });

  test("is imported with a note that names booking statuses which allow no review", async () => {
    const statuses = ["COMPLETED", "CONFIRMED", "completed", "CANCELLED", "completed", "\u001b[1m"];
    const bookings = statuses.map((status, index) => booking(index, { status }));
    const notices: string[] = [];
    const onNotice = (message: string) => void notices.push(message);
    await importData({ users: [user(0), user(1)], tours: [tour(0)], bookings }, { onNotice });
    await importData({ bookings: bookings.slice(0, 2) }, { onNotice });
    expect(notices).toEqual([
      'Bookings allow no review with a status other than "COMPLETED": "completed" (2), "CANCELLED" (1), "\\u001b[1m" (1).',
    ]);
  });

  test("may have keys and texts with a meaning in JavaScript", async () => {
    const text = JSON.stringify({ users: [user(0, { name: "__proto__" })] });
    const polluted = text.replace('"name"', '"__proto__":{"role":"ADMIN"},"name"');
    await importData(JSON.parse(polluted) as ImportFile);
    const found = await stored(User, id("a", 0));
    expect(found).toMatchObject({ name: "__proto__" });
    expect(Object.keys(found!)).not.toContain("__proto__");
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});

describe("an existing id", () => {
  test("is updated and keeps the fields that the record does not name", async () => {
    await importData({
      users: [user(0, { image: "/gwen.png", passwordHash: PASSWORD_HASH }), user(1)],
      tours: [tour(0, { description: "Old", durationMinutes: 60 })],
      bookings: [booking(0, { date: "2026-04-30" })],
      reviews: [review(1, { comment: "Kept" })],
    });
    // Fields of the platform that this project does not know.
    const foreign = { role: "GUIDE", stats: { tours: [1, 2] }, __v: 7 };
    const kinds = [User, Tour, Booking, Review];
    for (const { collection } of kinds) await collection.updateMany({}, { $set: foreign });

    const { comment: _, ...commentless } = review(1, { rating: 3, userId: id("a", 0) });
    await importData({
      users: [user(0, { name: "Gwen", email: "gwen@example.test" })],
      tours: [tour(0, { title: "New", description: undefined })],
      bookings: [booking(0, { status: "CANCELLED" })],
      reviews: [commentless],
    });
    expect(await stored(User, id("a", 0))).toEqual({
      _id: oid(id("a", 0)),
      name: "Gwen",
      email: "gwen@example.test",
      image: "/gwen.png",
      passwordHash: PASSWORD_HASH,
      ...foreign,
    });
    const walk = { title: "New", description: "Old", durationMinutes: 60, avgRating: 3 };
    expect(await stored(Tour, id("b", 0))).toMatchObject({ ...walk, ...foreign });
    const booked = { status: "CANCELLED", date: new Date("2026-04-30") };
    expect(await stored(Booking, id("c", 0))).toMatchObject({ ...booked, ...foreign });
    const reviewed = { userId: oid(id("a", 0)), rating: 3, comment: "Kept" };
    expect(await stored(Review, id("d", 1))).toMatchObject({ ...reviewed, ...foreign });
    for (const { collection } of kinds.filter((kind) => kind !== User))
      expect(await collection.countDocuments()).toBe(1);
  });

  test("may keep its address, slug and pair, and clear what is null", async () => {
    await importData({
      users: [user(0, { image: "/gwen.png" })],
      tours: [tour(0, { location: "York" })],
      reviews: [review(0)],
    });
    const email = "USER0@example.test";
    await importData({
      users: [user(0, { email, image: null })],
      tours: [tour(0, { location: null })],
      reviews: [review(0, { comment: null })],
    });
    expect(await stored(User, id("a", 0))).toMatchObject({ email, image: null });
    expect(await stored(Tour, id("b", 0))).toMatchObject({ location: null });
    expect(await stored(Review, id("d", 0))).toMatchObject({ comment: null });
  });
});

test("ratings are recomputed for the tour that a review leaves, and for the one it comes to", async () => {
  await importData({
    users: [user(0), user(1), user(2)],
    tours: [tour(0), tour(1), tour(2)],
    reviews: [
      review(1, { rating: 1 }),
      review(2, { rating: 5 }),
      review(0, { tourId: id("b", 2) }),
    ],
  });
  const versions = () =>
    Promise.all(
      [0, 1, 2].map(async (n) => Number((await stored(Tour, id("b", n)))!.ratingsVersion)),
    );
  const before = await versions();
  expect(await stored(Tour, id("b", 0))).toMatchObject({ avgRating: 3, reviewCount: 2 });
  expect(await listedReviews(id("b", 0))).toHaveLength(2);

  await importData({ reviews: [review(1, { tourId: id("b", 1), rating: 4 })] });
  expect(await stored(Tour, id("b", 0))).toMatchObject({ avgRating: 5, reviewCount: 1 });
  expect(await stored(Tour, id("b", 1))).toMatchObject({ avgRating: 4, reviewCount: 1 });
  // The version by which lists are cached goes up where they changed, and nowhere else.
  const after = await versions();
  expect(after.map((version, n) => version - before[n]!)).toEqual([1, 1, 0]);
  expect((await listedReviews(id("b", 0))).map((one) => one.id)).toEqual([id("d", 2)]);
  expect((await listedReviews(id("b", 1))).map((one) => one.rating)).toEqual([4]);
  expect(await checkRatings()).toEqual([]);
});

test("passwords are hashed with argon2id, exactly as they are, and hashes are taken as they are", async () => {
  const password = "  spaces count, ünd accents ";
  const users = [user(0, { password }), user(1, { passwordHash: PASSWORD_HASH })];
  await importData({ users });
  const { passwordHash, ...rest } = (await stored(User, id("a", 0)))!;
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(JSON.stringify(rest)).not.toContain("spaces");
  expect(await logIn("user0@example.test", password, HOME)).toMatchObject({
    user: { id: id("a", 0) },
  });
  await expect(logIn("user0@example.test", password.trim(), HOME)).rejects.toThrow("wrong");
  expect(await stored(User, id("a", 1))).toMatchObject({ passwordHash: PASSWORD_HASH });
  expect(await logIn("user1@example.test", PASSWORD, HOME)).toMatchObject({
    user: { name: "User 1" },
  });
});

describe("what happens during an import", () => {
  test("stopped while the file is looked through, it writes nothing", async () => {
    const stopped = AbortSignal.abort();
    const importing = importData({ users: [user(0)] }, { stopped });
    await expect(importing).rejects.toThrow("Stopped before anything was written.");
    expect(await User.countDocuments()).toBe(1);
  });

  test("a review that its author posts meanwhile stays, and the one of the file is left out", async () => {
    await importData({ users: [user(0), user(1), user(2)], tours: [tour(0)] });
    const posted = { ...review(9, { userId: id("a", 1) }), rating: 1, comment: "Posted" };
    const bulkWrite = vi.spyOn(Tour, "bulkWrite").mockImplementationOnce(async (...args) => {
      const { id: _, ...fields } = posted;
      const _id = oid(posted.id);
      await changeTour(oid(posted.tourId), async ({ session }) => {
        await Review.create([{ _id, ...fields }], { session });
      });
      return Tour.bulkWrite(...args);
    });
    const leftOut: string[] = [];
    const reviews = [review(0), review(1), review(2)];
    const onNotice = (message: string) => void leftOut.push(message);
    expect(
      await importData({ tours: [tour(0, { title: "New" })], reviews }, { onNotice }),
    ).toMatchObject({ reviews: { new: 2, leftOut: 1 } });
    expect(bulkWrite).toHaveBeenCalled();
    expect(leftOut).toEqual([
      "reviews[1]: left out, its author has posted a review of the tour meanwhile",
    ]);
    expect(await stored(Review, posted.id)).toMatchObject({ comment: "Posted" });
    expect(await Review.countDocuments()).toBe(3);
    expect(await checkRatings()).toEqual([]);
  });

  test("an address that somebody takes meanwhile is named", async () => {
    vi.spyOn(User, "bulkWrite").mockImplementationOnce(async (...args) => {
      await makeUser({ email: "user1@example.test" });
      return User.bulkWrite(...args);
    });
    await expect(importData({ users: [user(0), user(1)] })).rejects.toThrow(
      new ImportError("users[1].email: is taken by another user"),
    );
  });

  test("documents that the file does not name stay as they are", async () => {
    const walk = await makeTour({ createdById: (await makeUser())._id });
    await makeReview(await makeUser(), walk);
    // A state that no import may mend.
    await Tour.collection.updateOne({ _id: walk._id }, { $set: { avgRating: 1.5, stats: 7 } });
    const before = await everything();
    await importData({ users: [user(0), user(1)], tours: [tour(0)], reviews: [review(1)] });
    const after = await everything();
    for (const [name, documents] of Object.entries(before))
      expect(after[name]).toEqual(expect.arrayContaining(documents));
  });
});
