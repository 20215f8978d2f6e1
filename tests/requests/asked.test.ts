import mongoose, { Types } from "mongoose";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { clearCaches } from "~/lib/cache.server";
import { log } from "~/lib/log.server";
import { reviewRequestResults } from "~/mail/review-requests.server";
import { setMails } from "~/mail/mail-settings.server";
import { requestToken } from "~/requests/ask.server";
import { CompletedBookings, noteCompleted, noteImported } from "~/requests/note.server";
import { ReviewRequests, switchOff } from "~/requests/worker.server";
import { postReview } from "~/reviews/post.server";
import { Booking, type BookingDocument } from "#models/booking";
import { type AccountNotification, Notification } from "#models/notification";
import { RemovedReview } from "#models/removed-review";
import { Asking, requestId, ReviewRequest } from "#models/review-request";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { commandsOf } from "../support/explain";
import { as, makeAbsence, makeTour, makeUser } from "../support/factories";
import { clock, standIn, time, useOutbox, worker } from "../support/mail";

// docs/rules/review-requests.md: every guest is asked once.

useOutbox();

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(time.now - ms);

/** Two processes that have begun when nobody had taken a tour. */
async function begin() {
  const processes = [new ReviewRequests(), new ReviewRequests()];
  for (const one of processes) await one.turn();
  return {
    turn: () => Promise.all(processes.map((one) => one.turn())),
    /** Everything that is due is made and sent. */
    async send() {
      await Promise.all(processes.map((one) => one.turn()));
      await Promise.all([worker().drain(), worker().drain()]);
    },
  };
}

async function book(
  fields: Partial<BookingDocument> & { user?: UserDocument; tour?: TourDocument } = {},
) {
  const { user = await makeUser(), tour = await makeTour(), ...more } = fields;
  const booking = { userId: user._id, tourId: tour._id, status: "COMPLETED", date: ago(DAY) };
  const { _id } = await Booking.create({ ...booking, ...more });
  return { user, tour, booking: _id };
}

const requestOf = ({ user, tour }: Record<"user" | "tour", { _id: Types.ObjectId }>) =>
  ReviewRequest.findById(requestId({ tourId: tour._id, userId: user._id })).lean();
const sentTo = ({ email }: { email: string }) =>
  standIn.mails.filter(({ personalizations }) => personalizations[0]!.to[0]!.email === email);

