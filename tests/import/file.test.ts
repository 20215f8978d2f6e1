import { describe, expect, test } from "vitest";
import { importData } from "~/import/import.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { makeReview, makeTour, makeUser, PASSWORD_HASH } from "../support/factories";
import {
  booking,
  id,
  refusal,
  review,
  stored,
  tour,
  useGuide,
  user,
} from "../support/import-records";

useDatabase();
useGuide();
const ID = "must be an id, a text of 1 to 255 characters in one line";
const RATING = "must be an integer from 1 to 5";
const DATE = "must be a date such as 2026-05-01T09:30:00Z";
const YEARS = "must be a date of the years 1 to 9999 in UTC";
const MINUTES = "must be a number from 1 to 1000000";
const HTTPS = "must be an address with https";
const CURRENCY = "must be the three letters of a currency, such as EUR";
const JPEG = "https://x.test/a.jpg";
const NO_FILE = "must be an address with https, or a file in the folder of --images";
const LATITUDE = "must be a number from -90 to 90";
const UNICODE = "must not hold a zero character or half a surrogate pair";
const COSTLY = "must be argon2 of at most m=131072, t=10, p=8 and m*t=262144";
const argon2 = (cost: string) => PASSWORD_HASH.replace("m=19456,t=2,p=1", cost);
const atMost = (length: number) => `must be at most ${length} characters`;
const nobody = "f".repeat(24);

