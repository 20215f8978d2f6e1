import { Types } from "mongoose";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { AccessToken } from "../../models/access-token";
import { Booking } from "../../models/booking";
import { IdempotencyKey } from "../../models/idempotency-key";
import { Notification } from "../../models/notification";
import { Review } from "../../models/review";
import { Session } from "../../models/session";
import { Tour } from "../../models/tour";
import { User } from "../../models/user";
import { createTokenFor, findUserByToken, listTokens } from "~/services/accounts/tokens.server";
import { EMAIL_TAKEN } from "~/services/accounts/sign-up.server";
import { findUser } from "~/services/accounts/users.server";
import { WRONG_LOGIN } from "~/services/accounts/log-in.server";
import { WRONG_PASSWORD } from "~/services/accounts/passwords.server";
import { deleteAccount, exportData } from "~/services/accounts/personal-data.server";
import { myReviews, toursToReview } from "~/services/reviews/my-reviews.server";
import { updateProfile } from "~/services/accounts/profile.server";
import { createReviewOnce } from "~/services/reviews/idempotency.server";
import { WRONG_PASSWORDS } from "~/services/limits.server";
import { checkRatings } from "~/services/reviews/ratings.server";
import { listReviews } from "~/services/reviews/list.server";
import { createReview } from "~/services/reviews/create.server";
import { deleteReview } from "~/services/reviews/delete.server";
import { EDIT_WINDOW_MS } from "~/services/reviews/limits";
import { updateReview } from "~/services/reviews/update.server";
import { call, logIn, startApp, tokenOf, type App } from "../support/app";
import { databaseUri, useDatabase } from "../support/database";
import {
  as,
  makeBooking,
  makeGuest,
  makeReview,
  makeTour,
  makeUser,
  PASSWORD,
} from "../support/factories";

useDatabase();

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
const NOW = new Date("2026-05-20T12:00:00Z");
const before = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR_MS = 60 * 60 * 1_000;

/** The current user, as routes pass it on. */
const current = async (user: { _id: Types.ObjectId }) => (await findUser(user._id.toString()))!;

/** A stored session; gives its id. */
async function makeSession(userId: Types.ObjectId, ms = HOUR_MS): Promise<string> {
  const _id = new Types.ObjectId().toString();
  await Session.create({ _id, userId, data: {}, expiresAt: new Date(Date.now() + ms) });
  return _id;
}

describe("the profile", () => {
  test("takes a name and a picture, which the reviews show at once", async () => {
    const tour = await makeTour();
    const ann = await makeUser({ name: "Ann" });
    await makeReview(ann, tour);
    await listReviews(tour._id.toString());

    const image = "https://img.example.test/ann.png?size=2";
    await updateProfile(await current(ann), { name: "  Ann  Green ", image: ` ${image} ` });

    expect(await findUser(ann._id.toString())).toMatchObject({ name: "Ann Green", image });
    const { reviews } = await listReviews(tour._id.toString());
    expect(reviews[0]!.user).toEqual({ name: "Ann Green", image });
  });

  test("takes an empty picture as none, and leaves everything else alone", async () => {
    const ann = await makeUser({ image: "https://img.example.test/ann.png" });
    await User.collection.updateOne({ _id: ann._id }, { $set: { platform: "field" } });
    await updateProfile(await current(ann), { name: "Ann", image: " " });
    expect(await User.collection.findOne({ _id: ann._id })).toEqual({
      ...ann,
      name: "Ann",
      image: null,
      platform: "field",
    });
  });

  test("keeps a picture of another kind that the platform has set", async () => {
    const ann = await makeUser({ image: "/pictures/ann.png" });
    await updateProfile(await current(ann), { name: "Ann", image: "/pictures/ann.png" });
    expect(await current(ann)).toMatchObject({ name: "Ann", image: "/pictures/ann.png" });
  });

  test("reports every field at once and changes nothing", async () => {
    const ann = await makeUser();
    const user = await current(ann);
    const refusal = updateProfile(user, { name: "", image: "ann.png" });
    await expect(refusal).rejects.toMatchObject({
      status: 400,
      fields: { name: "Enter your name.", image: expect.stringMatching(/https:/) },
    });
    expect(await current(ann)).toEqual(user);
  });

  test.each([
    ["unencrypted", "http://img.example.test/ann.png"],
    ["of a scheme to be guessed", "//img.example.test/ann.png"],
    ["a script", "javascript:alert(1)"],
    ["inline", "data:image/png;base64,AAAA"],
    ["no address", "https://"],
    ["with a password", "https://ann:secret@img.example.test/ann.png"],
    ["too long", "https://img.example.test/".padEnd(2_049, "a")],
  ])("refuses a picture that is %s", async (_, image) => {
    const user = await current(await makeUser());
    const refusal = updateProfile(user, { name: "Ann", image });
    await expect(refusal).rejects.toMatchObject({ fields: { image: expect.any(String) } });
  });

  test("takes a picture's address of 2,048 characters", async () => {
    const ann = await makeUser();
    const image = "https://img.example.test/".padEnd(2_048, "a");
    await updateProfile(await current(ann), { name: "Ann", image });
    expect(await current(ann)).toMatchObject({ image });
  });
});

