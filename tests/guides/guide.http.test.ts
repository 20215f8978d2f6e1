import mongoose, { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { Booking } from "#models/booking";
import { Completion } from "#models/completion";
import { User } from "#models/user";
import { type Answer, call, logIn, sessionOf, shown, startApp, words } from "../support/app";
import { databaseUri } from "../support/database";
import { makeBooking, makeReview, makeTour, makeUser } from "../support/factories";
import { app, get, post, useApp } from "../support/shared-app";

useApp();
const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(Date.now() - ms);

/** A guide who is logged in, with a departure that began two hours ago. */
async function scene() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id, title: "Old Town Walk" });
  const date = ago(2 * HOUR);
  const explorer = await makeUser({ name: "Ann Explorer" });
  await makeBooking(explorer, tour, { date, status: "CONFIRMED" });
  // Not by the form, which looks for departures to complete, and keeps what it has found for some seconds.
  const cookie = await sessionOf(guide);
  const form = { intent: "complete", tourId: tour._id.toString(), date: date.toISOString() };
  return { guide, tour, date, explorer, cookie, form };
}

const statuses = async () => (await Booking.find().lean()).map(({ status }) => status);

describe("/guide", () => {
  it("continues behind plain links, each list independently", async () => {
    const { tour, explorer, cookie } = await scene();
    for (let days = 1; days <= 12; days++)
      await makeBooking(explorer, tour, { date: ago(-days * DAY), status: "PENDING" });
    const shownOn = async (path: string) => {
      const page = await get(path, cookie);
      const links = [...page.text.matchAll(/<a [^>]*href="(\/guide[?#][^"]*)"/g)];
      const count = page.text.match(/<summary><strong>/g)?.length;
      return { count, links: links.map(([, href]) => href!.replaceAll("&amp;", "&")) };
    };
    const first = await shownOn("/guide?past=3");
    expect(first.count).toBe(10);
    expect(first.links).toContain("/guide?past=3&upcoming=2#upcoming");
    const second = await shownOn("/guide?past=3&upcoming=2");
    expect(second.count).toBe(2);
    expect(second.links).toContain("/guide?past=3#upcoming");
    expect(words(await get("/guide?upcoming=2", cookie))).toContain("Departures to confirm");
  });

  it("has reviews by tour and by stars, each choice and each page at its address", async () => {
    const { guide, tour, cookie } = await scene();
    const other = await makeTour({ createdById: guide._id, title: "Harbour at Dawn" });
    const ids: string[] = [];
    for (let n = 0; n < 23; n++) {
      const { _id } = await makeReview(await makeUser(), n === 5 ? other : tour, {
        rating: n % 2 ? 3 : 5,
        createdAt: ago(n * HOUR),
      });
      ids.push(_id.toString());
    }
    const shown = async (address: string) => {
      const page = await get(address.split("#")[0]!, cookie);
      const reviews = [...page.text.matchAll(/href="\/reviews\/(\w+)">See the review/g)];
      const next =
        /href="([^"]*)" rel="next"/.exec(page.text) ??
        /rel="next" [^>]*href="([^"]*)"/.exec(page.text);
      return {
        page,
        reviews: reviews.map(([, id]) => id),
        next: next?.[1]!.replaceAll("&amp;", "&"),
      };
    };
    const first = await shown("/guide?past=2&sort=newest");
    expect(first.reviews).toEqual(ids.slice(0, 20));
    expect(first.next).toMatch(/^\/guide\?past=2&sort=newest&after=.*#reviews$/);
    const second = await shown(first.next!);
    expect(second.reviews).toEqual(ids.slice(20));
    expect(words(second.page)).not.toContain("Earlier reviews");

    const [id, otherId] = [tour._id.toString(), other._id.toString()];
    expect((await shown(`/guide?tour=${otherId}&stars=`)).reviews).toEqual([ids[5]]);
    const threes = await shown(`/guide?tour=${id}&stars=3&past=2`);
    expect(threes.reviews).toEqual(ids.filter((_, n) => n % 2 && n !== 5));
    expect(words(threes.page)).toContain("10 of 22 reviews");
    // The other lists stay where they are.
    expect(threes.page.text).toContain('<input type="hidden" name="past" value="2"/>');
    const selected = [...threes.page.text.matchAll(/<option value="(\w*)" selected/g)];
    expect(selected.map(([, value]) => value)).toEqual([id, "3", "unanswered"]);
    const none = await shown(`/guide?tour=${otherId}&stars=1`);
    expect(words(none.page)).toContain("There are no such reviews.");
    // One of somebody else's is none of theirs.
    const foreign = await makeTour();
    expect((await shown(`/guide?tour=${foreign._id.toString()}`)).reviews).toHaveLength(20);
  });

  it("leads back to itself from a reply, to no other page", async () => {
    const { tour, cookie } = await scene();
    const { _id } = await makeReview({ _id: new Types.ObjectId() }, tour, { rating: 2 });
    const id = _id.toString();
    const there = `/guide?stars=2&reply=${id}#review-${id}`;
    const back = `name="back" value="${there.replaceAll("&", "&amp;")}"`;
    expect((await get(`/guide?stars=2&reply=${id}`, cookie)).text).toContain(back);
    const send = async (fields: Record<string, string>) =>
      (await post(`/reviews/${id}/reply`, fields, cookie)).headers.get("location");
    const reply = { intent: "save", comment: "Sorry.", tag: "" };
    expect(await send({ ...reply, back: there })).toBe(there);
    const answered = await get(`/guide?stars=2&reply=${id}`, cookie);
    expect(words(answered)).toContain("Sorry.");
    const edit = `/reviews/${id}/reply?back=${encodeURIComponent(there)}`;
    expect(answered.text).toContain(`href="${edit}"`);
    expect((await get(edit, cookie)).text).toContain(back);
    const others = ["//other.example", "/guide.example", "/guides/1?x", "https://x.example/guide?"];
    for (const other of [...others, "/me"])
      expect(await send({ ...reply, back: other }), other).toBe(`/reviews/${id}#review-${id}`);
    const tag = /name="tag" value="([^"]+)"/.exec(answered.text)![1]!.replaceAll("&quot;", '"');
    expect(await send({ intent: "withdraw", tag, back: there })).toBe(there);
  });

  it("leads to the guide's public page, which names the departures to come, as cards do", async () => {
    const guide = await makeUser();
    const [coming, past] = [new Date("2098-11-30T22:30:00Z"), new Date("2020-11-30T22:30:00Z")];
    await makeTour({ createdById: guide._id, date: coming, timeZone: "Asia/Tokyo" });
    await makeTour({ createdById: guide._id, date: past });
    const address = `/guides/${guide._id.toString()}`;
    const own = await get("/guide", await sessionOf(guide));
    expect(own.text).toContain(`href="${address}"`);
    const { text } = await get(address);
    const departures = [...text.matchAll(/Next: <time [^>]*>(.*?)<\/time>/g)];
    expect(departures.map(([, words]) => words!.replaceAll("\u00A0", " "))).toEqual([
      "Mon 1 Dec 2098, 07:30, Tokyo time",
    ]);
  });

  it("explains to somebody without tours what it is for", async () => {
    const page = await get("/guide", await logIn(app, (await makeUser()).email));
    expect(page.status).toBe(200);
    expect(words(page)).toContain("You do not lead a tour yet.");
    expect(page.text).not.toContain('href="/guides/');
  });
});