describe("a bad record stops everything before anything is written", () => {
  const bad: [string, string, object, string][] = [
    ["users", "id", { id: "" }, ID],
    ["users", "id", { id: "1".repeat(256) }, ID],
    ["bookings", "tourId", { tourId: "a\nb" }, ID],
    ["users", "name", { name: undefined }, "must be a string"],
    ["users", "email", { email: "nobody" }, "must be an e-mail address"],
    ["users", "email", { email: { $ne: null } }, "must be a string"],
    // Nine characters as they are hashed.
    ["users", "password", { password: "u\u0308".repeat(9) }, "must be at least 10 characters"],
    // Hashes that a log-in would try for seconds.
    ["users", "passwordHash", { passwordHash: argon2("m=4194304,t=4,p=4") }, COSTLY],
    ["users", "passwordHash", { passwordHash: argon2("m=131080,t=1,p=1") }, COSTLY],
    ["users", "passwordHash", { passwordHash: argon2("m=65536,t=5,p=1") }, COSTLY],
    ["users", "passwordHash", { passwordHash: argon2("m=19456,t=11,p=1") }, COSTLY],
    ["users", "passwordHash", { passwordHash: argon2("m=19456,t=2,p=9") }, COSTLY],
    ["tours", "title", { title: " " }, "must not be empty"],
    ["tours", "slug", { slug: "old/town" }, "must not hold spaces, /, ? or #"],
    ["tours", "createdById", { createdById: nobody }, `there is no user ${nobody}`],
    ["tours", "date", { date: "soon" }, DATE],
    ["tours", "dates.1", { dates: ["2026-05-01", "soon"] }, DATE],
    ["tours", "dates", { dates: Array(1_001).fill("2026-05-01") }, "must have at most 1000 dates"],
    ["tours", "durationMinutes", { durationMinutes: 0 }, MINUTES],
    ["users", "image", { image: "javascript:alert(1)" }, "must be an address with http or https"],
    ["tours", "title", { title: "t".repeat(20_000_000) }, atMost(500)],
    ["tours", "title", { title: "Old\0Town" }, UNICODE],
    ["tours", "description", { description: "d".repeat(50_001) }, atMost(50_000)],
    ["tours", "bookingUrl", { bookingUrl: "https://me:secret@x.test/" }, HTTPS],
    ["tours", "price", { price: "45" }, "must be a number from 0 to 1000000000"],
    ["tours", "currency", { currency: "euro" }, CURRENCY],
    ["tours", "meetingPoint", { meetingPoint: { lat: 1 } }, "must have a text, or lat and lng"],
    ["tours", "meetingPoint.lat", { meetingPoint: { lat: 91, lng: 1 } }, LATITUDE],
    ["tours", "groupSize", { groupSize: 2.5 }, "must be an integer from 1 to 100000"],
    ["tours", "minAge", { minAge: 121 }, "must be an integer from 0 to 120"],
    ["tours", "languages.1", { languages: ["en", "German"] }, "must be a language such as en"],
    ["tours", "included.0", { included: [""] }, "must not be empty"],
    ["tours", "included", { included: Array(51).fill("x") }, "must have at most 50 entries"],
    ["tours", "images", { images: Array(21).fill(JPEG) }, "must have at most 20 entries"],
    ["tours", "images.1.url", { images: [JPEG, "http://x.test/a.jpg"] }, NO_FILE],
    ["tours", "images.0.alt", { images: [{ url: JPEG, alt: "a".repeat(501) }] }, atMost(500)],
    ["bookings", "userId", { userId: nobody }, `there is no user ${nobody}`],
    ["bookings", "tourId", { tourId: nobody }, `there is no tour ${nobody}`],
    ["reviews", "userId", { userId: nobody }, `there is no user ${nobody}`],
    ["reviews", "tourId", { tourId: nobody }, `there is no tour ${nobody}`],
    ["reviews", "rating", { rating: 6 }, RATING],
    ["reviews", "comment", { comment: "é".repeat(5_001) }, "must be at most 5000 characters"],
    ["reviews", "createdAt", { createdAt: "2026-02-30T10:00:00Z" }, DATE],
    ["reviews", "createdAt", { createdAt: "9999-12-30" }, "must not be in the future"],
    ["reviews", "userId", { userId: id("e", 0) }, "is the guide of this tour"],
    // .NET writes this for no date, east of Greenwich.
    ["reviews", "createdAt", { createdAt: "0001-01-01T00:00:00+01:00" }, YEARS],
    ["bookings", "date", { date: "9999-12-31T23:59:59-01:00" }, YEARS],
    ["bookings", "date", { date: "2026-05-01T09:30+24:00" }, DATE],
  ];

  const MAKERS = { users: user, tours: tour, bookings: booking, reviews: review };

  test.each(["users", "tours", "bookings", "reviews"] as const)("of %s", async (list) => {
    const rows = bad.filter(([of]) => of === list);
    const file: Record<string, object[]> = {
      users: Array.from({ length: 100 }, (_, n) => user(n)),
      tours: [tour(0)],
      bookings: [],
      reviews: [],
    };
    const first = file[list]!.length;
    file[list]!.push(...rows.map(([, , fields], n) => MAKERS[list](first + n, fields)));
    const lines = rows.map(([, field, , text], n) => `${list}[${first + n}].${field}: ${text}`);
    expect((await refusal(file)).sort()).toEqual(lines.sort());
  });

  test("all are named, up to a number that a person can read", async () => {
    const many = Array.from({ length: 130 }, (_, index) => user(index, { email: "no" }));
    const lines = await refusal({ users: many });
    expect(lines).toHaveLength(101);
    expect(lines[100]).toBe("and 30 more, 130 in all");
  });

  test("those of shape and of references together, also of one record", async () => {
    await makeUser({ email: "taken@example.test" });
    expect(
      await refusal({
        users: [user(0), user(1, { name: 7, email: "Taken@example.test" })],
        tours: [tour(0, { title: 3, createdById: nobody })],
      }),
    ).toEqual([
      "users[1].name: must be a string",
      "tours[0].title: must be a string",
      "users[1].email: is taken by another user",
      `tours[0].createdById: there is no user ${nobody}`,
    ]);
  });

  test("a file that is no object, or has an unknown list", async () => {
    for (const file of [null, [], "{}"]) expect((await refusal(file))[0]).toMatch(/^file: \S/);
    expect(await refusal(JSON.parse('{"__proto__": [], "guides": []}'))).toEqual([
      "file: unknown: __proto__",
      "file: unknown: guides",
    ]);
    expect(await refusal({ [`\u001b${"x".repeat(1_000)}`]: [] })).toEqual([
      `file: unknown:  ${"x".repeat(39)}`,
    ]);
  });
});