describe("my reviews", () => {
  test("are the user's own, newest first, with their tours and what can be done", async () => {
    const [old, edge, fresh] = [
      await makeTour({ title: "Old" }),
      await makeTour({ title: "Edge" }),
      await makeTour({ title: "Fresh" }),
    ];
    const ann = await makeUser();
    const edgeReview = await makeReview(ann, edge, { createdAt: before(EDIT_WINDOW_MS) });
    await makeReview(ann, old, { createdAt: before(EDIT_WINDOW_MS + 1), comment: "Long ago" });
    await makeReview(ann, fresh, { createdAt: NOW, rating: 2, editedAt: NOW });
    await makeReview(await makeUser(), fresh, { createdAt: NOW });

    expect(await myReviews(as(ann), { clock: () => NOW })).toEqual([
      {
        id: ID,
        rating: 2,
        comment: null,
        createdAt: NOW.toISOString(),
        edited: true,
        editableUntil: new Date(NOW.getTime() + EDIT_WINDOW_MS).toISOString(),
        tour: { title: "Fresh", slug: fresh.slug },
      },
      // What the page says can be edited is what a PATCH takes: not strictly more than 24 hours.
      expect.objectContaining({ id: edgeReview._id.toString(), editableUntil: NOW.toISOString() }),
      expect.objectContaining({ comment: "Long ago", edited: false, editableUntil: null }),
    ]);
    const edit = updateReview(
      as(ann),
      edgeReview._id.toString(),
      { rating: 1 },
      { clock: () => NOW },
    );
    await expect(edit).resolves.toMatchObject({ rating: 1 });
  });

  test("of a tour that is gone are still there", async () => {
    const ann = await makeUser();
    await makeReview(ann, { _id: new Types.ObjectId() });
    expect(await myReviews(as(ann), { clock: () => NOW })).toMatchObject([{ tour: null }]);
  });

  test("cost the same number of queries however many they are", async () => {
    const ann = await makeUser();
    for (let count = 0; count < 4; count++) {
      await makeReview(ann, await makeTour());
      await makeBooking(ann, await makeTour());
    }
    const sent = vi.fn();
    const client = Review.db.getClient().on("commandStarted", sent);
    expect(await myReviews(as(ann), { clock: () => NOW })).toHaveLength(4);
    expect(sent).toHaveBeenCalledTimes(2);
    expect(await toursToReview(as(ann))).toHaveLength(4);
    expect(sent).toHaveBeenCalledTimes(5);
    client.off("commandStarted", sent);
  });
});

