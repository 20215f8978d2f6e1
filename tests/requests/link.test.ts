import { beforeEach, describe, expect, it, test } from "vitest";
import { clearCaches } from "~/lib/cache.server";
import { deleteByLink, editByLink, postByLink, readLink, sayAbsent } from "~/requests/link.server";
import { WRITES_A_MINUTE } from "~/db/limits.server";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";
import { postReview } from "~/reviews/post.server";
import { Booking } from "#models/booking";
import { Review } from "#models/review";
import { ReviewRequest } from "#models/review-request";
import { Session } from "#models/session";
import { Tour } from "#models/tour";
import { User } from "#models/user";
import { stored, useDatabase } from "../support/database";
import { as, fillLimit, makeBookedExplorer, makeTour, makeUser } from "../support/factories";
import { mailsTo } from "../support/mail";
import { atTime } from "../support/time";
import { makeRequest } from "../support/world";

// docs/rules/review-requests.md, The page behind the link: a guest reviews a tour without a log-in.

useDatabase();
beforeEach(clearCaches);

const WORDS = { rating: 4, comment: "Good" };
const GONE = { status: 404, message: "This link no longer works." };

async function scene() {
  const tour = await makeTour({ title: "Night Walk", timeZone: "Europe/Rome" });
  // As a platform or an import makes them.
  const guest = await makeBookedExplorer(tour, { name: "Ann Lee", passwordHash: null });
  const token = await makeRequest(guest, tour);
  const options = { reader: null, clientAddress: "192.0.2.1" };
  return {
    ...{ tour, guest, token, options },
    post: (words: object = WORDS, more = {}) => postByLink(token, words, { ...options, ...more }),
    read: (reader: { id: string } | null = null) => readLink(token, reader),
    reviews: () => Review.find({ tourId: tour._id }).lean(),
  };
}

