import { beforeAll, expect, test } from "vitest";
import type { UserDocument } from "#models/user";
import { call, sessionOf, tokenOf } from "../support/app";
import { makeBooking, makeReply, makeReview, makeTour, makeUser } from "../support/factories";
import { allToursListed, app, useApp } from "../support/shared-app";

// Days and times at both ends of the calendar, of which the next or the former one is in no year that a database has to
// take (docs/rules/requests.md, Bodies and ids).

useApp({ emptied: "once" });

const FIRST = new Date("0001-01-01T00:00:00.000Z");
const LAST = new Date("9999-12-31T23:59:59.999Z");

const get = (path: string, who: Parameters<typeof call>[3] = {}) => call(app, "GET", path, who);

const titles = async (path: string) => {
  await allToursListed();
  const { status, text } = await get(path);
  expect([path, status]).toEqual([path, 200]);
  return [...text.matchAll(/<h2>.*?<bdi>([^<]*)<\/bdi>/gs)].map(([, title]) => title);
};

let people: UserDocument[] = [];
let ids: string[] = [];
let slugs: string[] = [];

beforeAll(async () => {
  const [guide, explorer] = [await makeUser(), await makeUser()];
  const tours = [];
  for (const [title, date] of [
    ["First", FIRST],
    ["Last", LAST],
  ] as const)
    for (const timeZone of [null, "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      const bookingUrl = "https://book.example/?day={date}";
      const fields = { createdById: guide._id, title, date, timeZone, bookingUrl };
      const tour = await makeTour({ ...fields, dates: [date] });
      const review = await makeReview(explorer, tour, { createdAt: date, comment: "Fine" });
      await makeReply(guide, review, { createdAt: date, editedAt: date });
      await makeBooking(explorer, tour, { date });
      await makeBooking(explorer, tour, { date, status: "CONFIRMED" });
      tours.push(tour);
    }
  ids = tours.map(({ _id }) => _id.toString());
  slugs = tours.map(({ slug }) => slug);
  people = [guide, explorer];
});

test.each([
  ["/?to=9999-12-31", ["First", "First", "First", "Last", "Last", "Last"]],
  ["/?from=0001-01-01", ["First", "First", "First", "Last", "Last", "Last"]],
  ["/?from=9999-12-31&to=9999-12-31", ["Last", "Last", "Last"]],
  ["/?from=0001-01-01&to=0001-01-01", ["First", "First", "First"]],
  ["/?from=0001-01-02&to=9999-12-30", []],
  ["/?q=31.12.9999", ["Last", "Last", "Last"]],
  ["/?q=9999-12-31", ["Last", "Last", "Last"]],
  // Not the years of our time that end alike.
  ["/?from=0026-01-01&to=0026-12-31", []],
])("%s finds the tours that leave then", async (path, found) => {
  expect((await titles(path)).sort()).toEqual(found);
});

test.each(["0000-01-01", "0000-12-31", "10000-01-01", "275760-09-13"])(
  "%s counts as no day",
  async (day) => {
    expect(await titles(`/?from=${day}&to=${day}`)).toHaveLength(6);
    expect((await get(`/?to=${day}`)).text).toContain("<span>no day</span>");
  },
);

test("every page and answer stands such departures, visits, reviews and cursors", async () => {
  const [id] = ids;
  const places = [FIRST, LAST].map((at) => `4_${at.getTime()}_${id}`);
  const beyond = [FIRST.getTime() - 1, LAST.getTime() + 1].map((time) => `4_${time}_${id}`);
  const open = slugs.flatMap((slug) => [
    ...["", "/reviews.atom", "/badge.svg", "/changes"].map((part) => `/tours/${slug}${part}`),
    ...[...places, ...beyond].map((place) => `/tours/${slug}?after=${place}`),
    `/embed/tours/${slug}`,
  ]);
  const asked = ids.flatMap((tour) => [
    ...["jsonld", "?at=0001-01-01", "?at=9999-12-31", "?at=9999-12-31T23:59:59.999Z"].map(
      (part) => `/api/tours/${tour}${part.replace(/^j/, "/j")}`,
    ),
    ...places.flatMap((after) =>
      ["", "&sort=lowest", "&rating=4", "&withText=true", "&q=fine"].map(
        (more) => `/api/reviews?tourId=${tour}&limit=1&after=${after}${more}`,
      ),
    ),
  ]);
  const others = ["/sitemap.xml", "/about/reviews.json", `/guides/${people[0]!._id.toString()}`];
  others.push(
    `/api/changes?after=9999999999999_${id}_1`,
    `/api/changes?after=0000000000000_${id}_1`,
  );
  const failed: string[] = [];
  const ask = async (path: string, who?: Parameters<typeof call>[3]) => {
    if ((await get(path, who)).status >= 500) failed.push(path);
  };
  for (const path of [...open, ...asked, ...others]) await ask(path);
  for (const user of people) {
    const [cookie, token] = [await sessionOf(user), await tokenOf(user)];
    for (const path of ["/me", "/guide", "/me/data.json", ...slugs.map((slug) => `/tours/${slug}`)])
      await ask(path, { cookie });
    for (const path of ["/api/me/reviews", "/api/me/tours-to-review"])
      for (const more of [
        "",
        ...places.map((place) => `?limit=1&after=${place.replace("4", "0")}`),
      ])
        await ask(path + more, { token });
  }
  expect(failed).toEqual([]);
});
