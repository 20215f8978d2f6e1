import mongoose, { Types } from "mongoose";
import { afterAll, describe, expect, test } from "vitest";
import { Booking } from "../../../models/booking";
import { Review } from "../../../models/review";
import { Tour } from "../../../models/tour";
import { User } from "../../../models/user";
import { verifyLogin } from "~/services/accounts/log-in.server";
import { ImportError } from "~/services/import/file.server";
import { importData, isEmptyDatabase } from "~/services/import/import.server";
import { checkRatings } from "~/services/reviews/ratings.server";
import { listReviews } from "~/services/reviews/list.server";
import { emptyDatabase, useDatabase } from "../../support/database";
import {
  makeBooking,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
  PASSWORD_HASH,
} from "../../support/factories";

useDatabase();
// The embedded server drops a full collection much slower than it empties one.
afterAll(emptyDatabase);

/** The nth id of a kind, so that expectations can be read. */
const id = (kind: "a" | "b" | "c" | "d", number: number) =>
  kind.repeat(4) + number.toString(16).padStart(20, "0");
const oid = (value: string) => new Types.ObjectId(value);

const user = (number: number, fields: object = {}) => ({
  id: id("a", number),
  name: `User ${number}`,
  email: `user${number}@example.test`,
  ...fields,
});
const tour = (number: number, fields: object = {}) => ({
  id: id("b", number),
  title: `Tour ${number}`,
  slug: `tour-${number}`,
  createdById: id("a", 0),
  ...fields,
});
const booking = (number: number, fields: object = {}) => ({
  id: id("c", number),
  userId: id("a", 1),
  tourId: id("b", 0),
  status: "COMPLETED",
  ...fields,
});
const review = (number: number, fields: object = {}) => ({
  id: id("d", number),
  userId: id("a", number),
  tourId: id("b", 0),
  rating: 5,
  comment: `Comment ${number}`,
  createdAt: "2026-05-01T09:30:00.000Z",
  ...fields,
});

/** Every document of every collection. */
async function everything(): Promise<Record<string, unknown[]>> {
  const collections = await mongoose.connection.db!.collections();
  const documents = await Promise.all(
    collections.map(async (collection) => [
      collection.collectionName,
      await collection.find().sort({ _id: 1 }).toArray(),
    ]),
  );
  return Object.fromEntries(documents) as Record<string, unknown[]>;
}

