import { describe, expect, it } from "vitest";
import { exportData } from "~/personal-data/export.server";
import { postReview } from "~/reviews/post.server";
import { reviewEligibility } from "~/reviews/may-review.server";
import { putReply } from "~/reviews/replies/reply.server";
import { getReviewAndTour } from "~/reviews/read.server";
import { editReview } from "~/reviews/edit.server";
import { deleteReview } from "~/reviews/delete.server";
import { getCase } from "~/moderation/cases.server";
import { OWN_CASE } from "~/moderation/conflict-of-interest.server";
import { decide, CHANGED_MEANWHILE } from "~/moderation/decide.server";
import { makeOperator } from "~/moderation/operators.server";
import { Booking, COMPLETED, CONFIRMED } from "#models/booking";
import { Case } from "#models/case";
import { Decision } from "#models/decision";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";
import { beforeTransaction } from "../support/interrupt";

import { stored, useDatabase } from "../support/database";
import {
  makeReview,
  as,
  makeBookedExplorer,
  makeReply,
  makeUser,
  freshRatings,
} from "../support/factories";

// docs/rules/moderation.md, Decisions.

useDatabase();

const raw = (id: unknown) => Review.collection.findOne({ _id: id as never });

async function expectExactRatings(tourId: unknown) {
  const { avgRating, reviewCount, ratingCounts } = await Tour.findById(tourId).orFail().lean();
  expect({ avgRating, reviewCount, ratingCounts }).toEqual(await freshRatings(tourId as never));
}

async function reported() {
  const scene = await makeCaseScene();
  await report(addressOf(scene.review));
  return { ...scene, found: await caseOf(scene.review) };
}

describe("keeping", () => {
  it("changes nothing but the case and the log, and tells only who reported", async () => {
    const { review, found, operator, tour } = await reported();
    const before = await raw(review._id);
    await decideAs(operator, found, { action: "keep", explanation: "It is an opinion." });
    expect(await raw(review._id)).toEqual(before);
    await expectExactRatings(tour._id);
    const { state, decisions, openKey, endsAt } = await caseOf(review);
    expect({ state, openKey }).toEqual({ state: "decided", openKey: undefined });
    expect(endsAt!.getTime()).toBeGreaterThan(Date.now() + 180 * 24 * 3_600_000);
    expect(decisions).toMatchObject([
      { action: "keep", ground: "allowed", explanation: "It is an opinion.", onAppeal: false },
    ]);
    expect(await Decision.find().lean()).toMatchObject([
      {
        _id: decisions[0]!._id,
        caseId: found._id,
        reviewId: review._id,
        tourId: tour._id,
        kind: "review",
        action: "keep",
        ground: "allowed",
        rating: 1,
        overturns: false,
      },
    ]);
    expect(JSON.stringify(await Decision.find().lean())).not.toMatch(/opinion|Ann Author|555-0100/);
    expect(await Notification.countDocuments()).toBe(0);
  });
});

