import { Types } from "mongoose";
import { describe, expect, it, test } from "vitest";
import { signedToken } from "~/lib/signed-token.server";
import { postReview } from "~/reviews/post.server";
import { OBJECTION_MS, tellAbsent, UNDO_MS } from "~/guides/departures/absences.server";
import { completeDeparture, undoCompletion } from "~/guides/departures/completions.server";
import {
  getAbsence,
  myAbsences,
  objectAs,
  objectByLink,
  objectionsTo,
} from "~/guides/departures/objections.server";
import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { Completion } from "#models/completion";
import { type AccountNotification, Notification } from "#models/notification";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { beforeTransaction, useCrashing } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { as, makeBooking, makeTour, makeUser } from "../support/factories";
import { moveTime, setTime } from "../support/time";

// docs/rules/bookings.md, No-shows: a guide says that an explorer did not come, the explorer is asked and may object.

useDatabase();

// By the database's clock, which removes old completions.
const NOW = new Date();
const at = (ms: number) => new Date(NOW.getTime() + ms);
const HOUR = 60 * 60 * 1_000;
const BEGAN = new Date("2026-11-21T14:00:00.000Z");
/** When the explorer has been told, and can object. */
const LATER = UNDO_MS + 1;
const LAST = UNDO_MS + OBJECTION_MS - 1;
const CLIENT = "192.0.2.1";

/** A booking of which the guide has said that its explorer, Ann, did not come; by now she can object. */
async function scene() {
  setTime(NOW);
  const guide = await makeUser({ name: "Gwen" });
  const createdById = guide._id;
  const tour = await makeTour({ createdById, title: "Night Walk", timeZone: "Asia/Tokyo" });
  const tourId = tour._id.toString();
  const ann = await makeUser({ name: "Ann" });
  await makeBooking(ann, tour, { status: "CONFIRMED", date: BEGAN });
  const { _id: bookingId } = await Booking.findOne({ userId: ann._id }).orFail();
  const said = { tourId, date: BEGAN.toISOString(), absent: [bookingId.toString()] };
  const tick = () => completeDeparture(as(guide), said);
  await tick();
  const { _id: completion } = await Completion.findOne({ tourId }).orFail();
  setTime(at(LATER));
  const idOf = async () => (await Absence.findOne({ bookingId }).orFail())._id.toString();
  const token = async () => signedToken("absence", await idOf());
  return {
    guide,
    tour,
    ann,
    bookingId,
    tick,
    undo: () => undoCompletion(as(guide), completion.toString()),
    idOf,
    token,
    status: async () => (await Booking.findById(bookingId).orFail().lean()).status,
    object: async () => objectByLink(await token(), CLIENT),
    review: () => postReview(as(ann), { tourId, rating: 2 }),
  };
}

const mailsTo = (user: { _id: Types.ObjectId }) =>
  Notification.find({ owner: user._id.toString() }).lean<AccountNotification[]>();

/** The result, or the refusal. */
const outcome = (one: Promise<unknown>) =>
  one.then(
    (result) => result ?? null,
    (refusal: unknown) => refusal,
  );

/** How each of these ended: done, or the text of the refusal. */
const outcomes = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map((one) =>
    one.status === "fulfilled" ? "done" : (one.reason as Error).message,
  );