describe("the link of a request", () => {
  it("changes nothing when it is opened, also with a star in its address", async () => {
    const { read, guest, tour } = await scene();
    const before = await stored();
    expect(await read()).toMatchObject({
      kind: "ask",
      author: "Ann Lee",
      tour: { slug: tour.slug },
    });
    expect(await read(as(guest))).toMatchObject({ kind: "ask" });
    expect(await stored()).toBe(before);
  });

  it("posts a review as the guest, without a session, is then used up, and says so by e-mail", async () => {
    const { post, read, reviews, guest, token } = await scene();
    await post();
    expect(await reviews()).toMatchObject([
      { userId: guest._id, rating: 4, comment: "Good", verified: true },
    ]);
    expect(await Session.countDocuments()).toBe(0);
    const [receipt, ...others] = await mailsTo(guest.email);
    expect(others).toEqual([]);
    expect(receipt!.subject).toBe("Your review of Night Walk");
    expect(receipt!.text).toContain(`/review/${token}`);
    expect(receipt!.text.replace(/\s+/g, " ")).toMatch(
      /change or delete it until \d+ \w+ \d{4}, \d\d:\d\d, Rome time, without a log-in/,
    );
    expect(await read()).toMatchObject({ kind: "posted", review: { comment: "Good" } });
    await expect(post({ rating: 1, comment: "" })).rejects.toMatchObject({
      status: 400,
      message: "You have already reviewed this tour",
    });
  });

  it("counts what it does as changes of the guest", async () => {
    const { post, guest, token, options } = await scene();
    const refused = { status: 429, message: "Too many requests" };
    // One less, for the post.
    await fillLimit("write", guest._id.toString(), WRITES_A_MINUTE - 1);
    await post();
    const edit = editByLink(token, { comment: "Better" }, { ...options, tag: "" });
    await expect(edit).rejects.toMatchObject(refused);
    await expect(deleteByLink(token, options)).rejects.toMatchObject(refused);
    const other = await scene();
    await fillLimit("write", other.guest._id.toString(), WRITES_A_MINUTE);
    await expect(other.post()).rejects.toMatchObject(refused);
  });

  it("answers the same words again as the first time, also at the same moment", async () => {
    const { post, reviews, guest } = await scene();
    await Promise.all([post(), post(), post()]);
    await post();
    expect(await reviews()).toHaveLength(1);
    expect(await mailsTo(guest.email)).toHaveLength(1);
  });

  it.each<[string, (of: Awaited<ReturnType<typeof scene>>) => unknown, object, object]>([
    ["2", () => {}, { comment: "Good" }, { message: "Missing required fields" }],
    ["3", () => {}, { rating: 6 }, { message: "Rating must be an integer between 1 and 5" }],
    [
      "5",
      ({ tour, guest }) => Tour.updateOne({ _id: tour._id }, { createdById: guest._id }),
      WORDS,
      { message: "You cannot review your own tour" },
    ],
    [
      "6",
      ({ tour, guest }) => postReview(as(guest), { ...WORDS, tourId: tour._id.toString() }),
      WORDS,
      { message: "You have already reviewed this tour" },
    ],
    [
      "7",
      ({ guest }) => Booking.updateMany({ userId: guest._id }, { status: "CANCELLED" }),
      WORDS,
      { status: 400, message: expect.stringContaining("You can review this tour once") },
    ],
    [
      "7 of somebody suspended",
      ({ guest }) =>
        User.updateOne({ _id: guest._id }, { suspendedUntil: new Date(Date.now() + 60_000) }),
      WORDS,
      GONE,
    ],
  ])("refuses by check %s, and stays as it was", async (_, happens, words, refusal) => {
    const made = await scene();
    await happens(made);
    const before = await stored();
    await expect(made.post(words)).rejects.toMatchObject(refusal);
    expect((await ReviewRequest.findOne().lean())!.reviewId).toBeUndefined();
    expect(await stored()).toBe(before);
  });

  it("edits and deletes that review for 24 hours", async () => {
    const { post, read, reviews, token, options } = await scene();
    await post();
    const page = await read();
    const { tag } = page as Extract<typeof page, { kind: "posted" }>;
    await editByLink(token, { rating: 2, comment: "Worse" }, { ...options, tag });
    expect(await reviews()).toMatchObject([{ rating: 2, comment: "Worse" }]);
    await expect(
      editByLink(token, WORDS, { ...options, tag }),
      "changed meanwhile",
    ).rejects.toMatchObject({ status: 412 });
    await atTime(Date.now() + EDIT_WINDOW_MS + 1, async () => {
      for (const act of [
        () => editByLink(token, WORDS, { ...options, tag: "" }),
        () => deleteByLink(token, options),
      ])
        await expect(act()).rejects.toMatchObject({
          status: 403,
          message: "Reviews can only be edited within 24 hours of posting",
        });
      expect(await read()).toMatchObject({ kind: "over" });
    });
    await deleteByLink(token, options);
    expect(await reviews()).toEqual([]);
    expect(await read()).toMatchObject({ kind: "deleted" });
    // One link, one review.
    await expect(post({ rating: 5, comment: "" })).rejects.toMatchObject({ status: 400 });
  });

  it("neither edits nor deletes a review that was posted otherwise", async () => {
    const { tour, guest, token, options, read } = await scene();
    await postReview(as(guest), { ...WORDS, tourId: tour._id.toString() });
    const before = await stored();
    expect(await read()).toMatchObject({ kind: "over", tour: { slug: tour.slug } });
    for (const act of [
      () => editByLink(token, { rating: 1, comment: "" }, { ...options, tag: "" }),
      () => deleteByLink(token, options),
    ])
      await expect(act()).rejects.toMatchObject(GONE);
    expect(await stored()).toBe(before);
  });

  it("is somebody's own: who is logged in as another user learns a first name only", async () => {
    const { read, post, token, options } = await scene();
    const other = as(await makeUser());
    expect(await read(other)).toEqual({
      kind: "other",
      firstName: "Ann",
      tour: expect.objectContaining({ title: "Night Walk" }),
    });
    const before = await stored();
    const refusal = { status: 403 };
    await expect(post(WORDS, { reader: other })).rejects.toMatchObject(refusal);
    await expect(sayAbsent(token, { ...options, reader: other })).rejects.toMatchObject(refusal);
    expect(await stored()).toBe(before);
  });

  it("is used up by who did not take part, whose booking stays", async () => {
    const { token, options, read, post } = await scene();
    await sayAbsent(token, options);
    await sayAbsent(token, options);
    expect(await read()).toMatchObject({ kind: "absent" });
    await expect(post()).rejects.toMatchObject(GONE);
    expect(await Booking.countDocuments({ status: "COMPLETED" })).toBe(1);
  });

  it("leads to the tour once it is expired", async () => {
    const { read, post, tour } = await scene();
    await ReviewRequest.updateMany({}, { expiresAt: new Date() });
    expect(await read()).toMatchObject({ kind: "over", tour: { slug: tour.slug } });
    await expect(post()).rejects.toMatchObject(GONE);
  });

  test.each(["", "nope", "x".repeat(43)])("that is %j is unknown", async (token) => {
    const { options } = await scene();
    expect(await readLink(token, null)).toEqual({ kind: "over", tour: null });
    await expect(postByLink(token, WORDS, options)).rejects.toMatchObject(GONE);
  });
});