describe("removing a review", () => {
  it("moves all of it, recomputes the mean, and tells author and guide why", async () => {
    const { review, found, operator, tour, author, guide } = await reported();
    await makeReply(guide, review);
    await Tour.updateOne({ _id: tour._id }, { $set: { slug: "a/b.data" } });
    const before = await raw(review._id);
    expect(before).toMatchObject({ language: "en" });
    await decideAs(operator, found, { action: "remove", explanation: "It gives a number away." });
    expect(await raw(review._id)).toBeNull();
    const removed = await RemovedReview.findById(review._id).orFail().lean();
    expect(removed).toMatchObject({ userId: author._id, tourId: tour._id, rating: 1 });
    expect(removed.review).toEqual(before);
    await expectExactRatings(tour._id);
    expect(await Tour.findById(tour._id).lean()).toMatchObject({
      avgRating: 4.5,
      reviewCount: 2,
      removedReviews: 1,
    });
    await expect(getReviewAndTour(review._id.toString())).rejects.toMatchObject({ status: 404 });
    const mails = await Notification.find({ kind: "account" }).lean();
    expect(mails.map((mail) => "mail" in mail && mail.mail?.to.email).sort()).toEqual(
      [author.email, guide.email].sort(),
    );
    const toAuthor = JSON.stringify(mails.find(({ owner }) => owner === author._id.toString()));
    const toGuide = JSON.stringify(mails.find(({ owner }) => owner === guide._id.toString()));
    expect(toGuide).toContain("/tours/a%2Fb%2Edata");
    for (const words of ["It gives a number away.", "personal data", "/cases/", "tell us why by"])
      expect(toAuthor).toContain(words);
    // Not the words, and not by whom.
    for (const words of ["555-0100", "Olga"]) expect(JSON.stringify(mails)).not.toContain(words);
  });

  it("keeps the pair taken, whoever else looks, also where it happens while a POST looks", async () => {
    const { review, found, operator, tour, author } = await reported();
    await decideAs(operator, found, { action: "remove" });
    const body = { tourId: tour._id.toString(), rating: 5 };
    const refusal = { status: 400, message: "You have already reviewed this tour" };
    await expect(postReview(as(author), body)).rejects.toMatchObject(refusal);
    // It comes before check 7.
    await Booking.updateMany({ userId: author._id }, { status: CONFIRMED });
    await expect(postReview(as(author), body)).rejects.toMatchObject(refusal);
    await Booking.updateMany({ userId: author._id }, { status: COMPLETED });
    const shown = { id: tour._id.toString(), createdById: "", date: null };
    expect(await reviewEligibility(as(author), shown)).toMatchObject({ kind: "removed" });
    // Its first look came before the removal.
    const removed = await RemovedReview.findById(review._id).orFail().lean();
    await RemovedReview.deleteOne({ _id: review._id });
    beforeTransaction(() => RemovedReview.create(removed));
    const late = postReview(as(author), body);
    await expect(late).rejects.toMatchObject(refusal);
  });

  it("takes the guide's waiting e-mail along, and no Idempotency-Key holds a copy of its words", async () => {
    const { tour, operator, guide } = await makeCaseScene();
    const author = await makeBookedExplorer(tour);
    const body = { tourId: tour._id.toString(), rating: 2, comment: "A secret of somebody." };
    const { review } = await postReview(as(author), body, { key: "key-1" });
    const _id = (await Review.findOne({ userId: author._id }).orFail())._id;
    expect(await Notification.countDocuments({ guideId: guide._id, state: "pending" })).toBe(1);
    await report(`/reviews/${review.id}`);
    await decideAs(operator, await caseOf({ _id }), { action: "remove" });
    expect(await Notification.countDocuments({ guideId: guide._id })).toBe(0);
    expect(JSON.stringify(await IdempotencyKey.find().lean())).not.toContain("secret");
  });

  it("is undone whole, and never once its author has deleted it", async () => {
    const { review, found, operator, tour } = await reported();
    const before = await raw(review._id);
    await decideAs(operator, found, { action: "remove" });
    await Case.updateOne({ _id: found._id }, { state: "appealed" });
    await decideAs(operator, found, { action: "restore" });
    expect(await raw(review._id)).toEqual(before);
    expect(await RemovedReview.countDocuments()).toBe(0);
    await expectExactRatings(tour._id);
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ removedReviews: 0 });
    expect(await Decision.find().sort({ _id: 1 }).lean()).toMatchObject([
      { action: "remove", overturns: false },
      { action: "restore", overturns: true, onAppeal: true, rating: 1 },
    ]);
  });
});