describe("an explorer who did not come, as the guide says,", () => {
  it("is asked by e-mail once the guide can no longer undo it, once", async () => {
    const { ann, token } = await scene();
    setTime(at(UNDO_MS));
    await tellAbsent();
    expect(await mailsTo(ann)).toEqual([]);
    moveTime(1);
    await Promise.all([tellAbsent(), tellAbsent(), tellAbsent()]);
    moveTime(HOUR);
    await tellAbsent();
    const mails = await mailsTo(ann);
    expect(mails).toHaveLength(1);
    const { mail, state } = mails[0]!;
    expect(state).toBe("pending");
    expect(mail!.to).toEqual({ email: ann.email, name: "Ann" });
    expect(mail!.subject).toBe("Were you at Night Walk?");
    // By the tour's clocks.
    expect(mail!.text.replace(/\s+/g, " ")).toContain(
      "Gwen says that you did not come to Night Walk on Saturday 21 November 2026, 23:00, Tokyo time. Did you take this tour?",
    );
    expect(mail!.text).toContain(`/absences/${await token()}`);
    expect(mail!.unsubscribeUrl).toBeUndefined();
    expect(mail!.expiresAt).toEqual(at(UNDO_MS + OBJECTION_MS));
  });

  it("hears nothing of what the guide has undone", async () => {
    const { ann, undo } = await scene();
    setTime(at(UNDO_MS));
    await undo();
    moveTime(HOUR);
    await tellAbsent();
    expect(await mailsTo(ann)).toEqual([]);
    expect(await Absence.countDocuments()).toBe(0);
  });

  it("is not asked about a booking that the platform has changed meanwhile", async () => {
    const { ann, bookingId, token } = await scene();
    await Booking.updateOne({ _id: bookingId }, { $set: { status: "CANCELLED" } });
    await tellAbsent();
    expect(await mailsTo(ann)).toEqual([]);
    expect(await getAbsence(await token())).toMatchObject({ until: null });
    expect(await myAbsences(as(ann))).toEqual([]);
  });

  test.each([
    ["without an address", { $unset: { email: 1 } }],
    ["without an account", null],
  ])("%s is not asked", async (_, change) => {
    const { ann } = await scene();
    if (change) await User.collection.updateOne({ _id: ann._id }, change);
    else await User.deleteOne({ _id: ann._id });
    await tellAbsent();
    expect(await Notification.countDocuments()).toBe(0);
    expect(await Absence.countDocuments({ tellAt: { $exists: true } })).toBe(0);
  });

  it("does not hold up the others when the e-mail to them fails", async () => {
    const { ann } = await scene();
    const broken = await makeTour({ title: "x".repeat(300_000) });
    const bob = await makeUser();
    await makeBooking(bob, broken, { status: "NO_SHOW" });
    const booking = await Booking.findOne({ userId: bob._id }).orFail();
    await Absence.create({
      bookingId: booking._id,
      userId: bob._id,
      tourId: broken._id,
      guideId: bob._id,
      at: at(-1),
      tellAt: at(-1),
    });
    await tellAbsent();
    expect(await mailsTo(ann)).toHaveLength(1);
    expect(await Absence.countDocuments({ tellAt: { $exists: true } })).toBe(1);
  });
});

