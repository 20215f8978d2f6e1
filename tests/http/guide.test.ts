import mongoose, { Types } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { Booking } from "../../models/booking";
import { Notification } from "../../models/notification";
import type { TourDocument } from "../../models/tour";
import { User, type UserDocument } from "../../models/user";
import { guideOverview } from "~/services/tours/guide-overview.server";
import { unsubscribeUrl } from "~/services/notifications/settings.server";
import { call, logIn, startApp, tokenOf, type Answer, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import { as, makeBooking, makeReview, makeTour, makeUser } from "../support/factories";

// What guides see of their tours, and what they can do there.

useDatabase();
let app: App;
beforeAll(async () => {
  app = await startApp(databaseUri());
});
afterAll(() => app.stop());

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(Date.now() - ms);

describe("the overview", () => {
  const NOW = new Date("2026-05-15T12:00:00.000Z");
  const AT_NOW = { clock: () => NOW };
  const before = (ms: number) => new Date(NOW.getTime() - ms);

  it("of a user without tours is empty", async () => {
    const empty = { tours: [], reviews: [], departures: [] };
    expect(await guideOverview(as(await makeUser()), AT_NOW)).toEqual(empty);
    expect(await guideOverview({ id: "nope" }, AT_NOW)).toEqual(empty);
  });

  it("has the own tours by title, with mean and count of all time", async () => {
    const guide = await makeUser();
    const b = await makeTour({ createdById: guide._id, title: "B" });
    const a = await makeTour({ createdById: guide._id, title: "A" });
    await makeTour();
    await makeReview(await makeUser(), b, { rating: 5, createdAt: before(1_000 * DAY) });
    await makeReview(await makeUser(), b, { rating: 2, createdAt: NOW });
    const { tours } = await guideOverview(as(guide), AT_NOW);
    expect(tours).toMatchObject([
      { id: a._id.toString(), title: "A", avgRating: 0, reviewCount: 0 },
      { id: b._id.toString(), title: "B", slug: b.slug, avgRating: 3.5, reviewCount: 2 },
    ]);
  });

  it("has twelve months of ratings, each from its first to its last moment", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id });
    for (const [rating, at] of [
      [1, "2025-05-31T23:59:59.999Z"],
      [5, "2025-06-01T00:00:00.000Z"],
      [4, "2025-06-30T23:59:59.999Z"],
      [3, "2026-01-01T00:00:00.000Z"],
      [2, "2026-05-15T11:00:00.000Z"],
    ] as const)
      await makeReview(await makeUser(), tour, { rating, createdAt: new Date(at) });
    const { months } = (await guideOverview(as(guide), AT_NOW)).tours[0]!;
    expect(months.map(({ month }) => month)).toEqual([
      ...["2025-06", "2025-07", "2025-08", "2025-09", "2025-10", "2025-11", "2025-12"],
      ...["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"],
    ]);
    expect(months.filter(({ count }) => count > 0)).toEqual([
      { month: "2025-06", count: 2, mean: 4.5 },
      { month: "2026-01", count: 1, mean: 3 },
      { month: "2026-05", count: 1, mean: 2 },
    ]);
    expect(months[1]).toEqual({ month: "2025-07", count: 0, mean: null });
  });

  it("has the twenty newest reviews of all own tours, with author and tour", async () => {
    const guide = await makeUser();
    const [a, b, foreign] = [
      await makeTour({ createdById: guide._id, title: "A" }),
      await makeTour({ createdById: guide._id, title: "B" }),
      await makeTour(),
    ];
    const ann = await makeUser({ name: "Ann" });
    await makeReview(ann, foreign, { createdAt: NOW });
    await makeReview(ann, a, { createdAt: NOW, rating: 2, comment: "Newest" });
    await makeReview({ _id: new Types.ObjectId() }, b, { createdAt: before(1), comment: "Second" });
    for (let n = 0; n < 20; n++)
      await makeReview(await makeUser(), n % 2 ? a : b, { createdAt: before(DAY + n) });
    const { reviews } = await guideOverview(as(guide), AT_NOW);
    expect(reviews).toHaveLength(20);
    expect(reviews.slice(0, 2)).toMatchObject([
      { comment: "Newest", rating: 2, user: { name: "Ann" }, tour: { title: "A", slug: a.slug } },
      { comment: "Second", user: { name: "" }, tour: { title: "B" } },
    ]);
    const times = reviews.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("has departures: to be completed, then to come, then those of the last 30 days", async () => {
    const guide = await makeUser();
    const tour = await makeTour({ createdById: guide._id, date: before(-DAY) });
    const undated = await makeTour({ createdById: guide._id });
    const ann = await makeUser({ name: "Ann", image: "https://example.test/ann.png" });
    const book = (of: TourDocument, date: Date | null, status: string, user = ann) =>
      makeBooking(user, of, { date, status });
    await book(tour, before(31 * DAY), "COMPLETED");
    await book(tour, before(20 * DAY), "COMPLETED");
    await book(tour, before(10 * DAY), "CANCELLED");
    await book(tour, before(2 * HOUR), "CONFIRMED");
    await book(tour, before(2 * HOUR), "PENDING", await makeUser({ name: "Bob" }));
    await book(tour, before(0), "CONFIRMED");
    await book(tour, before(-5 * DAY), "CONFIRMED");
    await book(tour, before(-DAY), "CONFIRMED");
    await book(tour, null, "PENDING", { _id: new Types.ObjectId() } as UserDocument);
    await book(undated, null, "CONFIRMED");
    await book(await makeTour(), before(HOUR), "CONFIRMED");

    const { departures } = await guideOverview(as(guide), AT_NOW);
    expect(
      departures.map(({ tour: { id }, date, state }) => [
        id === undated._id.toString() ? "undated" : "tour",
        date,
        state,
      ]),
    ).toEqual([
      ["undated", null, "open"],
      ["tour", before(2 * HOUR).toISOString(), "open"],
      ["tour", NOW.toISOString(), "open"],
      ["tour", before(-DAY).toISOString(), "upcoming"],
      ["tour", before(-5 * DAY).toISOString(), "upcoming"],
      ["tour", before(10 * DAY).toISOString(), "past"],
      ["tour", before(20 * DAY).toISOString(), "past"],
    ]);
    const guests = departures.map(({ bookings }) =>
      bookings.map(({ explorer, status }) => `${explorer.name} ${status}`).sort(),
    );
    expect(guests[1]).toEqual(["Ann CONFIRMED", "Bob PENDING"]);
    // A booking without a date is one of the tour's own; its explorer's account is gone.
    expect(guests[3]).toEqual([" PENDING", "Ann CONFIRMED"]);
    expect(departures[0]!.bookings[0]!.explorer.image).toBe(ann.image);
  });

  it("costs the same few queries however much there is", async () => {
    const guide = await makeUser();
    const queries = async () => {
      const sent: string[] = [];
      const count = ({ commandName }: { commandName: string }) => void sent.push(commandName);
      mongoose.connection.getClient().on("commandStarted", count);
      await guideOverview(as(guide), AT_NOW);
      mongoose.connection.getClient().off("commandStarted", count);
      return sent.sort();
    };
    const fill = async () => {
      const tour = await makeTour({ createdById: guide._id });
      for (let n = 0; n < 3; n++) {
        const user = await makeUser();
        await makeReview(user, tour, { createdAt: before(n) });
        await makeBooking(user, tour, { date: before(n * HOUR) });
      }
    };
    await fill();
    const few = await queries();
    expect(few).toEqual(["aggregate", "find", "find", "find", "find"]);
    for (let n = 0; n < 5; n++) await fill();
    expect(await queries()).toEqual(few);
  });
});

