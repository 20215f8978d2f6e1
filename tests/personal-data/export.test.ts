import { Types } from "mongoose";
import { describe, expect, test } from "vitest";
import { postReview } from "~/reviews/post.server";
import { requestReset } from "~/accounts/log-in/password-reset.server";
import { requestSignUp } from "~/accounts/log-in/sign-up.server";
import { findUser } from "~/accounts/users.server";
import { OutboxWorker } from "~/mail/delivery.server";
import { User } from "#models/user";
import { Session } from "#models/session";
import { Booking } from "#models/booking";
import { AccessToken } from "#models/access-token";
import { tokenOf } from "../support/app";
import { useDatabase } from "../support/database";
import { as, makeAbsence, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { exportOf } from "../support/services";

useDatabase();
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
const HOUR_MS = 60 * 60 * 1_000;

/** The lists that have nothing of Ann's. */
const NOTHING = Object.fromEntries(
  `replies reviewRequests notificationsToMe accountMails removedReviews decisions reports sanctions knownNetworks
  guideVisits emailLinks`
    .split(/\s+/)
    .map((name) => [name, []]),
);

/** The current user, as routes pass it on. */
const current = async (user: { _id: Types.ObjectId }) => (await findUser(user._id.toString()))!;

/** A stored session; gives its id. */
async function makeSession(userId: Types.ObjectId, ms = HOUR_MS): Promise<string> {
  const _id = new Types.ObjectId().toString();
  await Session.create({ _id, userId, data: {}, expiresAt: new Date(Date.now() + ms) });
  return _id;
}

/** The file that the user would download. */
const exported = async (user: { _id: Types.ObjectId }) => exportOf(await current(user));

describe("my data", () => {
  test("is everything of the user, and nothing to act in their name with", async () => {
    const tour = await makeTour({ title: "Old Town Walk" });
    const guide = (await User.findById(tour.createdById).lean())!;
    const ann = await makeBookedExplorer(tour, { name: "Ann", email: "ann@example.test" });
    const led = await makeTour({ title: "Led by Ann", createdById: ann._id });
    const bob = await makeBookedExplorer(tour, { name: "Bob", email: "bob@example.test" });
    await makeAbsence(ann, tour);
    await makeAbsence(bob, led);
    const tokens = [await tokenOf(ann), await tokenOf(bob)];
    const sessionId = await makeSession(ann._id);
    await makeSession(ann._id, -1);
    await makeSession(bob._id);
    const body = { tourId: tour._id.toString(), rating: 5, comment: "By Ann" };
    const { review } = await postReview(as(ann), body, { key: "my key" });
    await postReview(as(bob), { ...body, comment: "By Bob" }, { key: "Bob's key" });

    const data = await exported(ann);

    expect(data).toEqual({
      profile: {
        id: ann._id.toString(),
        name: "Ann",
        email: "ann@example.test",
        image: null,
        hasPassword: true,
        reviewMails: "each",
        replyMails: "each",
        reviewRequests: true,
      },
      tours: [{ id: led._id.toString(), title: "Led by Ann", slug: led.slug }],
      bookings: [
        { id: ID, tourId: body.tourId, status: "COMPLETED", date: null },
        { id: ID, tourId: body.tourId, status: "NO_SHOW", date: ISO },
      ],
      absences: [{ bookingId: ID, tourId: body.tourId, date: ISO, saidAt: ISO, objectedAt: null }],
      absencesOfOthers: [
        { bookingId: ID, tourId: led._id.toString(), date: ISO, saidAt: ISO, objectedAt: null },
      ],
      reviews: [
        {
          id: review.id,
          tourId: body.tourId,
          rating: 5,
          comment: "By Ann",
          createdAt: review.createdAt,
          editedAt: null,
          verified: true,
          receipt: expect.stringMatching(/^tour-reviews receipt 1\n[^]+\nversion 1\n/),
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
      idempotencyKeys: [
        {
          key: "my key",
          review: { id: review.id, createdAt: review.createdAt, user: review.user },
          expiresAt: ISO,
        },
      ],
      accessTokens: [{ id: ID, name: "Test", createdAt: ISO, lastUsedAt: null, expiresAt: null }],
      sessions: [
        { browser: null, network: null, createdAt: null, lastUsedAt: null, expiresAt: ISO },
      ],
      ...NOTHING,
    });
    const [mail] = data.notifications as object[];
    const { name: guideName, email: guideEmail } = guide;
    expect((await exported(guide)).notificationsToMe).toContainEqual({
      guideName,
      guideEmail,
      ...mail,
    });
    const hashes = (await AccessToken.find().lean()).map(({ hash }) => hash);
    for (const secret of [...tokens, ...hashes, sessionId, ann.passwordHash!, guide.email, "Bob"])
      expect(JSON.stringify(data)).not.toContain(secret);
  });

  test("has the e-mails about the account, also of before it, and its address's links", async () => {
    const EMAIL = "ann@example.test";
    await requestSignUp({ email: EMAIL }, { clientAddress: "192.0.2.1", redirectTo: "/" });
    const ann = await makeUser({ email: EMAIL });
    await requestReset({ email: EMAIL }, "192.0.2.1");
    await requestReset({ email: "bob@example.test" }, "192.0.2.1");
    const data = await exported(ann);
    const waiting = { to: EMAIL, state: "pending", createdAt: ISO, sentAt: null };
    expect(data.accountMails).toEqual([
      { subject: "Reset your password", ...waiting },
      { subject: "Finish your sign-up", ...waiting },
    ]);
    expect(data.emailLinks).toEqual([
      { purpose: "reset", email: EMAIL, expiresAt: ISO },
      { purpose: "sign-up", email: EMAIL, expiresAt: ISO },
    ]);
    // No link that lets somebody act.
    expect(JSON.stringify(data)).not.toMatch(/[\w-]{43}/);
    await new OutboxWorker(() => Promise.resolve()).drain();
    expect((await exported(ann)).accountMails).toMatchObject([
      { subject: null, to: null, state: "sent", sentAt: ISO },
      { subject: null, to: null, state: "sent", sentAt: ISO },
    ]);
  });

  test("of any size is whole", async () => {
    const ann = await makeUser();
    const bookings = Array.from({ length: 1_100 }, () => ({
      userId: ann._id,
      tourId: new Types.ObjectId(),
      status: "COMPLETED",
    }));
    await Booking.insertMany(bookings);
    expect((await exported(ann)).bookings).toHaveLength(bookings.length);
  });
});