describe("an objection", () => {
  it("by the link makes the booking completed, and tells the guide", async () => {
    const { guide, ann, status, object, review, token } = await scene();
    await tellAbsent();
    await expect(review()).rejects.toMatchObject({ status: 400 });
    expect(await getAbsence(await token())).toMatchObject({
      guideName: "Gwen",
      tour: { title: "Night Walk", timeZone: "Asia/Tokyo" },
      date: BEGAN.toISOString(),
      until: at(UNDO_MS + OBJECTION_MS).toISOString(),
      objected: false,
    });
    expect(await status()).toBe("NO_SHOW");
    await object();
    expect(await status()).toBe("COMPLETED");
    expect(await getAbsence(await token())).toMatchObject({ objected: true });
    const [{ mail } = {}] = await mailsTo(guide);
    expect(mail!.to).toEqual({ email: guide.email, name: "Gwen" });
    expect(mail!.text.replace(/\s+/g, " ")).toContain(
      "Ann says that they were there, or came and nobody was there.",
    );
    expect((await review()).review.rating).toBe(2);
    expect(await mailsTo(ann)).toHaveLength(1);
    expect(await objectionsTo(as(guide), await Tour.find().lean(), at(LATER))).toMatchObject([
      { explorerName: "Ann", tour: { title: "Night Walk" }, at: at(LATER).toISOString() },
    ]);
  });

  it("on the explorer's own page does the same, and for nobody else", async () => {
    const { guide, ann, status, idOf } = await scene();
    const id = await idOf();
    expect(await myAbsences(as(ann))).toMatchObject([{ id, guideName: "Gwen" }]);
    const bob = await makeUser();
    for (const other of [bob, guide]) {
      expect(await myAbsences(as(other))).toEqual([]);
      await expect(objectAs(as(other), id)).rejects.toMatchObject({
        status: 404,
      });
    }
    await objectAs(as(ann), id);
    expect(await status()).toBe("COMPLETED");
    expect(await myAbsences(as(ann))).toEqual([]);
    expect(await mailsTo(guide)).toHaveLength(1);
  });

  test.each([
    ["while the guide can undo it", UNDO_MS, 404],
    ["as soon as the guide cannot", LATER, null],
    ["for thirty days", LAST, null],
    ["no longer", LAST + 1, 403],
  ])("%s", async (_, ms, refusal) => {
    const { ann, idOf, status, token, object } = await scene();
    setTime(at(ms));
    expect(await myAbsences(as(ann))).toHaveLength(refusal ? 0 : 1);
    const id = await idOf();
    const shown = await outcome(getAbsence(await token()));
    if (refusal === 404) expect(shown).toMatchObject({ status: 404 });
    if (refusal === 403) expect(shown).toMatchObject({ until: null });
    for (const way of [object, () => objectAs(as(ann), id)])
      expect(await outcome(way())).toEqual(refusal && expect.objectContaining({ status: refusal }));
    expect(await status()).toBe(refusal ? "NO_SHOW" : "COMPLETED");
  });

  test.each(["", "nope", "0".repeat(67), signedToken("receipt", "a".repeat(24))])(
    "by %j is none: 404",
    async (token) => {
      const refusal = { status: 404, message: "This link is not valid." };
      await expect(objectByLink(token, CLIENT)).rejects.toMatchObject(refusal);
      await expect(getAbsence(token)).rejects.toMatchObject(refusal);
    },
  );

  it("is the platform's to hear where it completes bookings", async () => {
    const { ann, status, idOf, token } = await scene();
    const platform = { completion: "platform" } as const;
    expect(await myAbsences(as(ann), platform)).toEqual([]);
    const [link, id] = [await token(), await idOf()];
    for (const ask of [
      () => getAbsence(link, platform),
      () => objectByLink(link, CLIENT, platform),
      () => objectAs(as(ann), id, platform),
    ])
      await expect(ask()).rejects.toMatchObject({ status: 404 });
    expect(await status()).toBe("NO_SHOW");
  });

  it("is not there for a platform's own NO_SHOW", async () => {
    const [tour, ann] = [await makeTour(), await makeUser()];
    await makeBooking(ann, tour, { status: "NO_SHOW", date: BEGAN });
    await tellAbsent();
    expect(await Notification.countDocuments()).toBe(0);
    expect(await myAbsences(as(ann))).toEqual([]);
  });

  it("is refused once the platform has changed the booking", async () => {
    const { bookingId, object, status } = await scene();
    await Booking.updateOne({ _id: bookingId }, { $set: { status: "CANCELLED" } });
    await expect(object()).rejects.toMatchObject({ status: 400 });
    expect(await status()).toBe("CANCELLED");
    expect(await Absence.countDocuments({ objectedAt: null })).toBe(1);
  });

  it("stands when the tour or the guide's account is gone", async () => {
    const { guide, tour, token, object, status } = await scene();
    await Tour.deleteOne({ _id: tour._id });
    await User.deleteOne({ _id: guide._id });
    expect(await getAbsence(await token())).toMatchObject({
      tour: { title: "a former tour", slug: null },
    });
    await object();
    expect(await status()).toBe("COMPLETED");
    expect(await Notification.countDocuments()).toBe(0);
  });

  it("is the last word: the guide cannot say it again of that booking", async () => {
    const { bookingId, tick, object, status } = await scene();
    await object();
    expect(await tick()).toMatchObject({ completed: 0, absent: 0 });
    expect(await status()).toBe("COMPLETED");
    // Nor when a platform has made it confirmed again.
    await Booking.updateOne({ _id: bookingId }, { $set: { status: "CONFIRMED" } });
    expect(await tick()).toMatchObject({ completed: 1, absent: 0 });
    expect(await status()).toBe("COMPLETED");
  });
});