/** A guide who is logged in, with a departure that began two hours ago. */
async function scene() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id, title: "Old Town Walk" });
  const date = ago(2 * HOUR);
  const explorer = await makeUser({ name: "Ann Explorer" });
  await makeBooking(explorer, tour, { date, status: "CONFIRMED" });
  const cookie = await logIn(app, guide.email);
  const form = { intent: "complete", tourId: tour._id.toString(), date: date.toISOString() };
  return { guide, tour, date, explorer, cookie, form };
}
const post = (path: string, form: Record<string, string>, cookie?: string) =>
  call(app, "POST", path, { raw: new URLSearchParams(form), cookie });
const get = (path: string, cookie?: string) => call(app, "GET", path, { cookie });
const statuses = async () => (await Booking.find().lean()).map(({ status }) => status);
const title = ({ text }: Answer) => /<title>([^<]*)<\/title>/.exec(text)?.[1];
/** The words of a page without the markup, and without what React puts between them. */
const words = ({ text }: Answer) =>
  text
    .replace(/<script.*?<\/script>/gs, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, "\n");

describe("/guide", () => {
  it("shows tours with their rating over time, departures and newest reviews", async () => {
    const { tour, cookie } = await scene();
    await makeReview(await makeUser({ name: "Bob" }), tour, { rating: 3, comment: "Rather long" });
    const page = await get("/guide", cookie);
    expect(page.status).toBe(200);
    expect(title(page)).toBe("My tours · Tour Reviews");
    for (const expected of ["Old Town Walk", "Ann Explorer", "1 confirmed", "Rather long", "Bob"])
      expect(words(page)).toContain(expected);
    const [chart] = /<svg[^>]* role="img".*?<\/svg>/s.exec(page.text)!;
    const named = /aria-labelledby="(\S+) (\S+)"/.exec(chart)!;
    expect(chart).toContain(`<title id="${named[1]}">Rating of Old Town Walk`);
    expect(chart).toContain(`<desc id="${named[2]}">3.0 out of 5 in `);
    expect(chart).not.toContain("style=");
    expect(page.text).toMatch(/<table><caption>Rating of .*<td>3\.0 out of 5<\/td><td>1 review/s);
  });

  it("of somebody without tours says what it is for", async () => {
    const page = await get("/guide", await logIn(app, (await makeUser()).email));
    expect(page.status).toBe(200);
    expect(words(page)).toContain("You do not lead a tour yet.");
  });

  test.each(["/guide", "/guide/mail"])("%s asks for a log-in first", async (path) => {
    const { form } = await scene();
    for (const answer of [await get(path), await post(path, { ...form, reviewMails: "none" })]) {
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe(`/login?redirectTo=${encodeURIComponent(path)}`);
    }
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });
});

