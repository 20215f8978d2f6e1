import { Types } from "mongoose";
import { describe, expect, test, vi } from "vitest";
import { findUserByToken } from "~/services/accounts/tokens.server";
import { findUser } from "~/services/accounts/users.server";
import { WRONG_PASSWORD } from "~/services/accounts/passwords.server";
import { deleteAccount, exportData } from "~/services/accounts/personal-data.server";
import { createReviewOnce } from "~/services/reviews/idempotency.server";
import { WRONG_PASSWORDS } from "~/services/limits.server";
import { checkRatings } from "~/services/reviews/ratings.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { User } from "../../../models/user";
import { Tour } from "../../../models/tour";
import { Session } from "../../../models/session";
import { Review } from "../../../models/review";
import { Notification } from "../../../models/notification";
import { IdempotencyKey } from "../../../models/idempotency-key";
import { Booking } from "../../../models/booking";
import { AccessToken } from "../../../models/access-token";
import { tokenOf } from "../../support/app";
import { useDatabase } from "../../support/database";
import { as, makeBooking, makeGuest, makeTour, makeUser, PASSWORD } from "../../support/factories";

useDatabase();
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
const HOUR_MS = 60 * 60 * 1_000;

/** The current user, as routes pass it on. */
const current = async (user: { _id: Types.ObjectId }) => (await findUser(user._id.toString()))!;

/** A stored session; gives its id. */
async function makeSession(userId: Types.ObjectId, ms = HOUR_MS): Promise<string> {
  const _id = new Types.ObjectId().toString();
  await Session.create({ _id, userId, data: {}, expiresAt: new Date(Date.now() + ms) });
  return _id;
}

describe("my data", () => {
  test("is everything of the user, and nothing to act in their name with", async () => {
    const tour = await makeTour({ title: "Old Town Walk" });
    const guide = (await User.findById(tour.createdById).lean())!;
    const ann = await makeGuest(tour, { name: "Ann", email: "ann@example.test" });
    const led = await makeTour({ title: "Led by Ann", createdById: ann._id });
    const bob = await makeGuest(tour, { name: "Bob", email: "bob@example.test" });
    const tokens = [await tokenOf(ann), await tokenOf(bob)];
    const sessionId = await makeSession(ann._id);
    await makeSession(ann._id, -1);
    await makeSession(bob._id);
    const body = { tourId: tour._id.toString(), rating: 5, comment: "By Ann" };
    const { review } = await createReviewOnce(as(ann), "my key", body);
    await createReviewOnce(as(bob), "Bob's key", { ...body, comment: "By Bob" });

    const data = JSON.parse(JSON.stringify(await exportData(await current(ann)))) as unknown;

    expect(data).toEqual({
      profile: {
        id: ann._id.toString(),
        name: "Ann",
        email: "ann@example.test",
        image: null,
        hasPassword: true,
        reviewMails: "each",
      },
      tours: [{ id: led._id.toString(), title: "Led by Ann", slug: led.slug }],
      bookings: [{ id: ID, tourId: body.tourId, status: "COMPLETED", date: null }],
      reviews: [
        {
          id: review.id,
          tourId: body.tourId,
          rating: 5,
          comment: "By Ann",
          createdAt: review.createdAt,
          editedAt: null,
          verified: true,
        },
      ],
      notifications: [
        {
          reviewId: review.id,
          explorerName: "Ann",
          tourTitle: "Old Town Walk",
          rating: 5,
          comment: "By Ann",
          state: "pending",
          createdAt: review.createdAt,
          sentAt: null,
        },
      ],
      idempotencyKeys: [{ key: "my key", review, expiresAt: ISO }],
      accessTokens: [{ id: ID, name: "Test", createdAt: ISO, lastUsedAt: null }],
      sessions: [{ expiresAt: ISO }],
    });
    const hashes = (await AccessToken.find().lean()).map(({ hash }) => hash);
    for (const secret of [...tokens, ...hashes, sessionId, ann.passwordHash!, guide.email, "Bob"])
      expect(JSON.stringify(data)).not.toContain(secret);
  });
});

