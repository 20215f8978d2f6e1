import { Types } from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { deleteAccount, deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions, LEASE_MS } from "~/personal-data/deletion-worker.server";
import { requestAddressChange } from "~/accounts/address.server";
import { requestReset } from "~/accounts/log-in/password-reset.server";
import { requestSignUp } from "~/accounts/log-in/sign-up.server";
import { OutboxWorker } from "~/mail/delivery.server";
import { findUserByToken } from "~/accounts/tokens.server";
import { findUser } from "~/accounts/users.server";
import { checkRatings, rebuildRatings } from "~/reviews/ratings.server";
import { postReview } from "~/reviews/post.server";
import { deleteReview } from "~/reviews/delete.server";
import { listReviews } from "~/reviews/list/list.server";
import { Absence } from "#models/absence";
import { AccountDeletion } from "#models/account-deletion";
import { User } from "#models/user";
import { Tour } from "#models/tour";
import { Session } from "#models/session";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { EmailLink } from "#models/email-link";
import { type AccountNotification, Notification } from "#models/notification";
import { IdempotencyKey } from "#models/idempotency-key";
import { Booking } from "#models/booking";
import { AccessToken } from "#models/access-token";
import { tokenOf } from "../support/app";
import { useDatabase } from "../support/database";
import {
  as,
  makeAbsence,
  makeBooking,
  makeBookedExplorer,
  makeReply,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";
import { HOME, listedReviews, outcome } from "../support/services";
import { atTime } from "../support/time";

useDatabase();

/** The current user, as routes pass it on. */
const current = async (user: { _id: Types.ObjectId }) => (await findUser(user._id.toString()))!;

/** A stored session; gives its id. */
async function makeSession(userId: Types.ObjectId): Promise<string> {
  const _id = new Types.ObjectId().toString();
  const expiresAt = new Date(Date.now() + 60 * 60 * 1_000);
  await Session.create({ _id, userId, data: {}, expiresAt });
  return _id;
}

const DELETED = "Your account was deleted";
const mailsAboutAccounts = () =>
  Notification.find({ kind: "account" }).sort({ _id: 1 }).lean<AccountNotification[]>();
const countMailsAboutReviews = () => Notification.countDocuments({ kind: { $ne: "account" } });
const subjects = async () => (await mailsAboutAccounts()).map(({ mail }) => mail?.subject);
const lastMail = async () => (await mailsAboutAccounts()).at(-1);

describe("deleting an account", () => {
  const ask = async (user: { _id: Types.ObjectId }, password = PASSWORD) =>
    deleteAccount(await current(user), { password });
  /** To the end. */
  const remove = async (user: { _id: Types.ObjectId }) => {
    await ask(user);
    expect(await continueDeletions()).toBe(1);
  };
  /** As if the process that was at it had died a while ago. */
  const forgetLeases = () => AccountDeletion.updateMany({}, { $set: { leasedUntil: new Date(0) } });

  /** Ann with two reviews, one of them alone on its tour, and Bob with one. */
  async function scene() {
    const [shared, alone] = [await makeTour(), await makeTour()];
    const ann = await makeBookedExplorer(shared);
    await makeBooking(ann, alone);
    const bob = await makeBookedExplorer(shared);
    for (const [user, tour, rating] of [
      [ann, shared, 1],
      [ann, alone, 3],
      [bob, shared, 5],
    ] as const)
      await postReview(as(user), { tourId: tour._id.toString(), rating }, { key: `my ${rating}` });
    return { shared, alone, ann, bob };
  }

  async function expectNothingOf(ann: { _id: Types.ObjectId }) {
    expect(await User.exists({ _id: ann._id })).toBeNull();
    for (const model of [Review, Session, AccessToken, IdempotencyKey])
      expect(await model.collection.countDocuments({ userId: ann._id })).toBe(0);
    expect(await Notification.countDocuments({ explorerId: ann._id })).toBe(0);
    expect(await Notification.countDocuments({ owner: ann._id.toString() })).toBe(0);
    expect(await AccountDeletion.countDocuments()).toBe(0);
    expect(await checkRatings()).toEqual([]);
  }

  test("takes the user's reviews, e-mails, tokens and log-ins, and nobody else's", async () => {
    const { shared, alone, ann, bob } = await scene();
    // An e-mail that was sent stays.
    const reviewed = (await Review.findOne({ userId: ann._id, tourId: alone._id }))!;
    await Notification.updateOne({ _id: reviewed._id }, { state: "sent" });
    await deleteReview(as(ann), reviewed._id.toString());
    expect(await Notification.countDocuments({ explorerId: ann._id })).toBe(2);
    const tokens = [await tokenOf(ann), await tokenOf(bob)] as const;
    await makeSession(ann._id);
    const bobs = await makeSession(bob._id);

    await remove(ann);

    await expectNothingOf(ann);
    expect(await findUserByToken(tokens[0])).toBeNull();
    expect(await findUserByToken(tokens[1])).not.toBeNull();
    expect(await Session.exists({ _id: bobs })).not.toBeNull();
    expect(await Review.find({}, "userId -_id").lean()).toEqual([{ userId: bob._id }]);
    expect(await countMailsAboutReviews()).toBe(1);
    expect(await IdempotencyKey.countDocuments({ userId: bob._id })).toBe(1);
    expect(await Tour.findById(shared._id).lean()).toMatchObject({ avgRating: 5, reviewCount: 1 });
    expect(await Tour.findById(alone._id).lean()).toMatchObject({ avgRating: 0, reviewCount: 0 });
    // Bookings are the platform's.
    expect(await Booking.countDocuments({ userId: ann._id })).toBe(2);
  });

  describe("takes the e-mails about the account", () => {
    const EMAIL = "Ann@example.test";
    /** Ann's, of every kind that waits, and those to her address of before she had an account. */
    async function mails() {
      const at = { clientAddress: HOME, redirectTo: "/" };
      await requestSignUp({ email: EMAIL }, at);
      await requestReset({ email: EMAIL }, HOME);
      const ann = await makeUser({ email: EMAIL });
      await requestSignUp({ email: EMAIL }, at);
      await requestReset({ email: EMAIL }, HOME);
      const change = { newEmail: "ann.new@example.test", currentPassword: PASSWORD };
      await requestAddressChange(await current(ann), change, HOME);
      await requestSignUp({ email: "bob@example.test" }, at);
      return ann;
    }
    const left = async () =>
      (await Notification.find().lean<AccountNotification[]>()).map(({ mail }) => mail?.to.email);

    test("and its address's links, at once where they wait", async () => {
      const ann = await mails();
      expect(await left()).toHaveLength(7);
      await ask(ann);
      expect(await left()).toEqual(["bob@example.test", EMAIL]);
      expect((await lastMail())?.mail?.subject).toBe(DELETED);
      expect((await EmailLink.find().lean()).map(({ email }) => email)).toEqual([
        "bob@example.test",
      ]);
    });

    test("and those that were sent, which still have their owner", async () => {
      const ann = await mails();
      await new OutboxWorker(() => Promise.resolve()).drain();
      expect(await left()).toEqual(Array(7).fill(undefined));
      await remove(ann);
      expect(await left()).toEqual([undefined, EMAIL]);
    });

    test.each([
      ["is sent", () => Promise.resolve()],
      ["fails", () => Promise.reject(new Error("no answer"))],
    ])("also one whose delivery is under way and %s", async (_, end) => {
      const ann = await makeUser({ email: EMAIL });
      await requestReset({ email: EMAIL }, HOME);
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const sent: string[] = [];
      const worker = new OutboxWorker(async ({ subject }) => {
        sent.push(subject);
        await held;
        await end();
      });
      worker.wake();
      await expect.poll(() => sent).toEqual(["Reset your password"]);
      await remove(ann);
      release();
      await worker.stop();
      await new OutboxWorker(null).drain();
      expect(await subjects()).toEqual([DELETED]);
    });
  });

  describe("tells the owner", () => {
    test("by an e-mail that the job leaves, and that names the account only until it is sent", async () => {
      const ann = await makeUser({ name: "Ann" });
      await remove(ann);
      expect(await lastMail()).toMatchObject({ state: "pending", mail: { to: { name: "Ann" } } });
      const sent: unknown[] = [];
      await new OutboxWorker((mail) => Promise.resolve(void sent.push(mail))).drain();
      expect(sent).toMatchObject([{ to: { email: ann.email }, subject: DELETED }]);
      const { mail, owner } = (await lastMail())!;
      expect({ mail, owner }).toEqual({ mail: undefined, owner: undefined });
    });

    test("only of what they have written", async () => {
      const { ann } = await scene();
      const [guide, nobody] = [await makeUser(), await makeUser()];
      await makeReply(guide, (await Review.findOne({ userId: ann._id }))!);
      const textOf = async (user: { _id: Types.ObjectId }) => {
        await ask(user);
        return (await lastMail())!.mail!.text.replaceAll("\n", " ");
      };
      expect(await textOf(nobody)).not.toContain("disappear");
      expect(await textOf(ann)).toContain("and your reviews disappear from the site");
      expect(await textOf(guide)).toContain("and your replies disappear from the site");
    });
  });

  test("leaves the tours of a guide, and takes the e-mails to the guide", async () => {
    const { shared } = await scene();
    await remove({ _id: shared.createdById });
    expect(await Tour.findById(shared._id).lean()).toMatchObject({ reviewCount: 2 });
    expect(await Notification.countDocuments({ guideId: shared.createdById })).toBe(0);
    expect(await countMailsAboutReviews()).toBe(1);
  });

  test("takes what guides say of the user, and forgets that the user said it of others", async () => {
    const [ann, bob] = [await makeUser(), await makeUser()];
    const led = await makeTour({ createdById: ann._id });
    const said = await makeAbsence(ann, await makeTour());
    const { _id } = await makeAbsence(bob, led);
    const others = await makeAbsence(bob, await makeTour());
    await deleteAccountOf(await current(ann));
    await continueDeletions();
    expect(await Absence.exists({ _id: said._id })).toBeNull();
    const left = (await Absence.findById(_id).lean())!;
    expect(left.guideId).toBeUndefined();
    expect(left.userId).toEqual(bob._id);
    expect((await Absence.findById(others._id).lean())!.guideId).toBeDefined();
  });

  test("ends access at once, and leaves the rest to the workers", async () => {
    const { shared, ann } = await scene();
    const token = await tokenOf(ann);
    await makeSession(ann._id);
    await listReviews(shared._id.toString());
    await ask(ann);
    expect(await findUserByToken(token)).toBeNull();
    expect(await outcome(ann.email, PASSWORD)).not.toBe("in");
    for (const model of [Session, AccessToken])
      expect(await model.collection.countDocuments({ userId: ann._id })).toBe(0);
    expect(await Review.countDocuments({ userId: ann._id })).toBe(2);
    // Nobody's name any more, also where the list was kept.
    const reviews = await listedReviews(shared._id.toString());
    expect(reviews.map(({ user }) => user.name)).toContain("");
    expect(JSON.stringify(reviews)).not.toContain(ann.name);
  });

  test("goes on where it was cut off, wherever that was", async () => {
    const cuts = [
      () => vi.spyOn(Notification, "deleteMany"),
      () => vi.spyOn(Review, "deleteOne"),
      () => vi.spyOn(Notification, "deleteOne"),
      () => vi.spyOn(IdempotencyKey, "deleteMany"),
      () => vi.spyOn(AccountDeletion, "deleteOne"),
    ];
    for (const cut of cuts) {
      const { ann } = await scene();
      await ask(ann);
      const spy = (cut() as ReturnType<typeof vi.spyOn>).mockImplementationOnce(() => {
        throw new Error("cut off");
      });
      expect(await continueDeletions()).toBe(0);
      spy.mockRestore();
      expect(await AccountDeletion.countDocuments()).toBe(1);
      expect(await checkRatings()).toEqual([]);
      await forgetLeases();
      expect(await continueDeletions()).toBe(1);
      await expectNothingOf(ann);
    }
  });

  test("of more than a batch stops when it is told to, and goes on", async () => {
    const ann = await makeUser();
    const { _id: createdById } = await makeUser();
    const tours = Array.from({ length: 105 }, (_, n) => {
      return { _id: new Types.ObjectId(), title: "Walk", slug: `walk-${n}`, createdById };
    });
    await Tour.insertMany(tours);
    const review = { userId: ann._id, rating: 4, createdAt: new Date() };
    await Review.insertMany(tours.map(({ _id: tourId }) => ({ ...review, tourId })));
    await rebuildRatings();
    await ask(ann);
    let steps = 0;
    expect(await continueDeletions({ stopped: () => ++steps > 50 })).toBe(0);
    const left = await Review.countDocuments({ userId: ann._id });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(tours.length);
    expect(await checkRatings()).toEqual([]);
    // It was given back, so that nobody waits for its lease.
    expect(await continueDeletions()).toBe(1);
    await expectNothingOf(ann);
  });

  test("stops once another process has taken over", async () => {
    const { ann } = await scene();
    await ask(ann);
    const deleteOne = Review.deleteOne.bind(Review);
    const spy = vi.spyOn(Review, "deleteOne").mockImplementationOnce((async (...args: [never]) => {
      const leasedUntil = new Date(Date.now() + LEASE_MS);
      await AccountDeletion.updateMany({}, { $set: { lease: "another process", leasedUntil } });
      return deleteOne(...args);
    }) as never);
    expect(await continueDeletions()).toBe(0);
    spy.mockRestore();
    expect(await Review.countDocuments({ userId: ann._id })).toBe(1);
    await forgetLeases();
    expect(await continueDeletions()).toBe(1);
    await expectNothingOf(ann);
  });

  test("takes what requests under way have stored while it went on", async () => {
    const { ann } = await scene();
    await ask(ann);
    const other = new Types.ObjectId();
    const [mail, key] = await Promise.all([
      Notification.collection.findOne({ explorerId: ann._id }),
      IdempotencyKey.collection.findOne({ userId: ann._id }),
    ]);
    const deleteOne = Review.deleteOne.bind(Review);
    const spy = vi.spyOn(Review, "deleteOne").mockImplementationOnce((async (...args: [never]) => {
      await makeSession(ann._id);
      const _id = () => new Types.ObjectId();
      await IdempotencyKey.collection.insertOne({ ...key, _id: _id(), key: "late" });
      await Notification.collection.insertMany([
        { ...mail, _id: _id(), guideId: other, explorerId: ann._id },
        { ...mail, _id: _id(), guideId: ann._id, explorerId: other },
        { ...mail, _id: _id(), guideId: other, explorerId: other, owner: ann._id.toString() },
      ]);
      return deleteOne(...args);
    }) as never);
    expect(await continueDeletions()).toBe(1);
    spy.mockRestore();
    await expectNothingOf(ann);
    expect(await Notification.countDocuments({ guideId: ann._id })).toBe(0);
  });

  test("is done by one process at a time, until that one is silent", async () => {
    const { ann, shared } = await scene();
    await ask(ann);
    const versionOf = async () => (await Tour.findById(shared._id).lean())!.ratingsVersion;
    const before = await versionOf();
    const done = await Promise.all([continueDeletions(), continueDeletions(), continueDeletions()]);
    expect(done.sort()).toEqual([0, 0, 1]);
    // Once for the review, once for the booking.
    expect(await versionOf()).toBe(before + 2);

    const { ann: other } = await scene();
    await ask(other);
    const now = new Date();
    await AccountDeletion.updateOne(
      { _id: other._id },
      { $set: { lease: "another process", leasedUntil: new Date(now.getTime() + LEASE_MS) } },
    );
    expect(await atTime(now, continueDeletions)).toBe(0);
    expect(await atTime(now.getTime() + LEASE_MS, continueDeletions)).toBe(1);
    await expectNothingOf(other);
  });

  test("goes on with all else when one tour always fails", async () => {
    const { ann, shared } = await scene();
    const led = await makeTour({ createdById: ann._id });
    const _id = new Types.ObjectId();
    await makeReply(ann, { _id, tourId: led._id });
    await ask(ann);
    const tours = Tour.collection;
    const update = tours.updateOne.bind(tours);
    const spy = vi.spyOn(tours, "updateOne").mockImplementation(((...args: [never, never]) => {
      const [{ _id }] = args as unknown as [{ _id: Types.ObjectId }];
      if (shared._id.equals(_id)) throw new Error("this tour fails");
      return update(...args);
    }) as never);
    expect(await continueDeletions()).toBe(0);
    spy.mockRestore();
    expect(await Review.find({ userId: ann._id }).lean()).toMatchObject([{ tourId: shared._id }]);
    expect(await Reply.countDocuments({ userId: ann._id })).toBe(0);
    // It has a pause, in which others would have their turn.
    expect(await continueDeletions()).toBe(0);
    await forgetLeases();
    expect(await continueDeletions()).toBe(1);
    await expectNothingOf(ann);
  });

  test("leaves no review whose transaction looked at the account before it was gone", async () => {
    const tour = await makeTour();
    const ann = await makeBookedExplorer(tour);
    // Another process's post: it has seen the author, and commits when the account is gone.
    const session = await User.startSession();
    session.startTransaction({ readConcern: { level: "snapshot" } });
    await Tour.updateOne({ _id: tour._id }, { $inc: { ratingsVersion: 1 } }, { session });
    expect(await User.exists({ _id: ann._id }).session(session)).not.toBeNull();
    await ask(ann);
    const job = continueDeletions();
    const review = { userId: ann._id, tourId: tour._id, rating: 4, createdAt: new Date() };
    await Review.create([review], { session });
    await session.commitTransaction();
    await session.endSession();
    expect(await job).toBe(1);
    await expectNothingOf(ann);
  });
});