/** The lines of the refusal of a file that must have changed nothing. */
async function refusal(file: unknown): Promise<string[]> {
  const before = await everything();
  const error: unknown = await importData(file).then(
    () => new Error(`Imported: ${JSON.stringify(file)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ImportError)) throw error;
  expect(await everything()).toEqual(before);
  return error.message.split("\n");
}

const stored = (model: { collection: mongoose.Collection }, recordId: string) =>
  model.collection.findOne({ _id: oid(recordId) });

describe("a good file", () => {
  test("is stored with the specification's field names and types", async () => {
    const counts = await importData({
      users: [
        user(0, { image: null }),
        user(1, { name: "", email: " Ann@Example.test ", image: "/ann.png" }),
      ],
      tours: [
        tour(0, {
          description: "Through the gates",
          date: "2026-04-30",
          location: "York",
          durationMinutes: 90,
          image: "/york.jpg",
        }),
        tour(1),
      ],
      bookings: [
        booking(0, { date: "2026-04-30T10:00:00+02:00" }),
        booking(1, { status: "CONFIRMED" }),
      ],
      reviews: [review(1), review(0, { rating: 2, comment: "" })],
    });
    expect(counts).toEqual({ users: 2, tours: 2, bookings: 2, reviews: 2 });

    expect(await stored(User, id("a", 1))).toEqual({
      _id: oid(id("a", 1)),
      name: "",
      email: "Ann@Example.test",
      image: "/ann.png",
      passwordHash: null,
    });
    expect(await stored(Tour, id("b", 0))).toEqual({
      _id: oid(id("b", 0)),
      title: "Tour 0",
      slug: "tour-0",
      createdById: oid(id("a", 0)),
      description: "Through the gates",
      date: new Date("2026-04-30T00:00:00Z"),
      location: "York",
      durationMinutes: 90,
      image: "/york.jpg",
      avgRating: 3.5,
      reviewCount: 2,
      ratingCounts: { "1": 0, "2": 1, "3": 0, "4": 0, "5": 1 },
      ratingsVersion: 1,
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
    });
    expect(await stored(Review, id("d", 0))).toMatchObject({ comment: null });
    expect(await checkRatings()).toEqual([]);
  });

  test("may leave out any list, and fields that no one knows", async () => {
    expect(await importData({})).toEqual({ users: 0, tours: 0, bookings: 0, reviews: 0 });
    expect(await isEmptyDatabase()).toBe(true);
    await importData({ users: [user(0, { role: "ADMIN" })] });
    expect(await isEmptyDatabase()).toBe(false);
    expect(await stored(User, id("a", 0))).not.toHaveProperty("role");
    await importData({ tours: [tour(0)] });
    await importData({ reviews: [review(0)] });
    await importData({ bookings: [booking(0, { userId: id("a", 0) })] });
    expect(await stored(Tour, id("b", 0))).toMatchObject({ avgRating: 5, reviewCount: 1 });
    expect(await Booking.countDocuments()).toBe(1);
  });

  test("may lack comments, and have ids in capitals", async () => {
    const { comment: _, ...commentless } = review(0);
    await importData({
      users: [user(0, { id: id("a", 0).toUpperCase() })],
      tours: [tour(0)],
      reviews: [commentless],
    });
    expect(await stored(Review, id("d", 0))).toMatchObject({ comment: null });
    expect(await stored(User, id("a", 0))).toMatchObject({ name: "User 0" });
  });

  test("imported twice changes nothing but the version of the lists", async () => {
    const file = {
      users: [user(0, { passwordHash: PASSWORD_HASH }), user(1)],
      tours: [tour(0)],
      bookings: [booking(0)],
      reviews: [review(1)],
    };
    await importData(file);
    const { tours: before, ...others } = await everything();
    await importData(file);
    const { tours: after, ...same } = await everything();
    expect(same).toEqual(others);
    expect(after).toEqual([{ ...(before![0] as object), ratingsVersion: 2 }]);
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
    expect(await stored(Tour, id("b", 0))).toMatchObject({
      title: "New",
      description: "Old",
      durationMinutes: 60,
      avgRating: 3,
      ...foreign,
    });
    expect(await stored(Booking, id("c", 0))).toMatchObject({
      status: "CANCELLED",
      date: new Date("2026-04-30"),
      ...foreign,
    });
    expect(await stored(Review, id("d", 1))).toMatchObject({
      userId: oid(id("a", 0)),
      rating: 3,
      comment: "Kept",
      ...foreign,
    });
    for (const { collection } of kinds.filter((kind) => kind !== User))
      expect(await collection.countDocuments()).toBe(1);
  });

  test("may keep its address, slug and pair, and clear what is null", async () => {
    await importData({
      users: [user(0, { image: "/gwen.png" })],
      tours: [tour(0, { location: "York" })],
      reviews: [review(0)],
    });
    await importData({
      users: [user(0, { email: "USER0@example.test", image: null })],
      tours: [tour(0, { location: null })],
      reviews: [review(0, { comment: null })],
    });
    expect(await stored(User, id("a", 0))).toMatchObject({
      email: "USER0@example.test",
      image: null,
    });
    expect(await stored(Tour, id("b", 0))).toMatchObject({ location: null });
    expect(await stored(Review, id("d", 0))).toMatchObject({ comment: null });
  });
});

describe("ratings", () => {
  test("are recomputed for the tour that a review leaves, and for the one it comes to", async () => {
    await importData({
      users: [user(0), user(1), user(2)],
      tours: [tour(0), tour(1), tour(2)],
      reviews: [
        review(1, { rating: 1 }),
        review(2, { rating: 5 }),
        review(0, { tourId: id("b", 2) }),
      ],
    });
    const ratings = async (number: number) => {
      const { avgRating, reviewCount, ratingsVersion } = (await stored(Tour, id("b", number)))!;
      return { avgRating, reviewCount, ratingsVersion } as Record<string, number>;
    };
    const before = await Promise.all([0, 1, 2].map(ratings));
    expect(before[0]).toMatchObject({ avgRating: 3, reviewCount: 2 });
    const listed = await listReviews(id("b", 0));
    expect(listed.reviews).toHaveLength(2);

    await importData({ reviews: [review(1, { tourId: id("b", 1), rating: 4 })] });
    const after = await Promise.all([0, 1, 2].map(ratings));
    expect(after[0]).toMatchObject({ avgRating: 5, reviewCount: 1 });
    expect(after[1]).toMatchObject({ avgRating: 4, reviewCount: 1 });
    // What lists are cached by goes up where they changed, and nowhere else.
    expect(after.map((now, index) => now.ratingsVersion! - before[index]!.ratingsVersion!)).toEqual(
      [1, 1, 0],
    );
    expect((await listReviews(id("b", 0))).reviews.map((one) => one.id)).toEqual([id("d", 2)]);
    expect((await listReviews(id("b", 1))).reviews.map((one) => one.rating)).toEqual([4]);
    expect(await checkRatings()).toEqual([]);
  });

  test("count the reviews that were there before", async () => {
    const gwen = await makeUser();
    const walk = await makeTour();
    await makeReview(gwen, walk, { rating: 1 });
    await importData({
      users: [user(1)],
      reviews: [review(1, { tourId: walk._id.toString(), rating: 2 })],
    });
    expect(await stored(Tour, walk._id.toString())).toMatchObject({
      avgRating: 1.5,
      reviewCount: 2,
    });
  });

  test("that a platform's tour brings are replaced by those of its reviews", async () => {
    await importData({ users: [user(0)], tours: [tour(0, { avgRating: 4.9, reviewCount: 77 })] });
    expect(await stored(Tour, id("b", 0))).toMatchObject({ avgRating: 0, reviewCount: 0 });
  });
});

describe("passwords", () => {
  test("are hashed with argon2id, exactly as they are, and log in", async () => {
    const password = "  spaces count, ünd accents ";
    await importData({ users: [user(0, { password })] });
    const { passwordHash, ...rest } = (await stored(User, id("a", 0)))!;
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(rest)).not.toContain("spaces");
    expect(await verifyLogin("user0@example.test", password)).toMatchObject({ id: id("a", 0) });
    await expect(verifyLogin("user0@example.test", password.trim())).rejects.toThrow("wrong");
  });

  test("that are hashed already are taken as they are", async () => {
    await importData({ users: [user(0, { passwordHash: PASSWORD_HASH })] });
    expect(await stored(User, id("a", 0))).toMatchObject({ passwordHash: PASSWORD_HASH });
    expect(await verifyLogin("user0@example.test", PASSWORD)).toMatchObject({ name: "User 0" });
  });

  test("may be missing: such a user cannot log in", async () => {
    await importData({ users: [user(0)] });
    await expect(verifyLogin("user0@example.test", "")).rejects.toThrow("wrong");
  });

  test("can be replaced", async () => {
    await importData({ users: [user(0, { password: "first one" })] });
    await importData({ users: [user(0, { password: "second one" })] });
    await expect(verifyLogin("user0@example.test", "first one")).rejects.toThrow("wrong");
    expect(await verifyLogin("user0@example.test", "second one")).toMatchObject({ name: "User 0" });
  });
});

const ID = "must be an id of 24 hex digits";
const RATING = "must be an integer from 1 to 5";
const DATE = "must be a date such as 2026-05-01T09:30:00Z";
const nobody = "f".repeat(24);

describe("a bad record stops everything before anything is written", () => {
  const bad: [string, string, object, string][] = [
    ["users", "id", { id: "123" }, ID],
    ["users", "id", { id: undefined }, ID],
    ["users", "id", { id: 7 }, ID],
    ["users", "id", { id: `${id("a", 9)}0` }, ID],
    ["users", "name", { name: undefined }, "must be a string"],
    ["users", "name", { name: null }, "must be a string"],
    ["users", "email", { email: "nobody" }, "must be an e-mail address"],
    ["users", "email", { email: "" }, "must be an e-mail address"],
    ["users", "email", { email: "a b@example.test" }, "must be an e-mail address"],
    ["users", "email", { email: undefined }, "must be a string"],
    ["users", "email", { email: { $ne: null } }, "must be a string"],
    ["users", "image", { image: 1 }, "must be a string"],
    ["users", "password", { password: "" }, "must not be empty"],
    ["users", "password", { password: 12345678 }, "must be a string"],
    ["users", "passwordHash", { passwordHash: "$2b$10$abc" }, "must be an argon2 PHC string"],
    ["users", "passwordHash", { passwordHash: "$argon2id" }, "must be an argon2 PHC string"],
    ["tours", "id", { id: "x".repeat(24) }, ID],
    ["tours", "title", { title: " " }, "must not be empty"],
    ["tours", "title", { title: undefined }, "must be a string"],
    ["tours", "slug", { slug: "" }, "must not be empty"],
    ["tours", "slug", { slug: "old town" }, "must not hold spaces, /, ? or #"],
    ["tours", "slug", { slug: "old/town" }, "must not hold spaces, /, ? or #"],
    ["tours", "createdById", { createdById: null }, ID],
    ["tours", "createdById", { createdById: nobody }, `there is no user ${nobody}`],
    ["tours", "date", { date: "soon" }, DATE],
    ["tours", "durationMinutes", { durationMinutes: "90" }, "must be a number"],
    ["tours", "durationMinutes", { durationMinutes: 0 }, "must be above 0"],
    ["bookings", "status", { status: "" }, "must not be empty"],
    ["bookings", "status", { status: undefined }, "must be a string"],
    ["bookings", "userId", { userId: nobody }, `there is no user ${nobody}`],
    ["bookings", "tourId", { tourId: nobody }, `there is no tour ${nobody}`],
    ["bookings", "date", { date: "2026-04-31" }, DATE],
    ["reviews", "userId", { userId: nobody }, `there is no user ${nobody}`],
    ["reviews", "tourId", { tourId: nobody }, `there is no tour ${nobody}`],
    ["reviews", "tourId", { tourId: undefined }, ID],
    ["reviews", "rating", { rating: 0 }, RATING],
    ["reviews", "rating", { rating: 6 }, RATING],
    ["reviews", "rating", { rating: 4.5 }, RATING],
    ["reviews", "rating", { rating: "5" }, RATING],
    ["reviews", "rating", { rating: null }, RATING],
    ["reviews", "comment", { comment: 5 }, "must be a string"],
    ["reviews", "comment", { comment: "é".repeat(5_001) }, "must be at most 5000 characters"],
    ["reviews", "createdAt", { createdAt: undefined }, DATE],
    ["reviews", "createdAt", { createdAt: 1767225600000 }, DATE],
    ["reviews", "createdAt", { createdAt: "2026-02-30T10:00:00Z" }, DATE],
    ["reviews", "createdAt", { createdAt: "2026-05-01 (or so)" }, DATE],
    ["reviews", "createdAt", { createdAt: "" }, DATE],
  ];

  test.each(bad)("%s[2].%s, case %#", async (list, field, fields, message) => {
    await makeReview(await makeUser(), await makeTour());
    const file: Record<string, object[]> = {
      users: [user(0), user(1), user(2)],
      tours: [tour(0), tour(1), tour(2)],
      bookings: [booking(0), booking(1), booking(2)],
      reviews: [review(0), review(1), review(2)],
    };
    file[list]![2] = { ...file[list]![2], ...fields };
    // Other records may stumble over the same: those that refer to it by its id.
    const lines = await refusal(file);
    expect(lines[0]).toBe(`${list}[2].${field}: ${message}`);
    if (field !== "id") expect(lines).toHaveLength(1);
  });

  test("a comment is as long as people count it", async () => {
    const base = { users: [user(0)], tours: [tour(0)] };
    expect(
      await refusal({ ...base, reviews: [review(0, { comment: "🥾".repeat(5_001) })] }),
    ).toEqual(["reviews[0].comment: must be at most 5000 characters"]);
    await importData({ ...base, reviews: [review(0, { comment: "🥾".repeat(5_000) })] });
    expect(await Review.countDocuments()).toBe(1);
  });

  test("all of them are named, up to a number that a person reads", async () => {
    expect(
      await refusal({
        users: [user(0, { email: "no" }), user(1)],
        tours: [tour(0), tour(1, { title: 3 })],
        reviews: [review(0, { rating: 9, createdAt: "x" })],
      }),
    ).toEqual([
      "users[0].email: must be an e-mail address",
      "tours[1].title: must be a string",
      `reviews[0].rating: ${RATING}`,
      `reviews[0].createdAt: ${DATE}`,
    ]);
    const many = Array.from({ length: 50 }, (_, index) => user(index, { email: "no" }));
    const lines = await refusal({ users: many });
    expect(lines).toHaveLength(21);
    expect(lines[19]).toBe("users[19].email: must be an e-mail address");
    expect(lines[20]).toBe("and 30 more");
  });

  test("records that are none", async () => {
    for (const record of [null, "user", 3, []])
      expect((await refusal({ users: [user(0), record] }))[0]).toMatch(/^users\[1\]: \S/);
    for (const list of [null, {}, "users"])
      expect((await refusal({ users: list }))[0]).toMatch(/^users: \S/);
  });

  test("a file that is no object", async () => {
    for (const file of [null, undefined, [], "{}", 3, true])
      expect((await refusal(file))[0]).toMatch(/^file: \S/);
  });

  test("a list that no one knows", async () => {
    expect(await refusal({ users: [user(0)], guides: [] })).toEqual(["file: unknown: guides"]);
    expect(await refusal({ Users: [user(0)], tuors: [] })).toEqual(["file: unknown: Users,tuors"]);
  });
});

describe("repeats in the file", () => {
  const good = { users: [user(0), user(1)], tours: [tour(0), tour(1)] };

  test("of an id, in any letters", async () => {
    expect(
      await refusal({ users: [user(0), user(1), user(2, { id: id("a", 0).toUpperCase() })] }),
    ).toEqual(["users[2].id: stands in the file twice"]);
    expect(await refusal({ ...good, tours: [tour(0), tour(1, { id: id("b", 0) })] })).toEqual([
      "tours[1].id: stands in the file twice",
    ]);
    expect(await refusal({ ...good, bookings: [booking(0), booking(0)] })).toEqual([
      "bookings[1].id: stands in the file twice",
    ]);
    expect(await refusal({ ...good, reviews: [review(0), review(1, { id: id("d", 0) })] })).toEqual(
      ["reviews[1].id: stands in the file twice"],
    );
  });

  test("of an address, in any letters", async () => {
    expect(await refusal({ users: [user(0), user(1, { email: " USER0@Example.Test " })] })).toEqual(
      ["users[1].email: is taken by another user"],
    );
  });

  test("of a slug", async () => {
    expect(await refusal({ ...good, tours: [tour(0), tour(1, { slug: "tour-0" })] })).toEqual([
      "tours[1].slug: is taken by another tour",
    ]);
    // Slugs are addresses of pages, where capitals differ.
    await importData({ ...good, tours: [tour(0), tour(1, { slug: "TOUR-0" })] });
  });

  test("of a pair of user and tour", async () => {
    expect(
      await refusal({ ...good, reviews: [review(0), review(1, { userId: id("a", 0) })] }),
    ).toEqual(["reviews[1].tourId: is reviewed by this user already"]);
    await importData({
      ...good,
      reviews: [review(0), review(1), review(2, { userId: id("a", 0), tourId: id("b", 1) })],
    });
  });

  test("of a booking's pair are no repeats: one may go twice", async () => {
    await importData({ ...good, bookings: [booking(0), booking(1)] });
    expect(await Booking.countDocuments()).toBe(2);
  });
});

describe("what the database holds already", () => {
  test("an address of somebody else, in any letters", async () => {
    await makeUser({ email: "Gwen@Example.test" });
    for (const email of ["gwen@example.test", "GWEN@EXAMPLE.TEST"])
      expect(await refusal({ users: [user(0), user(1, { email })] })).toEqual([
        "users[1].email: is taken by another user",
      ]);
  });

  test("a slug of another tour", async () => {
    await makeTour({ slug: "old-town" });
    expect(await refusal({ users: [user(0)], tours: [tour(0, { slug: "old-town" })] })).toEqual([
      "tours[0].slug: is taken by another tour",
    ]);
  });

  test("another review of the pair", async () => {
    const gwen = await makeUser();
    const walk = await makeTour();
    await makeReview(gwen, walk);
    const pair = { userId: gwen._id.toString(), tourId: walk._id.toString() };
    expect(await refusal({ reviews: [review(0, pair)] })).toEqual([
      "reviews[0].tourId: is reviewed by this user already",
    ]);
    // The user's and the tour's reviews of others do not matter.
    await importData({
      users: [user(0)],
      tours: [tour(0)],
      reviews: [
        review(0, { userId: pair.userId }),
        review(1, { userId: id("a", 0), tourId: pair.tourId }),
      ],
    });
  });

  test("is found behind the first thousand records too", async () => {
    await makeUser({ email: "gwen@example.test" });
    const users = Array.from({ length: 1_501 }, (_, index) => user(index));
    users[1_500] = user(1_500, { email: "gwen@example.test" });
    expect(await refusal({ users })).toEqual(["users[1500].email: is taken by another user"]);
  });

  test("can be referred to", async () => {
    const gwen = await makeUser();
    const walk = await makeTour();
    await makeBooking(gwen, walk);
    const refs = { userId: gwen._id.toString(), tourId: walk._id.toString() };
    await importData({
      tours: [tour(0, { createdById: refs.userId })],
      bookings: [booking(0, refs)],
      reviews: [review(0, refs)],
    });
    expect(await Booking.countDocuments()).toBe(2);
    expect(await Tour.countDocuments()).toBe(2);
  });

  test("a review's tour is no user, and its user no tour", async () => {
    await importData({ users: [user(0)], tours: [tour(0)] });
    const swapped = review(0, { userId: id("b", 0), tourId: id("a", 0) });
    expect(await refusal({ reviews: [swapped] })).toEqual([
      `reviews[0].userId: there is no user ${id("b", 0)}`,
      `reviews[0].tourId: there is no tour ${id("a", 0)}`,
    ]);
  });
});

// The embedded server takes about a millisecond for each record.
test(
  "20,000 reviews come in batches, with progress up to the end",
  { timeout: 120_000 },
  async () => {
    const users = Array.from({ length: 200 }, (_, index) => user(index));
    const tours = Array.from({ length: 100 }, (_, index) => tour(index));
    const reviews = Array.from({ length: 20_000 }, (_, index) =>
      review(index, {
        userId: id("a", index % 200),
        tourId: id("b", Math.floor(index / 200)),
        rating: 1 + (index % 5),
      }),
    );
    const progress: [number, number][] = [];
    await importData({ users, tours, reviews }, (done, total) => progress.push([done, total]));

    expect(await Review.estimatedDocumentCount()).toBe(20_000);
    const [first] = await Tour.find().lean();
    expect(first).toMatchObject({
      avgRating: 3,
      reviewCount: 200,
      ratingCounts: { "1": 40, "2": 40, "3": 40, "4": 40, "5": 40 },
    });
    expect(await checkRatings()).toEqual([]);

    const total = 200 + 100 + 20_000 + 100;
    expect(new Set(progress.map(([, of]) => of))).toEqual(new Set([total]));
    expect(progress.at(-1)).toEqual([total, total]);
    const steps = progress.map(([done], index) => done - (progress[index - 1]?.[0] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
  },
);