test("tours to review have a completed booking and no review, and are others' tours", async () => {
  const ann = await makeUser();
  const [early, late, undated, reviewed, open, others] = [
    await makeTour({ title: "Early" }),
    await makeTour({ title: "Late" }),
    await makeTour({ title: "Undated" }),
    await makeTour(),
    await makeTour(),
    await makeTour(),
  ];
  await makeBooking(ann, early, { date: before(9 * HOUR_MS) });
  await makeBooking(ann, late, { date: before(4 * HOUR_MS) });
  await makeBooking(ann, late, { date: before(2 * HOUR_MS) });
  await makeBooking(ann, undated);
  await makeBooking(ann, reviewed);
  await makeReview(ann, reviewed);
  await makeBooking(ann, open, { status: "CONFIRMED" });
  await makeBooking(await makeUser(), others);
  await makeBooking(ann, await makeTour({ createdById: ann._id }));
  await makeBooking(ann, { _id: new Types.ObjectId() });

  expect(await toursToReview(as(ann))).toEqual([
    { title: "Late", slug: late.slug, date: before(2 * HOUR_MS).toISOString() },
    { title: "Early", slug: early.slug, date: before(9 * HOUR_MS).toISOString() },
    { title: "Undated", slug: undated.slug, date: null },
  ]);
});

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