describe("redacting a review", () => {
  it("takes the words, keeps the rating, and says so", async () => {
    const { review, found, operator, tour } = await reported();
    await decideAs(operator, found, { action: "redact" });
    const shown = (await getReviewAndTour(review._id.toString())).review;
    expect(shown).toMatchObject({ rating: 1, comment: null });
    expect(shown.redaction).toMatchObject({ ground: "personal-data" });
    await expectExactRatings(tour._id);
    expect((await caseOf(review)).removedText).toBe("Call him at 555-0100.");
    await Case.updateOne({ _id: found._id }, { state: "appealed" });
    await decideAs(operator, found, { action: "restore" });
    const restored = (await getReviewAndTour(review._id.toString())).review;
    expect(restored).toMatchObject({ comment: "Call him at 555-0100.", redaction: null });
  });

  it.each([
    {
      action: "redact",
      forget: () => Case.updateMany({}, { $unset: { removedText: true } }),
      message: "It cannot come back: its author has deleted it.",
    },
    {
      action: "remove",
      forget: () => RemovedReview.updateMany({}, { $unset: { review: true } }),
      message: "That is not possible with what there is now.",
    },
  ])(
    "gives nothing back after a $action whose words are gone",
    async ({ action, forget, message }) => {
      const { operator, review } = await makeCaseScene();
      await report(addressOf(review));
      const found = await caseOf(review);
      await decideAs(operator, found, { action });
      await Case.updateOne({ _id: found._id }, { state: "appealed" });
      await forget();
      const other = await makeUser();
      await makeOperator(other.email);
      const before = await stored();
      const decided = decideAs(other, found, { action: "restore" });
      await expect(decided).rejects.toThrow(message);
      expect(await stored()).toBe(before);
    },
  );

  it("gives the words back, too, when the review was removed on an appeal and comes back then", async () => {
    const { review, found, operator, tour } = await reported();
    const before = await raw(review._id);
    await decideAs(operator, found, { action: "redact" });
    for (const action of ["remove", "restore"]) {
      await Case.updateOne({ _id: found._id }, { state: "appealed" });
      await decideAs(operator, found, { action });
    }
    expect(await raw(review._id)).toEqual(before);
    await expectExactRatings(tour._id);
    const { removedText, decisions } = await caseOf(review);
    expect({ removedText, decisions: decisions.length }).toEqual({
      ...{ removedText: undefined, decisions: 3 },
    });
  });

  it("leaves its author the rest of the 24 hours for new words, which are looked at again", async () => {
    const { review, found, operator, author } = await reported();
    await decideAs(operator, found, { action: "redact" });
    const id = review._id.toString();
    await editReview(as(author), id, { rating: 2 });
    expect((await getReviewAndTour(id)).review).toMatchObject({ comment: null, rating: 2 });
    expect((await caseOf(review)).state).toBe("decided");
    await editReview(as(author), id, { comment: "He was late." });
    expect((await getReviewAndTour(id)).review).toMatchObject({
      comment: "He was late.",
      redaction: null,
    });
    const again = await caseOf(review);
    expect(again).toMatchObject({ state: "open", snapshot: { rating: 2, text: "He was late." } });
    expect(again.removedText).toBeUndefined();
    await report(addressOf(review), { reason: "hateful" });
    expect(await Case.countDocuments()).toBe(1);
  });
});

describe("removing a reply", () => {
  it("takes it down, and its guide cannot write another", async () => {
    const { review, guide, operator } = await makeCaseScene();
    await makeReply(guide, review, { text: "You know where I live." });
    await report(`${addressOf(review)}#reply`, { reason: "danger" });
    const found = await caseOf(review, "reply");
    await decideAs(operator, found, { action: "remove", ground: "danger" });
    const id = review._id.toString();
    expect((await getReviewAndTour(id)).review.reply).toBeNull();
    await expect(putReply(as(guide), id, { text: "Another." })).rejects.toMatchObject({
      status: 403,
      message: "This reply was removed by a decision",
    });
    await Case.updateOne({ _id: found._id }, { state: "appealed" });
    await decideAs(operator, found, { action: "restore" });
    expect((await getReviewAndTour(id)).review.reply?.text).toBe("You know where I live.");
    expect((await Reply.findById(review._id).orFail()).hidden).toBeNull();
  });
});