describe("marking a departure as completed", () => {
  it("requires the intent", async () => {
    const { cookie, form } = await scene();
    expect((await post("/guide", { ...form, intent: "delete" }, cookie)).status).toBe(400);
    expect(await statuses()).toEqual(["CONFIRMED"]);
  });

  it("leaves out who did not come, and can be undone", async () => {
    const { tour, date, cookie, form } = await scene();
    for (const name of ["Bob", "Cid"])
      await makeBooking(await makeUser({ name }), tour, { date, status: "CONFIRMED" });
    const boxes = [...(await get("/guide", cookie)).text.matchAll(/<input type="checkbox"[^>]*>/g)];
    expect(boxes).toHaveLength(3);
    expect(boxes.filter(([box]) => box.includes("checked"))).toEqual([]);
    const [ann, bob] = await Booking.find().sort({ _id: 1 }).lean();
    const body = new URLSearchParams(form);
    for (const { _id } of [ann!, bob!]) body.append("absent", _id.toString());
    await call(app, "POST", "/guide", { cookie, raw: body });
    expect((await statuses()).sort()).toEqual(["COMPLETED", "NO_SHOW", "NO_SHOW"]);
    const page = await get("/guide", cookie);
    expect(words(page)).toContain("One explorer can now review it. 2 explorers did not come.");
    expect(words(page)).toContain("1\u00a0completed, 2\u00a0did not come");
    expect(words(await get("/guide", cookie))).not.toContain("can now review it");
    // At the head of the page, below the message.
    expect(page.text.indexOf('id="just-completed"')).toBeLessThan(
      page.text.indexOf('id="reviews"'),
    );

    const completion = /name="completion" value="(\w+)"/.exec(page.text)![1]!;
    const undo = () => post("/guide", { intent: "undo", completion }, cookie);
    expect((await undo()).status).toBe(302);
    expect(await statuses()).toEqual(["CONFIRMED", "CONFIRMED", "CONFIRMED"]);
    const after = await get("/guide", cookie);
    expect(words(after)).toContain("Departures to confirm");
    expect(words(after)).not.toContain("Just completed");
    await undo();
    expect(words(await get("/guide", cookie))).toContain("This was already undone.");
  });

  it("that is refused says why and keeps the ticks", async () => {
    const { tour, date, cookie, form } = await scene();
    await makeBooking(await makeUser(), tour, { date, status: "CONFIRMED" });
    const [, second] = await Booking.find().sort({ _id: 1 }).lean();
    const absent = second!._id.toString();
    const page = await post("/guide", { ...form, date: "", absent }, cookie);
    expect(page.status).toBe(404);
    expect(page.text).toMatch(/role="alert".*Departure not found/s);
    const ticked = [...page.text.matchAll(/<input type="checkbox"[^>]*>/g)]
      .filter(([box]) => box.includes("checked"))
      .map(([box]) => /value="(\w+)"/.exec(box)![1]);
    expect(ticked).toEqual([absent]);
  });

  it("names fifty explorers, and all of them at another address", async () => {
    const { tour, date, cookie } = await scene();
    const bookings = Array.from({ length: 500 }, () => ({
      userId: new mongoose.Types.ObjectId(),
      tourId: tour._id,
      date,
      status: "CONFIRMED",
    }));
    await Booking.insertMany(bookings);
    const boxes = ({ text }: Answer) => text.match(/<input type="checkbox"/g)?.length;
    // Kept for some seconds before the bookings came, unless it is another page.
    const page = await get("/guide?past=2", cookie);
    expect(boxes(page)).toBe(50);
    expect(words(page)).toContain("50 of 501 are named here.");
    const href = /href="([^"]*all=[^"]*)">Name all of them/.exec(page.text)![1]!;
    const whole = await get(href.replaceAll("&amp;", "&").split("#")[0]!, cookie);
    expect(boxes(whole)).toBe(501);
    expect(words(whole)).not.toContain("are named here");
    // Explorers whose accounts are gone have the same name.
    expect(shown(whole)).toContain("An explorer (500 of 500)");
  });

  it("happens automatically 24 hours after its date, in the served app", async () => {
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

describe("where the platform completes bookings", () => {
  it("shows no button and refuses the form", async () => {
    const { guide, tour, form } = await scene();
    const platform = await startApp(databaseUri(), { BOOKING_COMPLETION: "" });
    try {
      const cookie = await logIn(platform, guide.email);
      const page = await call(platform, "GET", "/guide", { cookie });
      expect(words(page)).toContain("Departures to confirm");
      expect(words(page)).toContain(
        "The platform where they booked marks departures as completed.",
      );
      expect(page.text).not.toContain("Mark as completed");
      expect(words(page)).not.toContain("24 hours");

      expect(page.text).not.toContain('type="checkbox"');

      // As if it had been done before the platform did so.
      const { _id: booking } = await Booking.findOne().orFail();
      const { _id } = await Completion.create({
        tourId: tour._id,
        completed: [booking],
        absent: [],
        completedAt: new Date(),
      });
      expect(words(await call(platform, "GET", "/guide?past=2", { cookie }))).not.toContain("Undo");
      for (const [fields, status] of [
        [{ intent: "undo", completion: _id.toString() }, "COMPLETED"],
        [{ ...form, absent: booking.toString() }, "CONFIRMED"],
      ] as const) {
        await Booking.updateOne({ _id: booking }, { status });
        const raw = new URLSearchParams(fields);
        const refused = await call(platform, "POST", "/guide", { cookie, raw });
        expect(refused.status).toBe(403);
        expect(words(refused)).toContain("The platform marks departures as completed");
        expect(await statuses()).toEqual([status]);
      }
    } finally {
      await platform.stop();
    }
  });

  it("completes nothing automatically", async () => {
    // Not in the database of the app that these tests share, which completes bookings.
    const name = `platform_${process.pid}`;
    const db = mongoose.connection.getClient().db(name);
    const bookings = db.collection("bookings");
    await bookings.insertOne({ status: "CONFIRMED", date: ago(2 * DAY) });
    const platform = await startApp(databaseUri(name), { BOOKING_COMPLETION: "" });
    try {
      // A worker would look for bookings at the start.
      for (let n = 0; n < 5; n++) expect((await call(platform, "GET", "/")).status).toBe(200);
      expect(await bookings.findOne()).toMatchObject({ status: "CONFIRMED" });
    } finally {
      await platform.stop();
      await db.dropDatabase();
    }
  });
});

describe("/guide/mail", () => {
  test.each(["", "weekly"])("refuses %j with an error at the field", async (reviewMails) => {
    const { guide, cookie } = await scene();
    const page = await post("/guide/mail", { reviewMails }, cookie);
    expect(page.status).toBe(400);
    expect(page.text).toMatch(/role="alert".*<a href="#reviewMails">Choose which e-mails/s);
    expect(page.text).toContain('aria-describedby="reviewMails-error"');
    expect(page.text).toContain('id="reviewMails"');
    expect(page.text).not.toMatch(/<input type="radio"[^>]* checked/);
    expect((await User.findById(guide._id).orFail()).reviewMails).toBe("each");
  });
});