describe("the pages", () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp(databaseUri());
  });
  afterAll(() => app.stop());

  const get = (path: string, cookie?: string) => call(app, "GET", path, { cookie });
  const post = (path: string, fields: Record<string, string>, cookie?: string) =>
    call(app, "POST", path, { cookie, raw: new URLSearchParams(fields) });
  const cookieOf = (answer: { headers: Headers }) =>
    answer.headers
      .getSetCookie()
      .map((value) => value.split(";")[0]!)
      .join("; ");
  /** The text that a reader sees, on one line. */
  const shown = ({ text }: { text: string }) =>
    text
      .replace(/<(script|style)\b.*?<\/\1>/gs, "")
      .replace(/<!--.*?-->|<[^>]+>/gs, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'")
      .replace(/\s+/g, " ");
  const inputs = ({ text }: { text: string }) => [...text.matchAll(/<input [^>]*>/g)].map(String);
  const title = ({ text }: { text: string }) => /<title>(.*?)<\/title>/.exec(text)?.[1];

  describe("nobody", () => {
    const MINE = ["/me", "/me/account", "/me/account/delete", "/me/account?tab=1"];
    it.each(MINE)("is sent from %s to log in, and back", async (path) => {
      const answers = [await get(path)];
      // The others have forms.
      if (path !== "/me") answers.push(await post(path, { intent: "profile", password: PASSWORD }));
      for (const { status, headers } of answers)
        expect([status, headers.get("location")]).toEqual([
          302,
          `/login?redirectTo=${encodeURIComponent(path)}`,
        ]);
    });

    it("who asks for the data comes back to the page with its link", async () => {
      const answer = await get("/me/data.json");
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe("/login?redirectTo=%2Fme%2Faccount");
      expect(answer.text).toBe("");
    });

    it("is asked by scripts for the page, not for its data", async () => {
      const answer = await get("/me.data");
      expect(answer.text).toContain('/login?redirectTo=%2Fme"');
    });
  });

  describe("signing up", () => {
    const form = { name: "Ann", email: "ann@example.test", password: "seven blue boats" };

    it("logs in, leads back and says so once", async () => {
      const answer = await post("/signup", { ...form, redirectTo: "/tours/old?stars=5" });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/tours/old?stars=5"]);
      const cookie = cookieOf(answer);
      const first = await get("/me", cookie);
      expect(shown(first)).toContain("Welcome, Ann.");
      expect(shown(await get("/me", cookie))).not.toContain("Welcome, Ann.");
      expect(await Session.find().lean()).toMatchObject([{ userId: expect.anything() }]);
      await logIn(app, form.email, form.password);
    });

    it("shows every error, and gives back what was written but the password", async () => {
      const answer = await post("/signup?redirectTo=%2Fme", {
        name: " ",
        email: "ann<b>",
        password: "short me",
      });
      expect(answer.status).toBe(400);
      expect(title(answer)).toBe("Sign up · Tour Reviews");
      for (const text of ["Enter your name.", "Enter an e-mail address", "at least 10 characters"])
        expect(shown(answer)).toContain(text);
      expect(answer.text).toContain('value="ann&lt;b&gt;"');
      expect(answer.text).toContain('name="redirectTo" value="/me"');
      expect(answer.text).not.toContain("short me");
      expect(inputs(answer).filter((input) => input.includes('aria-invalid="true"'))).toHaveLength(
        3,
      );
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(await User.countDocuments()).toBe(0);
    });

    it("says that an address is taken, and keeps that account as it is", async () => {
      await makeUser({ name: "First", email: "ANN@example.test" });
      const answer = await post("/signup", form);
      expect(answer.status).toBe(400);
      expect(shown(answer)).toContain(EMAIL_TAKEN);
      expect(await User.find({}, "name -_id").lean()).toEqual([{ name: "First" }]);
    });

    it("an empty form, other fields and another site's address do no harm", async () => {
      expect((await post("/signup", {})).status).toBe(400);
      const answer = await post("/signup", {
        ...form,
        redirectTo: "https://evil.example/",
        image: "https://evil.example/x.png",
        reviewMails: "none",
        _id: "0".repeat(24),
      });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
      expect(await User.collection.findOne()).toEqual({
        _id: expect.toSatisfy((id: Types.ObjectId) => id.toString() !== "0".repeat(24)),
        name: "Ann",
        email: "ann@example.test",
        image: null,
        passwordHash: expect.any(String),
      });
    });

    it("keeps the way back between log-in and sign-up, and passes who is logged in", async () => {
      const query = "redirectTo=%2Ftours%2Fold";
      expect((await get(`/login?${query}`)).text).toContain(`href="/signup?${query}"`);
      expect((await get(`/signup?${query}`)).text).toContain(`href="/login?${query}"`);
      const cookie = await logIn(app, (await makeUser()).email);
      for (const path of ["/login", "/signup"]) {
        const answer = await get(`${path}?${query}`, cookie);
        expect([answer.status, answer.headers.get("location")]).toEqual([302, "/tours/old"]);
      }
    });
  });

  it("a refused log-in gives the address back, and the password never", async () => {
    const { email } = await makeUser();
    const answer = await post("/login", { email, password: "guess 1234" });
    expect(answer.status).toBe(400);
    expect(shown(answer)).toContain(WRONG_LOGIN);
    expect(answer.text).toContain(`value="${email}"`);
    expect(answer.text).not.toContain("guess 1234");
  });

  describe("my reviews", () => {
    it("show what waits, what is written and what can be done with it", async () => {
      const [waiting, fresh, old] = [
        await makeTour({ title: "Waiting & <Walk>" }),
        await makeTour({ title: "Fresh Walk" }),
        await makeTour({ title: "Old Walk" }),
      ];
      const ann = await makeGuest(waiting);
      const freshReview = await makeReview(ann, fresh, {
        createdAt: new Date(Date.now() - 30 * 60_000),
        comment: "<script>alert(1)</script>",
      });
      const oldReview = await makeReview(ann, old, { createdAt: before(EDIT_WINDOW_MS) });
      const bobs = await makeReview(await makeUser(), fresh, { comment: "By Bob" });

      const page = await get("/me", await logIn(app, ann.email));

      expect([page.status, title(page)]).toEqual([200, "My reviews · Tour Reviews"]);
      expect(page.text).toContain(`href="/tours/${waiting.slug}#write"`);
      expect(shown(page)).toContain("Write a review of Waiting &amp; &lt;Walk&gt;");
      expect(shown(page)).toContain("23 hours left to edit");
      expect(page.text).toContain(`href="/reviews/${freshReview._id.toString()}/edit"`);
      expect(page.text).toContain(`href="/reviews/${freshReview._id.toString()}/delete"`);
      expect(page.text).not.toContain(`href="/reviews/${oldReview._id.toString()}/edit"`);
      expect(page.text).toContain(`href="/reviews/${oldReview._id.toString()}/delete"`);
      expect(page.text).not.toContain("<script>alert");
      expect(page.text).not.toContain(bobs._id.toString());
      expect(page.text).not.toContain("By Bob");
    });

    it("say so when there are none", async () => {
      const page = await get("/me", await logIn(app, (await makeUser()).email));
      expect(shown(page)).toContain("You have not reviewed a tour yet.");
      expect(shown(page)).not.toContain("Waiting for your review");
    });
  });

  describe("the account", () => {
    const PATH = "/me/account";

    /** Ann, logged in. */
    async function ann() {
      const user = await makeUser({ name: "Ann", email: "ann@example.test" });
      const cookie = await logIn(app, user.email);
      return { user, cookie, send: (fields: Record<string, string>) => post(PATH, fields, cookie) };
    }

    it("has a profile that can be changed", async () => {
      const { user, cookie, send } = await ann();
      const page = await get(PATH, cookie);
      expect([page.status, title(page)]).toEqual([200, "Account · Tour Reviews"]);
      expect(page.text).toContain('value="Ann"');
      const image = "https://img.example.test/ann.png";
      const answer = await send({ intent: "profile", name: "Ann Green", image });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, PATH]);
      expect(await current(user)).toMatchObject({ name: "Ann Green", image });
      expect(shown(await get(PATH, cookie))).toContain("Your profile is saved.");
      expect(shown(await get(PATH, cookie))).not.toContain("Your profile is saved.");
    });

    it("shows a refused profile with all errors and as it was written", async () => {
      const { user, send } = await ann();
      const answer = await send({ intent: "profile", name: "", image: "http://img.example.test" });
      expect(answer.status).toBe(400);
      expect(shown(answer)).toContain("Enter your name.");
      expect(shown(answer)).toContain("starts with https://");
      expect(answer.text).toContain('value="http://img.example.test"');
      expect(answer.text).toMatch(/href="#profile-name"[^]*id="profile-name"/);
      expect(await current(user)).toMatchObject({ name: "Ann", image: null });
    });

    it("changes the password, ends all other log-ins and starts a new one", async () => {
      const { user, cookie, send } = await ann();
      const elsewhere = await logIn(app, user.email);
      const token = await tokenOf(user);
      const next = "seven blue boats";
      const answer = await send({
        intent: "password",
        currentPassword: PASSWORD,
        newPassword: next,
      });
      expect([answer.status, answer.headers.get("location")]).toEqual([302, PATH]);
      const renewed = cookieOf(answer);
      expect(renewed).not.toBe(cookie);
      for (const old of [cookie, elsewhere]) expect((await get("/me", old)).status).toBe(302);
      const page = await get(PATH, renewed);
      expect(page.status).toBe(200);
      expect(shown(page)).toContain("Your password is changed");
      expect(await findUserByToken(token)).not.toBeNull();
      await logIn(app, user.email, next);
      await expect(logIn(app, user.email)).rejects.toThrow("400");
    });

    it("refuses a wrong current password, and shows no password again", async () => {
      const { cookie, send } = await ann();
      const wrong = { intent: "password", currentPassword: "wrong one 12" };
      const answer = await send({ ...wrong, newPassword: "seven blue boats" });
      expect(answer.status).toBe(400);
      expect(shown(answer)).toContain(WRONG_PASSWORD);
      expect(answer.text).not.toMatch(/wrong one 12|seven blue boats/);
      const both = await send({ intent: "password", newPassword: "short" });
      expect(shown(both)).toContain("Enter your current password.");
      expect(shown(both)).toContain("at least 10 characters");
      expect((await get("/me", cookie)).status).toBe(200);
      for (let time = 1; time < WRONG_PASSWORDS; time++)
        await send({ ...wrong, newPassword: "seven blue boats" });
      const locked = await send({ ...wrong, newPassword: "seven blue boats" });
      expect(locked.status).toBe(400);
      expect(shown(locked)).toContain("Too many wrong passwords for this account.");
    });

    it("makes a token that is shown once and works", async () => {
      const { user, cookie, send } = await ann();
      const answer = await send({ intent: "create-token", tokenName: "Laptop" });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toMatch(/\bno-store\b/);
      const token = /trv_[\w-]{43}/.exec(shown(answer))![0];
      expect(await findUserByToken(token)).toMatchObject({ id: user._id.toString() });
      const page = await get(PATH, cookie);
      expect(page.text).not.toContain("trv_");
      expect(shown(page)).toContain("Laptop");
      expect(JSON.stringify(await Session.find().lean())).not.toContain("trv_");
      expect(app.log()).not.toContain(token);

      const refused = await send({ intent: "create-token", tokenName: " " });
      expect(refused.status).toBe(400);
      expect(shown(refused)).toContain("Enter a name for the token.");
      expect(await AccessToken.countDocuments()).toBe(1);
    });

    it("revokes its own tokens alone", async () => {
      const { user, cookie, send } = await ann();
      const bob = await makeUser();
      const anns = await createTokenFor(as(user), { tokenName: "Laptop" });
      const bobs = await createTokenFor(as(bob), { tokenName: "Phone" });
      const idOf = async (owner: { _id: Types.ObjectId }) => (await listTokens(as(owner)))[0]!.id;
      expect((await get(PATH, cookie)).text).not.toContain(await idOf(bob));

      const foreign = await send({ intent: "revoke-token", tokenId: await idOf(bob) });
      expect(foreign.status).toBe(302);
      expect(shown(await get(PATH, cookie))).toContain("That token no longer exists.");
      expect(await findUserByToken(bobs)).not.toBeNull();

      const own = await send({ intent: "revoke-token", tokenId: await idOf(user) });
      expect(own.status).toBe(302);
      expect(shown(await get(PATH, cookie))).toContain("The token “Laptop” is revoked.");
      expect(await findUserByToken(anns)).toBeNull();
      expect((await send({ intent: "revoke-token", tokenId: "nonsense" })).status).toBe(302);
    });

    it("takes no other intent", async () => {
      const { send } = await ann();
      for (const intent of ["", "delete", "constructor"])
        expect((await send({ intent })).status).toBe(400);
    });

    it("gives its data as a file that nobody keeps", async () => {
      const { user, cookie } = await ann();
      const { status, headers, json } = await call<{ profile: unknown }>(
        app,
        "GET",
        "/me/data.json",
        { cookie },
      );
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("content-disposition")).toBe('attachment; filename="tour-reviews.json"');
      expect(headers.get("cache-control")).toBe("no-store");
      expect(json).toMatchObject({ profile: { id: user._id.toString(), email: user.email } });
      expect((await post("/me/data.json", {}, cookie)).status).toBe(405);
    });

    it("can be deleted, with the password", async () => {
      const { user, cookie } = await ann();
      const tour = await makeTour();
      await makeReview(user, tour);
      const path = "/me/account/delete";
      const page = await get(path, cookie);
      expect([page.status, title(page)]).toEqual([200, "Delete my account · Tour Reviews"]);
      expect(shown(page)).toContain("Your 1 review and the e-mails about it are deleted");

      const wrong = await post(path, { password: "wrong one 12" }, cookie);
      expect(wrong.status).toBe(400);
      expect(shown(wrong)).toContain(WRONG_PASSWORD);
      expect(wrong.text).not.toContain("wrong one 12");
      expect(shown(await post(path, {}, cookie))).toContain("Enter your password.");
      expect(await User.exists({ _id: user._id })).not.toBeNull();

      const answer = await post(path, { password: PASSWORD }, cookie);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/"]);
      expect(await User.exists({ _id: user._id })).toBeNull();
      expect(await Review.countDocuments()).toBe(0);
      const home = await get("/", cookieOf(answer));
      expect(shown(home)).toContain("Your account is deleted.");
      expect(shown(home)).toContain("Log in");
      expect((await get("/me", cookie)).status).toBe(302);
      await expect(logIn(app, user.email)).rejects.toThrow("400");
    });
  });

  it("logging out ends the log-in on the server, and asking for its page does not", async () => {
    const cookie = await logIn(app, (await makeUser()).email);
    expect((await get("/logout", cookie)).status).toBe(302);
    expect((await get("/me", cookie)).status).toBe(200);
    expect((await post("/logout", {}, cookie)).status).toBe(302);
    expect((await get("/me", cookie)).status).toBe(302);
    expect(await Session.countDocuments()).toBe(0);
  });
});