describe("refuses", () => {
  it("whoever is concerned, or has reported it", async () => {
    const scene = await makeCaseScene();
    const rita = await makeUser({ name: "Rita" });
    await report(addressOf(scene.review), {}, rita);
    const found = await caseOf(scene.review);
    for (const user of [scene.author, scene.guide, rita]) await makeOperator(user.email);
    for (const user of [scene.author, scene.guide, rita])
      await expect(decideAs(user, found, { action: "keep" })).rejects.toMatchObject({
        status: 403,
        message: OWN_CASE,
      });
    expect(await Decision.countDocuments()).toBe(0);
  });

  it("the operator who decided before, about an appeal, where there is another one", async () => {
    const { found, operator } = await reported();
    await decideAs(operator, found, { action: "remove" });
    await Case.updateOne({ _id: found._id }, { state: "appealed" });
    const other = await makeUser();
    await makeOperator(other.email);
    await expect(decideAs(operator, found, { action: "restore" })).rejects.toMatchObject({
      status: 403,
    });
    await decideAs(other, found, { action: "keep", ground: "personal-data" });
    expect((await caseOf({ _id: found.reviewId })).decisions).toHaveLength(2);
  });

  it("what an operator has not seen: another decision, another text, another reply", async () => {
    const { review, found, operator, author, guide } = await reported();
    const id = found._id.toString();
    const look = async () => {
      const { version, tag, reports, appeals } = await getCase(as(operator), id);
      return {
        version,
        tag,
        reports,
        appeals: appeals.length,
        action: "keep",
        ground: "allowed",
        explanation: "x",
        reference: "",
      };
    };
    const lookAgain = { status: 412, message: CHANGED_MEANWHILE };
    const changes = [
      () => editReview(as(author), review._id.toString(), { comment: "Other words." }),
      () => putReply(as(guide), review._id.toString(), { text: "A reply." }),
      () => putReply(as(guide), review._id.toString(), { text: "Another reply." }),
    ];
    for (const change of changes) {
      const form = await look();
      await change();
      await expect(decide(as(operator), id, form)).rejects.toMatchObject(lookAgain);
    }
    const last = await look();
    const results = await Promise.allSettled([
      decide(as(operator), id, last),
      decide(as(operator), id, { ...last, action: "remove", ground: "unlawful" }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await Decision.countDocuments()).toBe(1);
  });

  it("a ground that does not fit, and an order without what names it", async () => {
    const { found, operator } = await reported();
    for (const [fields, refusal] of [
      [
        { action: "remove", ground: "allowed" },
        { ground: "Choose the ground on which it is taken down." },
      ],
      [
        { action: "keep", ground: "hateful" },
        { ground: "Choose “allowed by the rules” for what is shown." },
      ],
      [
        { action: "remove", ground: "order" },
        { reference: "Enter the authority and the file number of its order." },
      ],
      [{ action: "restore" }, { action: "That is not possible with what there is now." }],
      [
        { action: "keep", explanation: " " },
        { explanation: "Explain the decision to those whom it concerns." },
      ],
    ] as const)
      await expect(decideAs(operator, found, fields)).rejects.toMatchObject({ fields: refusal });
    await decideAs(operator, found, {
      action: "remove",
      ground: "order",
      reference: "AG Köln 12 C 3/26",
    });
    expect(JSON.stringify(await Notification.find().lean())).toContain("AG Köln 12 C 3/26");
  });

  it("anything but keeping once the author has deleted it", async () => {
    const { review, found, operator, author } = await reported();
    await deleteReview(as(author), review._id.toString());
    await expect(decideAs(operator, found, { action: "remove" })).rejects.toMatchObject({
      status: 400,
    });
    await decideAs(operator, found, { action: "keep" });
    expect((await caseOf(review)).state).toBe("decided");
  });
});

it("is in the data that its author can download, and goes with the account", async () => {
  const { review, found, operator, author } = await reported();
  await decideAs(operator, found, { action: "remove", explanation: "It gives a number away." });
  const user = { id: author._id.toString(), name: author.name, email: author.email, image: null };
  let text = "";
  for await (const piece of await exportData(user)) text += piece;
  const data = JSON.parse(text) as Record<string, unknown[]>;
  expect(data.removedReviews).toMatchObject([
    { id: review._id.toString(), comment: "Call him at 555-0100.", rating: 1 },
  ]);
  expect(data.decisions).toMatchObject([
    { kind: "review", decisions: [{ action: "remove", explanation: "It gives a number away." }] },
  ]);
});

it("of a review of another tour changes no other tour", async () => {
  const { found, operator } = await reported();
  const other = await makeCaseScene();
  await makeReview(await makeBookedExplorer(other.tour), other.tour, { rating: 3 });
  const before = await Tour.findById(other.tour._id).lean();
  await decideAs(operator, found, { action: "remove" });
  expect(await Tour.findById(other.tour._id).lean()).toEqual(before);
});