describe("deleting an account", () => {
  const remove = async (user: { _id: Types.ObjectId }, password = PASSWORD) =>
    deleteAccount(await current(user), { password });

  /** Ann with two reviews, one of them alone on its tour, and Bob with one. */
  async function scene() {
    const [shared, alone] = [await makeTour(), await makeTour()];
    const ann = await makeGuest(shared);
    await makeBooking(ann, alone);
    const bob = await makeGuest(shared);
    for (const [user, tour, rating] of [
      [ann, shared, 1],
      [ann, alone, 3],
      [bob, shared, 5],
    ] as const)
      await createReviewOnce(as(user), `my ${rating}`, { tourId: tour._id.toString(), rating });
    return { shared, alone, ann, bob };
  }

  async function expectNothingOf(ann: { _id: Types.ObjectId }) {
    const mine = { userId: ann._id };
    expect(await User.exists({ _id: ann._id })).toBeNull();
    expect(await Review.countDocuments(mine)).toBe(0);
    expect(await Session.countDocuments(mine)).toBe(0);
    expect(await AccessToken.countDocuments(mine)).toBe(0);
    expect(await IdempotencyKey.countDocuments(mine)).toBe(0);
    expect(await checkRatings()).toEqual([]);
  }

  test("takes the user's reviews, e-mails, tokens and log-ins, and nobody else's", async () => {
    const { shared, alone, ann, bob } = await scene();
    const tokens = [await tokenOf(ann), await tokenOf(bob)] as const;
    await makeSession(ann._id);
    const bobs = await makeSession(bob._id);

    await remove(ann);

    await expectNothingOf(ann);
    expect(await findUserByToken(tokens[0])).toBeNull();
    expect(await findUserByToken(tokens[1])).not.toBeNull();
    expect(await Session.exists({ _id: bobs })).not.toBeNull();
    expect(await Review.find({}, "userId -_id").lean()).toEqual([{ userId: bob._id }]);
    expect(await Notification.countDocuments()).toBe(1);
    expect(await IdempotencyKey.countDocuments({ userId: bob._id })).toBe(1);
    expect(await Tour.findById(shared._id).lean()).toMatchObject({ avgRating: 5, reviewCount: 1 });
    expect(await Tour.findById(alone._id).lean()).toMatchObject({ avgRating: 0, reviewCount: 0 });
    // Bookings are the platform's.
    expect(await Booking.countDocuments({ userId: ann._id })).toBe(2);
  });

  test("takes the e-mails about reviews that were deleted before", async () => {
    const { ann } = await scene();
    const [review] = await Review.find({ userId: ann._id });
    await deleteReview(as(ann), review!._id.toString());
    expect(await Notification.countDocuments({ explorerId: ann._id })).toBeGreaterThan(0);
    await remove(ann);
    expect(await Notification.countDocuments({ explorerId: ann._id })).toBe(0);
  });

  test("leaves the tours of a guide, and takes the e-mails to the guide", async () => {
    const { shared } = await scene();
    await remove({ _id: shared.createdById });
    expect(await Tour.findById(shared._id).lean()).toMatchObject({ reviewCount: 2 });
    expect(await Notification.countDocuments({ guideId: shared.createdById })).toBe(0);
    expect(await Notification.countDocuments()).toBe(1);
  });

  test("needs the password, counted together with log-ins", async () => {
    const { ann } = await scene();
    const token = await tokenOf(ann);
    await expect(remove(ann, "")).rejects.toMatchObject({
      fields: { password: "Enter your password." },
    });
    for (let time = 0; time < WRONG_PASSWORDS; time++)
      await expect(remove(ann, "wrong")).rejects.toMatchObject({
        status: 400,
        fields: { password: WRONG_PASSWORD },
      });
    await expect(remove(ann)).rejects.toMatchObject({ message: /^Too many wrong passwords/ });
    expect(await findUserByToken(token)).not.toBeNull();
    expect(await Review.countDocuments({ userId: ann._id })).toBe(2);
  });

  test("can be asked for again after it was cut off anywhere", async () => {
    const { ann } = await scene();
    const cut = vi.spyOn(Review, "deleteOne").mockImplementationOnce(() => {
      throw new Error("cut off");
    });
    await expect(remove(ann)).rejects.toThrow("cut off");
    cut.mockRestore();
    expect(await checkRatings()).toEqual([]);
    await remove(ann);
    await expectNothingOf(ann);

    const { ann: other } = await scene();
    const cutLater = vi.spyOn(User, "deleteOne").mockImplementationOnce(() => {
      throw new Error("cut off");
    });
    await expect(remove(other)).rejects.toThrow("cut off");
    cutLater.mockRestore();
    await remove(other);
    await expectNothingOf(other);
  });

  test("leaves no review that was being written meanwhile", async () => {
    for (let round = 0; round < 5; round++) {
      const ann = await makeUser();
      const tours = await Promise.all(Array.from({ length: 6 }, () => makeTour()));
      for (const tour of tours) await makeBooking(ann, tour);
      const post = ({ _id }: { _id: Types.ObjectId }, ms: number) =>
        new Promise((resolve) => setTimeout(resolve, ms)).then(() =>
          createReviewOnce(as(ann), _id.toString(), { tourId: _id.toString(), rating: 5 }),
        );
      const [deleted, ...posted] = await Promise.allSettled([
        remove(ann),
        ...tours.map((tour, index) => post(tour, (index + round) * 12)),
      ]);
      expect(deleted.status).toBe("fulfilled");
      for (const post of posted)
        if (post.status === "rejected")
          expect(post.reason).toMatchObject({ status: 401, message: "Unauthorized" });
      await expectNothingOf(ann);
    }
    expect(await Notification.countDocuments()).toBe(0);
  });

  test("leaves no review whose transaction looked at the account before it was gone", async () => {
    const tour = await makeTour();
    const ann = await makeGuest(tour);
    const deleteOne = User.deleteOne.bind(User);
    vi.spyOn(User, "deleteOne").mockImplementationOnce((async () => {
      // Another process's post: it has seen the author, and commits when the account is gone.
      const session = await User.startSession();
      session.startTransaction({ readConcern: { level: "snapshot" } });
      await Tour.updateOne({ _id: tour._id }, { $inc: { ratingsVersion: 1 } }, { session });
      expect(await User.exists({ _id: ann._id }).session(session)).not.toBeNull();
      await deleteOne({ _id: ann._id });
      const review = { userId: ann._id, tourId: tour._id, rating: 4, createdAt: new Date() };
      await Review.create([review], { session });
      await session.commitTransaction();
      await session.endSession();
    }) as never);
    await remove(ann);
    await expectNothingOf(ann);
  });

  test("of an author who is gone a post is refused with 401", async () => {
    const tour = await makeTour();
    const ann = await makeGuest(tour);
    await User.deleteOne({ _id: ann._id });
    const post = createReview(as(ann), { tourId: tour._id.toString(), rating: 5 });
    await expect(post).rejects.toMatchObject({ status: 401, message: "Unauthorized" });
    expect(await Review.countDocuments()).toBe(0);
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ reviewCount: 0 });
  });
});