describe("marking a departure as completed", () => {
  it("is told once, and lets its explorer review the tour", async () => {
    const { tour, explorer, cookie, form } = await scene();
    const token = await tokenOf(explorer);
    const review = () =>
      call(app, "POST", "/api/reviews", {
        token,
        body: { tourId: tour._id.toString(), rating: 5 },
      });
    expect((await review()).status).toBe(400);

    const answer = await post("/guide", form, cookie);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/guide#departures");
    expect(await statuses()).toEqual(["COMPLETED"]);
    const page = await get("/guide", cookie);
    expect(words(page)).toContain("Marked as completed. One explorer can now write a review.");
    expect(words(page)).not.toContain("To be completed");
    expect(words(await get("/guide", cookie))).not.toContain("Marked as completed");
    expect((await review()).status).toBe(201);
  });

  it("twice is harmless", async () => {
    const { cookie, form } = await scene();
    const answers = await Promise.all([1, 2].map(() => post("/guide", form, cookie)));
    expect(answers.map(({ status }) => status)).toEqual([302, 302]);
    expect((await post("/guide", form, cookie)).status).toBe(302);
    expect(words(await get("/guide", cookie))).toContain("This departure was already completed.");
    expect(await statuses()).toEqual(["COMPLETED"]);
  });

  test.each([
    ["another guide's", 403, "You can only complete departures of your own tours", {}],
    ["an unknown tour's", 404, "Tour not found", { tourId: "nope" }],
    ["one at another date", 404, "Departure not found", { date: "2020-01-01T00:00:00.000Z" }],
    ["one at no date", 404, "Departure not found", { date: "" }],
  ])("%s: %i on the page, and nothing changes", async (whose, status, text, change) => {
    const { cookie, form, explorer } = await scene();
    const sender = whose === "another guide's" ? await logIn(app, explorer.email) : cookie;
    const page = await post("/guide", { ...form, ...change }, sender);
    expect(page.status).toBe(status);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.text).toMatch(new RegExp(`role="alert".*${text}`, "s"));
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("before it begins is refused", async () => {
    const { tour, explorer, cookie, form } = await scene();
    const date = ago(-HOUR);
    await makeBooking(explorer, tour, { date, status: "CONFIRMED" });
    const page = await post("/guide", { ...form, date: date.toISOString() }, cookie);
    expect(page.status).toBe(400);
    expect(words(page)).toContain("This departure has not begun yet");
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED"]);
  });

  it("needs the intent to do so", async () => {
    const { cookie, form } = await scene();
    expect((await post("/guide", { ...form, intent: "delete" }, cookie)).status).toBe(400);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("happens by itself 24 hours after its date, in the served app", async () => {
    const { tour, explorer } = await scene();
    await Booking.deleteMany({});
    await makeBooking(explorer, tour, { date: ago(DAY), status: "CONFIRMED" });
    await makeBooking(explorer, tour, { date: ago(DAY - HOUR), status: "CONFIRMED" });
    const other = await startApp(databaseUri());
    while (!(await statuses()).includes("COMPLETED")) await new Promise((r) => setTimeout(r, 20));
    expect(await statuses()).toEqual(["COMPLETED", "CONFIRMED"]);
    expect(await other.stop()).toBe(0);
  });
});

const settingOf = async ({ _id }: UserDocument) => (await User.findById(_id).lean())!.reviewMails;
/** The value of the radio that is chosen. */
const chosen = ({ text }: Answer) =>
  [...text.matchAll(/<input type="radio"[^>]*>/g)]
    .filter(([input]) => input.includes(" checked"))
    .map(([input]) => /value="(\w+)"/.exec(input)![1]);

describe("/guide/mail", () => {
  it("shows each review chosen until something else is saved", async () => {
    const { guide, cookie } = await scene();
    const page = await get("/guide/mail", cookie);
    expect(title(page)).toBe("E-mail settings · Tour Reviews");
    expect(chosen(page)).toEqual(["each"]);
    for (const reviewMails of ["daily", "none", "each"]) {
      const answer = await post("/guide/mail", { reviewMails }, cookie);
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe("/guide/mail");
      expect(await settingOf(guide)).toBe(reviewMails);
      const saved = await get("/guide/mail", cookie);
      expect(chosen(saved)).toEqual([reviewMails]);
      expect(words(saved)).toContain("Your e-mail settings are saved.");
    }
    expect(words(await get("/guide/mail", cookie))).not.toContain("are saved");
  });

  test.each(["", "weekly", "<b>"])("refuses %j with an error at the field", async (reviewMails) => {
    const { guide, cookie } = await scene();
    const page = await post("/guide/mail", { reviewMails }, cookie);
    expect(page.status).toBe(400);
    expect(page.text).toMatch(/role="alert".*<a href="#reviewMails">Choose which e-mails/s);
    expect(page.text).toContain('aria-describedby="reviewMails-error"');
    expect(page.text).toContain('id="reviewMails"');
    expect(chosen(page)).toEqual([]);
    expect(await settingOf(guide)).toBeUndefined();
  });
});

describe("/unsubscribe", () => {
  const pathOf = ({ _id }: { _id: Types.ObjectId }) => new URL(unsubscribeUrl(_id)).pathname;
  const ONE_CLICK = { "List-Unsubscribe": "One-Click" };
  /** The token's key comes from the session secret, which the app and this process must share. */
  let guide: UserDocument;
  beforeEach(async () => {
    guide = await makeUser({ reviewMails: "daily" });
  });

  it("needs no log-in, and reading it changes nothing", async () => {
    for (const method of ["GET", "HEAD"]) {
      const page = await call(app, method, pathOf(guide));
      expect(page.status).toBe(200);
      if (method === "HEAD") continue;
      expect(title(page)).toBe("E-mails about your tours · Tour Reviews");
      expect(words(page)).toContain("You get one e-mail a day");
      expect(page.text).toContain('name="List-Unsubscribe" value="One-Click"');
    }
    expect(await settingOf(guide)).toBe("daily");
  });

  it("stops the mails with one click of a mail program, and drops what waits", async () => {
    const times = { createdAt: ago(HOUR), dueAt: ago(-HOUR) };
    const waiting = {
      _id: new Types.ObjectId(),
      guideId: guide._id,
      explorerId: guide._id,
      digest: true,
      ...times,
    };
    await Notification.create({ ...waiting, state: "pending", inputs: {} });
    // As mail programs send it: no cookie, no Origin.
    for (let click = 0; click < 2; click++) {
      const page = await post(pathOf(guide), ONE_CLICK);
      expect(page.status).toBe(200);
      expect(words(page)).toContain("You are unsubscribed.");
      expect(words(page)).toContain("You get no e-mails");
      expect(await settingOf(guide)).toBe("none");
    }
    expect(await Notification.countDocuments()).toBe(0);
    expect((await get(pathOf(guide))).text).not.toContain("One-Click");
  });

  it("takes the click as multipart/form-data too", async () => {
    const raw = new FormData();
    raw.set("List-Unsubscribe", "One-Click");
    expect((await call(app, "POST", pathOf(guide), { raw })).status).toBe(200);
    expect(await settingOf(guide)).toBe("none");
  });

  it("does nothing for a post that is no click", async () => {
    for (const form of [{}, { "List-Unsubscribe": "no" }] as Record<string, string>[])
      expect((await post(pathOf(guide), form)).status).toBe(400);
    expect(await settingOf(guide)).toBe("daily");
  });

  it("has a page of 404 for a forged token", async () => {
    const path = pathOf(guide);
    const other = pathOf(await makeUser());
    for (const forged of [
      path.slice(0, -1),
      `${path}A`,
      `/unsubscribe/${guide._id.toString()}`,
      other.slice(0, -43) + path.slice(-43),
      "/unsubscribe/nope",
    ])
      for (const answer of [await get(forged), await post(forged, ONE_CLICK)]) {
        expect(answer.status).toBe(404);
        expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
      }
    expect(await settingOf(guide)).toBe("daily");
  });

  it("is gone with the account", async () => {
    await User.deleteOne({ _id: guide._id });
    expect((await get(pathOf(guide))).status).toBe(404);
    expect((await post(pathOf(guide), ONE_CLICK)).status).toBe(404);
  });
});

describe("/dev/mail", () => {
  it("shows a captured mail as HTML in a frame that can do nothing, and as text", async () => {
    const { tour, explorer } = await scene();
    await Booking.updateMany({}, { $set: { status: "COMPLETED" } });
    const body = { tourId: tour._id.toString(), rating: 5, comment: "One <b>of</b>\na kind" };
    const token = await tokenOf(explorer);
    expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
    while (!(await Notification.exists({ state: "kept" })))
      await new Promise((resolve) => setTimeout(resolve, 20));

    const list = await get("/dev/mail");
    expect(list.status).toBe(200);
    expect(words(list)).toContain("New 5-star review of Old Town Walk");
    const page = await get(/ href="(\/dev\/mail\?mail=\w+)#preview"/.exec(list.text)![1]!);
    expect(words(page)).toContain("&gt; One &lt;b&gt;of&lt;/b&gt;\n&gt; a kind");
    const [frame] = /<iframe[^>]*>/.exec(page.text)!;
    expect(frame).not.toMatch(/allow-(scripts|same-origin|forms)/);
    const mail = await get(/ src="([^"]*)"/.exec(frame)![1]!);
    expect(mail.text).toContain("One &lt;b&gt;of&lt;/b&gt;");
    expect(mail.headers.get("content-security-policy")).toMatch(/default-src 'none'.*; sandbox/);
  });
});