test("names and titles are stored as one line, and comments as they are", async () => {
  const place = { location: "By the\u0085sea", meetingPoint: "At the\nwell" };
  await importData({
    users: [user(0, { name: "Gwen\r\nGuide" })],
    tours: [tour(0, { title: "Old\u2028Town\n", description: "a\n\nb", ...place })],
    reviews: [review(0, { comment: "one\ntwo" })],
  });
  expect(await stored(User, id("a", 0))).toMatchObject({ name: "Gwen Guide" });
  expect(await stored(Tour, id("b", 0))).toMatchObject({
    title: "Old Town",
    location: "By the sea",
    description: "a\n\nb",
    meetingPoint: { text: "At the well" },
  });
  expect(await stored(Review, id("d", 0))).toMatchObject({ comment: "one\ntwo" });
});

test("Extended JSON is refused with the way to write plain JSON", async () => {
  const extended =
    "is MongoDB's Extended JSON: write ids and dates as plain text, as JSON.stringify does in mongosh";
  const $oid = id("a", 0);
  const { id: _, ...exported } = user(1, { _id: { $oid } });
  expect(
    await refusal({
      users: [user(0, { id: { $oid } }), exported],
      reviews: [review(0, { createdAt: { $date: "2026-05-01T09:30:00Z" }, rating: 9 })],
    }),
  ).toEqual(
    expect.arrayContaining([
      `users[0].id: ${extended}`,
      `users[1].id: ${extended}`,
      "reviews[0].rating: must be an integer from 1 to 5",
      `reviews[0].createdAt: ${extended}`,
    ]),
  );
});

describe("repeats in the file", () => {
  const good = { users: [user(0), user(1)], tours: [tour(0), tour(1)] };

  test("of an id, in any letters", async () => {
    expect(
      await refusal({ users: [user(0), user(1), user(2, { id: id("a", 0).toUpperCase() })] }),
    ).toEqual(["users[2].id: stands in the file twice"]);
    expect(await refusal({ ...good, reviews: [review(0), review(1, { id: id("d", 0) })] })).toEqual(
      ["reviews[1].id: stands in the file twice"],
    );
  });

  test("of a slug", async () => {
    expect(await refusal({ ...good, tours: [tour(0), tour(1, { slug: "tour-0" })] })).toEqual([
      "tours[1].slug: is taken by another tour",
    ]);
    // The same letters, taken apart.
    const slugs = ["caf\u00e9", "cafe\u0301"];
    expect(
      await refusal({ ...good, tours: slugs.map((slug, number) => tour(number, { slug })) }),
    ).toEqual(["tours[1].slug: is taken by another tour"]);
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
});

describe("what the database holds already", () => {
  test("a slug of another tour, in either form of Unicode", async () => {
    await makeTour({ slug: "caf\u00e9" });
    const decomposed = tour(0, { slug: "cafe\u0301" });
    expect(await refusal({ tours: [tour(1, { slug: "caf\u00e9" }), decomposed] })).toEqual(
      expect.arrayContaining([
        "tours[0].slug: is taken by another tour",
        "tours[1].slug: is taken by another tour",
      ]),
    );
    // A tour may change the form of its own.
    await Tour.updateOne({ slug: "caf\u00e9" }, { $set: { slug: "other" } });
    await importData({ tours: [decomposed] });
    await importData({ tours: [tour(0, { slug: "caf\u00e9" })] });
    // A platform that has both already can import each as it is.
    const twin = await makeTour({ slug: "cafe\u0301", title: "Twin" });
    await importData({ tours: [tour(0, { slug: "caf\u00e9", title: "New" })] });
    await importData({ tours: [tour(1, { id: twin._id.toString(), slug: twin.slug })] });
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
});