describe("a booking that is completed", () => {
  it("makes one e-mail to the guest, however many processes find it, and however often", async () => {
    const { send } = await begin();
    const tour = await makeTour({ title: "Night Walk", timeZone: "Europe/Rome" });
    const guest = await book({ tour, user: await makeUser({ name: "Ann" }) });
    for (let n = 0; n < 3; n++) await send();
    clearCaches();
    await send();
    await (await begin()).send();
    expect(standIn.mails).toHaveLength(1);
    const [{ subject, content, headers, personalizations }] = standIn.mails as [
      (typeof standIn.mails)[0],
    ];
    expect(personalizations[0]!.to).toEqual([{ email: guest.user.email, name: "Ann" }]);
    expect(subject).toBe("How was Night Walk?");
    const request = (await requestOf(guest))!;
    for (const { value } of content)
      for (const stars of [1, 2, 3, 4, 5])
        expect(value).toContain(`/review/${requestToken(request)}?rating=${stars}`);
    expect(headers).toMatchObject({
      "List-Unsubscribe": expect.stringContaining("/unsubscribe/"),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    expect(request.sentAt).toEqual(clock());
    // The link is good for 30 days, and stored as a digest.
    expect(request.expiresAt).toEqual(ago(-30 * DAY));
    expect(JSON.stringify(await Notification.find().lean())).not.toContain(requestToken(request));
    expect(JSON.stringify(request)).not.toContain(requestToken(request));
  });

  it("is asked about 20 hours after its departure, and not before it is completed", async () => {
    const { send } = await begin();
    const early = await book({ date: ago(19 * HOUR) });
    const booked = await book({ date: ago(30 * HOUR), status: "CONFIRMED" });
    const late = await book({ date: ago(20 * HOUR) });
    await send();
    expect(standIn.mails.map(({ personalizations }) => personalizations[0]!.to[0]!.email)).toEqual([
      late.user.email,
    ]);
    time.now += HOUR;
    await Booking.updateOne({ _id: booked.booking }, { status: "COMPLETED" });
    await send();
    expect(sentTo(early.user)).toHaveLength(1);
    expect(sentTo(booked.user)).toHaveLength(1);
  });

  it.each([
    ["3 at night", "03:00", "09:00"],
    ["a quarter to nine", "08:45", "09:00"],
    ["nine", "09:00", null],
    ["a minute to eight in the evening", "19:59", null],
    ["eight in the evening", "20:00", "33:00"],
  ])("where it is %s waits for the day of the tour's zone", async (_, now, wanted) => {
    const noon = time.now;
    const at = (clockTime: string) => {
      const [hours, minutes] = clockTime.split(":").map(Number) as [number, number];
      // Tokyo is nine hours ahead.
      return new Date(noon).setUTCHours(hours - 9, minutes, 0, 0);
    };
    time.now = at(now);
    const { send } = await begin();
    const guest = await book({ tour: await makeTour({ timeZone: "Asia/Tokyo" }) });
    await send();
    expect(sentTo(guest.user)).toHaveLength(wanted ? 0 : 1);
    if (!wanted) return;
    const morning = at(wanted);
    time.now = morning - 60_000;
    await send();
    expect(sentTo(guest.user)).toHaveLength(0);
    time.now = morning;
    await send();
    expect(sentTo(guest.user)).toHaveLength(1);
  });

  it("is asked about at no night either when SendGrid fails in the evening", async () => {
    time.now = new Date(time.now).setUTCHours(19, 50);
    const { send } = await begin();
    const guest = await book();
    standIn.answer = () => 503;
    await send();
    standIn.answer = () => 202;
    for (const hours of [1, 4, 7]) {
      time.now += hours * HOUR;
      await send();
    }
    expect(standIn.attempts).toHaveLength(1);
    // At 9:20.
    time.now += 1.5 * HOUR;
    await send();
    expect(sentTo(guest.user)).toHaveLength(1);
  });

  it("is one e-mail with all other tours of the guest that are due", async () => {
    const { send } = await begin();
    const user = await makeUser();
    for (const [n, title] of ["Harbour", "Castle", "Vineyard"].entries())
      await book({ user, tour: await makeTour({ title }), date: ago((n + 1) * DAY) });
    await send();
    const [mail, ...others] = sentTo(user);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe("How were Harbour and 2 other tours?");
    for (const title of ["Harbour", "Castle", "Vineyard"])
      expect(mail!.content[0]!.value).toContain(title);
  });

  it("is asked about also beside a guest whose e-mail cannot be made, who is asked once it can", async () => {
    const { send } = await begin();
    const logged = vi.spyOn(log, "error").mockReturnValue();
    onTestFinished(() => logged.mockRestore());
    const broken = await book({ tour: await makeTour({ title: "x".repeat(300_000) }) });
    await book({ user: broken.user });
    const other = await book();
    await send();
    // Once in each of two processes, not for each tour.
    expect(logged).toHaveBeenCalledTimes(2);
    expect([broken.user, other.user].map((user) => sentTo(user).length)).toEqual([0, 1]);
    await Tour.updateOne({ _id: broken.tour._id }, { title: "Night Walk" });
    await send();
    expect(sentTo(broken.user)).toHaveLength(1);
  });

  it("is asked about once, also when the guest takes the tour again", async () => {
    const { send } = await begin();
    const guest = await book({ date: ago(3 * DAY) });
    await send();
    await book({ ...guest, date: ago(DAY) });
    await send();
    expect(standIn.mails).toHaveLength(1);
  });

  it("without a date is asked about when it is completed here", async () => {
    const { send } = await begin();
    const guest = await book({ date: null });
    await send();
    expect(await requestOf(guest)).toBeNull();
    const completed = (await Booking.find({ _id: guest.booking }).lean()) as BookingDocument[];
    await noteCompleted(completed, { now: clock(), asking: true });
    time.now += 21 * HOUR;
    await send();
    expect(sentTo(guest.user)).toHaveLength(1);
  });
});

describe("nobody is asked", () => {
  it("about years of old tours on the day it is switched on, or on again", async () => {
    const old = [await book({ date: ago(1_000 * DAY) }), await book({ date: ago(2 * DAY) })];
    const { send } = await begin();
    await send();
    expect(await requestOf(old[0]!)).toBeNull();
    expect(await requestOf(old[1]!)).toMatchObject({ notAsked: "before" });
    await switchOff();
    // Waits, and is completed while it is off.
    await ReviewRequest.create({
      ...{ _id: "x", tourId: new Types.ObjectId(), userId: new Types.ObjectId() },
      ...{ departedAt: ago(DAY), dueAt: ago(1) },
    });
    await book({ date: ago(DAY) });
    await (await begin()).send();
    expect(standIn.mails).toEqual([]);
    expect(await Asking.countDocuments()).toBe(1);
    expect((await ReviewRequest.findById("x").lean())!.notAsked).toBe("before");
  });

  it("about tours of more than 14 days ago", async () => {
    const { send } = await begin();
    await book({ date: ago(14 * DAY + 1) });
    const { user } = await book({ date: ago(14 * DAY - HOUR) });
    await send();
    expect(standIn.mails).toHaveLength(1);
    expect(sentTo(user)).toHaveLength(1);
  });

  it("about what an import brings", async () => {
    const { send } = await begin();
    const [user, tour] = [await makeUser(), await makeTour()];
    const ids = { userId: user._id, tourId: tour._id };
    await noteImported([{ ...ids, status: "COMPLETED", date: ago(DAY) }], clock());
    await book({ user, tour });
    await send();
    expect(standIn.mails).toEqual([]);
    expect(await requestOf({ user, tour })).toMatchObject({ notAsked: "imported" });
  });

  type Guest = Awaited<ReturnType<typeof book>>;
  const REASONS: Record<string, (guest: Guest) => Promise<unknown>> = {
    cancelled: ({ booking }) => Booking.updateOne({ _id: booking }, { status: "CANCELLED" }),
    reviewed: ({ user, tour }) => postReview(as(user), { tourId: tour._id.toString(), rating: 4 }),
    removed: ({ user, tour }) =>
      RemovedReview.create({
        ...{ tourId: tour._id, userId: user._id, removedAt: new Date(), rating: 1 },
        ...{ caseId: new Types.ObjectId(), review: null },
      }),
    guide: ({ user, tour }) => Tour.updateOne({ _id: tour._id }, { createdById: user._id }),
    tour: ({ tour }) => Tour.deleteOne({ _id: tour._id }),
    suspended: ({ user }) => User.updateOne({ _id: user._id }, { suspendedUntil: ago(-3 * DAY) }),
    objected: ({ user }) => setMails(user._id.toString(), "requests", "none"),
    account: ({ user }) => User.deleteOne({ _id: user._id }),
    disputed: async ({ user, tour, booking }) => {
      const { _id } = await makeAbsence(user, tour, { objectedAt: new Date() });
      await mongoose.connection
        .collection("tourReviews.absences")
        .updateOne({ _id }, { $set: { bookingId: booking } });
    },
    late: () => {
      time.now += 16 * DAY;
      return Promise.resolve();
    },
  };

  const counted = async (result: string) =>
    (await reviewRequestResults.get()).values.find(({ labels }) => labels.result === result)!.value;

  it.each(Object.keys(REASONS))("who is not to be asked any more: %s", async (reason) => {
    const { turn, send } = await begin();
    const guest = await book({ date: ago(HOUR) });
    await turn();
    expect((await requestOf(guest))!.dueAt).toBeInstanceOf(Date);
    const before = await counted(reason);
    await REASONS[reason]!(guest);
    time.now += DAY;
    await send();
    expect(sentTo(guest.user)).toEqual([]);
    // Nothing is kept of who is gone.
    if (reason === "account") expect(await requestOf(guest)).toBeNull();
    else expect(await requestOf(guest)).toMatchObject({ notAsked: reason });
    expect(await counted(reason)).toBe(before + 1);
  });

  it.each(Object.keys(REASONS))("who is no more when SendGrid works again: %s", async (reason) => {
    const { send } = await begin();
    const guest = await book({ date: ago(20 * HOUR) });
    standIn.answer = () => 503;
    await send();
    expect(standIn.attempts).toHaveLength(1);
    await REASONS[reason]!(guest);
    standIn.answer = () => 202;
    time.now += HOUR;
    await send();
    expect(sentTo(guest.user)).toEqual([]);
    expect(await Notification.countDocuments({ asks: { $exists: true } })).toBe(0);
  });

  it("about a tour that they have reviewed while its e-mail waits, though about the others", async () => {
    const { send } = await begin();
    const user = await makeUser();
    const [harbour, castle] = [
      await book({ user, tour: await makeTour({ title: "Harbour" }) }),
      await book({ user, tour: await makeTour({ title: "Castle" }) }),
    ];
    standIn.answer = () => 503;
    await send();
    await postReview(as(user), { tourId: harbour.tour._id.toString(), rating: 4 });
    standIn.answer = () => 202;
    time.now += HOUR;
    await send();
    await send();
    expect(sentTo(user).map(({ subject }) => subject)).toEqual(["How was Castle?"]);
    expect(await requestOf(harbour)).toMatchObject({ notAsked: "reviewed" });
    expect((await requestOf(castle))!.sentAt).toEqual(clock());
  });
});

test("an objection drops the e-mail that waits, and leaves those about replies", async () => {
  const { turn } = await begin();
  const { user } = await book();
  await turn();
  const waiting = async () =>
    (await Notification.find({ owner: user._id.toString() }).lean<AccountNotification[]>()).length;
  expect(await waiting()).toBe(1);
  await setMails(user._id.toString(), "replies", "none");
  expect(await waiting()).toBe(1);
  await setMails(user._id.toString(), "requests", "none");
  expect(await waiting()).toBe(0);
});

describe("the cost of a turn", () => {
  it.each([5, 2_000])("does not grow with what was asked before: %i", async (asked) => {
    const process = new ReviewRequests();
    await process.turn();
    const requests = Array.from({ length: asked }, () => {
      const ids = { tourId: new Types.ObjectId(), userId: new Types.ObjectId() };
      return { _id: requestId(ids), ...ids, departedAt: ago(DAY), sentAt: ago(HOUR) };
    });
    await ReviewRequest.collection.insertMany(requests as never[]);
    const bookings = requests.slice(0, 5).map(({ tourId, userId }, n) => ({
      ...{ tourId, userId, status: "COMPLETED", date: ago(DAY + n) },
    }));
    await Booking.insertMany(bookings);
    await book({ date: ago(HOUR) });
    expect(await commandsOf(() => process.turn())).toHaveLength(3);
    expect(await commandsOf(() => process.turn())).toHaveLength(2);
    expect(await ReviewRequest.countDocuments()).toBe(asked + 1);
  });

  it("is that of one page, also where one day has more bookings, and each is found", async () => {
    const pages = new CompletedBookings(10);
    const day = ago(DAY);
    const many = Array.from({ length: 31 }, (_, n) => ({
      ...{ tourId: new Types.ObjectId(), userId: new Types.ObjectId(), status: "COMPLETED" },
      date: n < 5 ? ago(2 * DAY) : n < 28 ? day : ago(HOUR),
    }));
    await Booking.collection.insertMany(many);
    for (let n = 0; n < 7; n++) {
      const sent = await commandsOf(() => pages.notePage(clock()));
      expect(sent.length).toBeLessThanOrEqual(2);
    }
    expect(await ReviewRequest.countDocuments()).toBe(many.length);
  });
});