describe("at the same time", () => {
  it("two objections are one, and the guide is told once", async () => {
    const { guide, ann, idOf, object, status } = await scene();
    const id = await idOf();
    const all = [object(), objectAs(as(ann), id), object()];
    expect(await outcomes(all)).toEqual(["done", "done", "done"]);
    expect(await status()).toBe("COMPLETED");
    expect(await mailsTo(guide)).toHaveLength(1);
  });

  // The undo begins in the guide's last moment, and is under way when the explorer can be told and can object.
  it("of an objection and an undo one counts", async () => {
    for (let round = 0; round < 3; round++) {
      const { guide, ann, object, undo, status } = await scene();
      setTime(at(UNDO_MS));
      const undoing = undo();
      moveTime(1);
      const ended = await outcomes([undoing, object()]);
      const objected = (await status()) === "COMPLETED";
      expect([...ended].sort()).toEqual(
        [
          "done",
          objected ? "This can only be undone within ten minutes" : "This link is not valid.",
        ].sort(),
      );
      expect(await status()).toBe(objected ? "COMPLETED" : "CONFIRMED");
      expect(await mailsTo(guide)).toHaveLength(objected ? 1 : 0);
      expect(await Absence.countDocuments({ userId: ann._id })).toBe(objected ? 1 : 0);
    }
  });

  it("an undo that an objection overtakes comes too late", async () => {
    const { guide, object, undo, status } = await scene();
    setTime(at(UNDO_MS));
    beforeTransaction(() => {
      moveTime(1);
      return object();
    });
    await expect(undo()).rejects.toMatchObject({
      message: "This can only be undone within ten minutes",
    });
    expect(await status()).toBe("COMPLETED");
    expect(await mailsTo(guide)).toHaveLength(1);
  });

  it("of an undo and the e-mail one counts", async () => {
    for (let round = 0; round < 3; round++) {
      const { ann, undo, status } = await scene();
      setTime(at(UNDO_MS));
      const undoing = undo();
      moveTime(1);
      const [undone] = await outcomes([undoing, tellAbsent()]);
      expect(await mailsTo(ann)).toHaveLength(undone === "done" ? 0 : 1);
      expect(await status()).toBe(undone === "done" ? "CONFIRMED" : "NO_SHOW");
    }
  });
});

describe("a process killed before a write leaves all of it or nothing:", () => {
  const runUntil = useCrashing();

  test.each(["tell the absent", "object"])("%s", async (operation) => {
    const happened: number[] = [];
    let ended: "killed" | "done" = "killed";
    for (let nth = 1; ended === "killed"; nth++) {
      const { guide, ann, idOf, status } = await scene();
      const id = await idOf();
      const past = { at: at(-UNDO_MS - HOUR), tellAt: at(-HOUR) };
      await Absence.updateOne({ _id: id }, { $set: past });
      ended = await runUntil(operation, [id], nth);
      const { tellAt, objectedAt } = await Absence.findById(id).orFail().lean();
      const mails = (await mailsTo(operation === "tell the absent" ? ann : guide)).length;
      expect(tellAt === undefined, `killed before write ${nth}`).toBe(mails === 1);
      if (operation === "object") {
        expect(objectedAt !== null).toBe(mails === 1);
        expect(await status()).toBe(mails === 1 ? "COMPLETED" : "NO_SHOW");
      }
      happened.push(mails);
      await Absence.deleteMany();
    }
    expect(happened.length).toBeGreaterThan(2);
    expect(happened.indexOf(1)).toBe(happened.length - 1);
  });
});
