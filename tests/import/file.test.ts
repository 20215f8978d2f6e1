import { describe, expect, test } from "vitest";
import { importData } from "~/import/import.server";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { useDatabase } from "../support/database";
import { makeUser } from "../support/factories";
import {
  id,
  useGuide,
  user,
  tour,
  booking,
  review,
  refusal,
  stored,
} from "../support/import-records";

useDatabase();
useGuide();
const ID = "must be an id of 24 hex digits";
const RATING = "must be an integer from 1 to 5";
const DATE = "must be a date such as 2026-05-01T09:30:00Z";
const YEARS = "must be a date of the years 1 to 9999 in UTC";
const MINUTES = "must be a number from 1 to 1000000";
const HTTPS = "must be an address with https";
const CURRENCY = "must be the three letters of a currency, such as EUR";
const PLACE = "must be a string, or an object with text, lat and lng";
const JPEG = "https://x.test/a.jpg";
const NO_FILE = "must be an address with https, or a file in the folder of --images";
const LATITUDE = "must be a number from -90 to 90";
const UNICODE = "must not hold a zero character or half a surrogate pair";
const atMost = (length: number) => `must be at most ${length} characters`;
const nobody = "f".repeat(24);

describe("a bad record stops everything before anything is written", () => {
  const bad: [string, string, object, string][] = [
    ["users", "id", { id: "123" }, ID],
    ["users", "name", { name: undefined }, "must be a string"],
    ["users", "email", { email: "nobody" }, "must be an e-mail address"],
    ["users", "email", { email: "ann@exam\u200bple.test" }, "must be an e-mail address"],
    ["users", "email", { email: { $ne: null } }, "must be a string"],
    ["users", "password", { password: "nine char" }, "must be at least 10 characters"],
    // Nine characters as they are hashed.
    ["users", "password", { password: "u\u0308".repeat(9) }, "must be at least 10 characters"],
    ["tours", "title", { title: " " }, "must not be empty"],
    ["tours", "slug", { slug: "old/town" }, "must not hold spaces, /, ? or #"],
    ["tours", "createdById", { createdById: nobody }, `there is no user ${nobody}`],
    ["tours", "date", { date: "soon" }, DATE],
    ["tours", "dates", { dates: "2026-05-01" }, "must be a list"],
    ["tours", "dates.1", { dates: ["2026-05-01", "soon"] }, DATE],
    ["tours", "dates", { dates: Array(1_001).fill("2026-05-01") }, "must have at most 1000 dates"],
    ["tours", "timeZone", { timeZone: 9 }, "must be a string"],
    ["tours", "durationMinutes", { durationMinutes: 0 }, MINUTES],
    ["users", "name", { name: "n".repeat(501) }, atMost(500)],
    ["users", "image", { image: `https://x.test/${"i".repeat(2_048)}` }, atMost(2_048)],
    ["users", "image", { image: "javascript:alert(1)" }, "must be an address with http or https"],
    ["users", "password", { password: "p".repeat(201) }, atMost(200)],
    ["tours", "title", { title: "t".repeat(20_000_000) }, atMost(500)],
    ["tours", "title", { title: "Old\0Town" }, UNICODE],
    ["tours", "slug", { slug: "old-\ud83e" }, UNICODE],
    ["tours", "description", { description: "d".repeat(50_001) }, atMost(50_000)],
    ["tours", "bookingUrl", { bookingUrl: "javascript:alert(1)" }, HTTPS],
    ["tours", "bookingUrl", { bookingUrl: "https://me:secret@x.test/" }, HTTPS],
    ["tours", "price", { price: "45" }, "must be a number from 0 to 1000000000"],
    ["tours", "currency", { currency: "euro" }, CURRENCY],
    ["tours", "meetingPoint", { meetingPoint: 7 }, PLACE],
    ["tours", "meetingPoint.text", { meetingPoint: " " }, "must not be empty"],
    ["tours", "meetingPoint", { meetingPoint: { lat: 1 } }, "must have a text, or lat and lng"],
    ["tours", "meetingPoint.lat", { meetingPoint: { lat: 91, lng: 1 } }, LATITUDE],
    ["tours", "groupSize", { groupSize: 2.5 }, "must be an integer from 1 to 100000"],
    ["tours", "minAge", { minAge: 121 }, "must be an integer from 0 to 120"],
    ["tours", "languages.1", { languages: ["en", "German"] }, "must be a language such as en"],
    ["tours", "included.0", { included: [""] }, "must not be empty"],
    ["tours", "included", { included: Array(51).fill("x") }, "must have at most 50 entries"],
    ["tours", "bring.0", { bring: [7] }, "must be a string"],
    ["tours", "images", { images: Array(21).fill(JPEG) }, "must have at most 20 entries"],
    ["tours", "images.0", { images: [7] }, "must be a string, or an object with url and alt"],
    ["tours", "images.1.url", { images: [JPEG, "http://x.test/a.jpg"] }, NO_FILE],
    ["tours", "images.0.url", { images: ["a.jpg"] }, NO_FILE],
    ["tours", "images.0.alt", { images: [{ url: JPEG, alt: "a".repeat(501) }] }, atMost(500)],
    ["bookings", "status", { status: "S".repeat(101) }, atMost(100)],
    ["reviews", "comment", { comment: "\0" }, UNICODE],
    ["bookings", "userId", { userId: nobody }, `there is no user ${nobody}`],
    ["bookings", "tourId", { tourId: nobody }, `there is no tour ${nobody}`],
    ["reviews", "userId", { userId: nobody }, `there is no user ${nobody}`],
    ["reviews", "tourId", { tourId: nobody }, `there is no tour ${nobody}`],
    ["reviews", "rating", { rating: 6 }, RATING],
    ["reviews", "rating", { rating: "5" }, RATING],
    ["reviews", "comment", { comment: 5 }, "must be a string"],
    ["reviews", "comment", { comment: "é".repeat(5_001) }, "must be at most 5000 characters"],
    ["reviews", "createdAt", { createdAt: "2026-02-30T10:00:00Z" }, DATE],
    ["reviews", "createdAt", { createdAt: "9999-12-30" }, "must not be in the future"],
    ["reviews", "userId", { userId: id("e", 0) }, "is the guide of this tour"],
    // What .NET writes for none, east of Greenwich.
    ["reviews", "createdAt", { createdAt: "0001-01-01T00:00:00+01:00" }, YEARS],
    ["bookings", "date", { date: "0000-12-31" }, YEARS],
    ["bookings", "date", { date: "9999-12-31T23:59:59-01:00" }, YEARS],
    ["bookings", "date", { date: "2026-02-30T10:00Z" }, DATE],
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
    expect(lines[99]).toBe("users[99].email: must be an e-mail address");
    expect(lines[100]).toBe("and 30 more, 130 in all");
  });

  test("those of shape and of references together, also of one record", async () => {
    await makeUser({ email: "taken@example.test" });
    expect(
      await refusal({
        users: [user(0), user(1, { name: 7, email: "Taken@example.test" })],
        tours: [tour(0, { title: 3, createdById: nobody })],
        bookings: [booking(0, { status: "", userId: nobody })],
        reviews: [review(0, { rating: 9, userId: nobody })],
      }),
    ).toEqual([
      "users[1].name: must be a string",
      "tours[0].title: must be a string",
      "bookings[0].status: must not be empty",
      `reviews[0].rating: ${RATING}`,
      "users[1].email: is taken by another user",
      `tours[0].createdById: there is no user ${nobody}`,
      `bookings[0].userId: there is no user ${nobody}`,
      `reviews[0].userId: there is no user ${nobody}`,
    ]);
  });

  test("a file that is no object", async () => {
    for (const file of [null, undefined, [], "{}", 3, true])
      expect((await refusal(file))[0]).toMatch(/^file: \S/);
  });

  test("an unknown list", async () => {
    expect(await refusal({ users: [user(0)], guides: [] })).toEqual(["file: unknown: guides"]);
    expect(await refusal(JSON.parse('{"__proto__": [], "constructor": []}'))).toEqual([
      "file: unknown: __proto__",
      "file: unknown: constructor",
    ]);
    expect(await refusal({ [`\u001b${"x".repeat(1_000)}`]: [] })).toEqual([
      `file: unknown:  ${"x".repeat(39)}`,
    ]);
  });
});

test("names and titles are stored as one line, and comments as they are", async () => {
  await importData({
    users: [user(0, { name: "Gwen\r\nGuide" })],
    tours: [
      tour(0, {
        title: "Old\u2028Town\n",
        location: "By the\u0085sea",
        description: "a\n\nb",
        meetingPoint: "At the\nwell",
        bring: ["A torch\r\nor a lamp"],
      }),
    ],
    bookings: [booking(0, { userId: id("a", 0) })],
    reviews: [review(0, { comment: "one\ntwo" })],
  });
  expect(await stored(User, id("a", 0))).toMatchObject({ name: "Gwen Guide" });
  expect(await stored(Tour, id("b", 0))).toMatchObject({
    title: "Old Town",
    location: "By the sea",
    description: "a\n\nb",
    meetingPoint: { text: "At the well" },
    bring: ["A torch or a lamp"],
  });
  expect(await stored(Review, id("d", 0))).toMatchObject({ comment: "one\ntwo" });
});
