import { afterAll, beforeAll, expect, test } from "vitest";
import { Notification } from "#models/notification";
import { type App, call, sessionOf, startApp, tokenOf } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { makeBookedExplorer, makeTour, makeUser } from "../support/factories";

// A site whose own zone is not UTC (docs/rules/tours.md, Times). What pages say of tours of other zones:
// tests/browser/times.spec.ts

useDatabase();

let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri(), { TIME_ZONE: "America/New_York" });
});
afterAll(() => app.stop());

/** The texts of the page's elements of a time. */
async function timesOn(path: string, cookie?: string): Promise<string[]> {
  const { text } = await call(app, "GET", path, { cookie });
  return [...text.matchAll(/<time[^>]*>([^<]*)</g)].map(([, words]) =>
    words!.replaceAll("\u00A0", " "),
  );
}

const WHOLE = { Mon: "Monday", Tue: "Tuesday", Nov: "November", Dec: "December" };

/** As the card beside the text has a departure, and as the facts have it. */
const inBothForms = (weekday: string, day: string, time: string) => {
  const short = `${weekday} ${day} 2099, ${time}`;
  const whole = short.replace(/Mon|Tue|Nov|Dec/g, (word) => WHOLE[word as keyof typeof WHOLE]);
  return [short, whole];
};

test.each([
  ["of the site", null, "Mon", "30 Nov", "17:30"],
  ["of the site, by name", "America/New_York", "Mon", "30 Nov", "17:30"],
  ["that does not exist", "Mars/Base", "Mon", "30 Nov", "17:30"],
  ["of Tokyo", "Asia/Tokyo", "Tue", "1 Dec", "07:30, Tokyo time"],
  ["UTC", "UTC", "Mon", "30 Nov", "22:30 UTC"],
])("a tour of the zone %s", async (_, timeZone, weekday, day, time) => {
  const tour = await makeTour({ date: new Date("2099-11-30T22:30:00Z"), timeZone });
  expect(await timesOn(`/tours/${tour.slug}`)).toEqual(inBothForms(weekday, day, time));
});

test("of several departures, the first one names the zone", async () => {
  const dates = ["2099-11-30T22:30:00Z", "2099-12-01T22:30:00Z"].map((date) => new Date(date));
  const tour = await makeTour({ dates, timeZone: "Asia/Tokyo" });
  expect(await timesOn(`/tours/${tour.slug}`)).toEqual([
    "Tue 1 Dec 2099, 07:30, Tokyo time",
    "Tuesday 1 December 2099, 07:30, Tokyo time",
    "Wednesday 2 December 2099, 07:30",
  ]);
});

test("midnight in UTC is a time like any other, because the operator has named a zone", async () => {
  const tour = await makeTour({ date: new Date("2099-12-01T00:00:00Z") });
  expect(await timesOn(`/tours/${tour.slug}`)).toEqual(inBothForms("Mon", "30 Nov", "19:00"));
});

test("the log names a zone that does not exist once", async () => {
  for (let n = 0; n < 3; n++) {
    const { slug } = await makeTour({ timeZone: "Saturn/Base" });
    await call(app, "GET", `/tours/${slug}`);
  }
  expect(app.log().match(/"timeZone":"Saturn\/Base"/g)).toHaveLength(1);
});

test("the daily e-mail is due at 07:00 of the site's zone, and its setting says so", async () => {
  const guide = await makeUser({ reviewMails: "daily" });
  const tour = await makeTour({ createdById: guide._id, timeZone: "Asia/Tokyo" });
  const token = await tokenOf(await makeBookedExplorer(tour));
  const body = { tourId: tour._id.toString(), rating: 4 };
  expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
  const { dueAt } = (await Notification.findOne({ kind: "digest" }).lean())!;
  const format = { timeZone: "America/New_York", timeStyle: "medium", hourCycle: "h23" } as const;
  expect(new Intl.DateTimeFormat("en-GB", format).format(dueAt)).toBe("07:00:00");

  const { text } = await call(app, "GET", "/guide/mail", { cookie: await sessionOf(guide) });
  expect(text).toContain("One e-mail at 07:00, New York time, with all reviews since the last one");
});

test("other times say whose they are", async () => {
  const cookie = await sessionOf(await makeUser());
  const [lastUse] = await timesOn("/me/sessions", cookie);
  expect(lastUse).toMatch(/^\d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d, New York time$/);
});
