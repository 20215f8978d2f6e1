import { beforeAll, expect, test } from "vitest";
import { Booking } from "#models/booking";
import { call, sessionOf, type Answer } from "../support/app";
import { makeBooking, makeReview, makeTour } from "../support/factories";
import { makeWorld, type World } from "../support/world";
import { app, useApp } from "../support/shared-app";

// Numbers, dates, ids and cursors that none of our pages sends, in every parameter that takes one.

useApp({ emptied: "once" });
let world: World;
let author: string;
let guide: string;

beforeAll(async () => {
  world = await makeWorld();
  for (let n = 0; n < 3; n++) await makeReview(world.author, await makeTour(), { rating: 1 + n });
  await makeBooking(world.author, await makeTour());
  [author, guide] = [await sessionOf(world.author), await sessionOf(world.guide)];
});

// Which cursors name a place is in tests/db/cursor.unit.test.ts.
const MOMENTS = [
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "+275760-09-13T00:00:00.000Z",
] as const;
const ID = "f".repeat(24);

/** An answer that is made by us, and is no server error. */
function expectOurs(what: string, { status, text }: Answer): void {
  expect([what, status >= 500 ? status : "no fault"]).toEqual([what, "no fault"]);
  expect(text).not.toContain("Unexpected Server Error");
}

test.each(MOMENTS)("a cursor of %s causes no server error", async (moment) => {
  const { slug } = world.tour;
  const rated = ["0", "5", "3.5"].map((rating) => `${rating}_${Date.parse(moment)}_${ID}`);
  for (const after of rated)
    for (const query of [`after=${after}`, `after=${after}&sort=highest`, `after=${after}&stars=5`])
      for (const path of [`/tours/${slug}`, `/tours/${slug}/reviews`, `/tours/${slug}.data`])
        expectOurs(`${path}?${query}`, await call(app, "GET", `${path}?${query}`));
  for (const cursor of rated)
    for (const query of ["/me?written", "/me?waiting", "/me/account?tokens"])
      expectOurs(query, await call(app, "GET", `${query}=${cursor}`, { cookie: author }));
});

test.each([
  "-271821-04-20T00:00:00.000Z",
  "0000-06-01T00:00:00.000Z",
  "0001-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "+010000-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.000Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-14:00",
  "5/5/2026",
  "1e9",
  "NaN",
  "[]",
])("the guide has no departure at %s", async (date) => {
  const raw = new URLSearchParams({ intent: "complete", tourId: world.tour._id.toString(), date });
  const before = await Booking.find().lean();
  const answer = await call(app, "POST", "/guide", { cookie: guide, raw });
  expect(answer.status).toBe(404);
  expect(answer.text).toContain("Departure not found");
  expect(await Booking.find().lean()).toEqual(before);
});

const NUMBERS = [
  ..."-1 0 -0 1.5 1e9 1e400 -1e400 9007199254740993 0x10 NaN Infinity null".split(" "),
  ...["9".repeat(400), "", " 1", "1 ", "٣", "１", "[]", "%00", "%ff"],
];

test.each(NUMBERS)("the number %s causes no server error", async (number) => {
  const { slug } = world.tour;
  const public_ = [
    `/?page=${number}`,
    `/?q=tour&page=${number}`,
    `/tours/${slug}?rating=${number}`,
    `/tours/${slug}?stars=${number}`,
    `/tours/${slug}/reviews?stars=${number}`,
    `/tours/${slug}?comments=${number}`,
    `/guides/${world.guide._id.toString()}?page=${number}`,
    `/sitemap/${number}.xml`,
    `/errors/${number}`,
    `/dev/mail?mail=${number}`,
  ];
  for (const path of public_) {
    const answer = await call(app, "GET", path);
    // The page of an error has the error's status.
    if (path !== "/errors/503") expectOurs(path, answer);
  }
  const lists = ["tours", "open", "upcoming", "past", "all", "tour", "stars", "after"].map(
    (list) => `${list}=${number}`,
  );
  const path = `/guide?${lists.join("&")}`;
  expectOurs(path, await call(app, "GET", path, { cookie: guide }));
  const raw = new URLSearchParams({ rating: decodeURIComponent(number.replace("%ff", "")) });
  const review = `/reviews/${world.review._id.toString()}/edit`;
  expectOurs(review, await call(app, "POST", review, { cookie: author, raw }));
});
