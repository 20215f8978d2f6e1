import { describe, expect, it } from "vitest";
import { toCurrentUser } from "~/accounts/users.server";
import { postReview } from "~/reviews/post.server";
import { reviewEligibility } from "~/reviews/may-review.server";
import { putReply } from "~/reviews/replies/reply.server";
import { getReviewAndTour } from "~/reviews/read.server";
import { editReview } from "~/reviews/edit.server";
import { deleteReview } from "~/reviews/delete.server";
import { appeal } from "~/moderation/case-page.server";
import { statementToken } from "~/moderation/links.server";
import { makeOperator, revokeOperator } from "~/moderation/operators.server";
import { Booking, COMPLETED, CONFIRMED } from "#models/booking";
import { Case, type CaseDocument } from "#models/case";
import { Decision } from "#models/decision";
import { IdempotencyKey } from "#models/idempotency-key";
import { Notification } from "#models/notification";
import { RemovedReview } from "#models/removed-review";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { inTransaction } from "~/db/transaction.server";
import { TourTransaction } from "~/reviews/tour-transaction.server";
import { removeReview } from "~/reviews/removal.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { importData } from "~/import/import.server";
import { moderationTexts } from "~/moderation/refusal-texts";
import { Operator } from "#models/operator";
import { Reply } from "#models/reply";
import { Report } from "#models/report";
import { exportOf } from "../support/services";
import { as, freshRatings, makeBookedExplorer, makeReply, makeUser } from "../support/factories";
import { stored, useDatabase } from "../support/database";
import { beforeTransaction } from "../support/interrupt";
import {
  addressOf,
  caseOf,
  decideAs,
  decideBy,
  formOf,
  makeCaseScene,
  newOperator,
  report,
} from "../support/cases";

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
  return { ...scene, found: await caseOf(scene.review), id: scene.review._id.toString() };
}

/** Decides again, about an appeal. */
async function decideAgain(
  operator: UserDocument,
  { _id }: CaseDocument,
  fields: Record<string, unknown>,
) {
  await Case.updateOne({ _id }, { state: "appealed" });
  return decideAs(operator, { _id }, fields);
}

const shown = async (id: string) => (await getReviewAndTour(id)).review;

it("keeping changes nothing but the case and the log, which has no words and no names", async () => {
  const { review, found, operator, tour } = await reported();
  const before = await raw(review._id);
  await decideAs(operator, found, { action: "keep", explanation: "It is an opinion." });
  expect(await raw(review._id)).toEqual(before);
  await expectExactRatings(tour._id);
  const { state, decisions, openKey, endsAt } = await caseOf(review);
  expect({ state, openKey }).toEqual({ state: "decided", openKey: undefined });
  expect(endsAt!.getTime()).toBeGreaterThan(Date.now() + 180 * 24 * 3_600_000);
  const kept = { action: "keep", ground: "allowed" };
  expect(decisions).toMatchObject([{ ...kept, explanation: "It is an opinion.", onAppeal: false }]);
  const log = await Decision.find().lean();
  expect(log).toMatchObject([
    { ...kept, _id: decisions[0]!._id, caseId: found._id, reviewId: review._id, rating: 1 },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/opinion|Ann Author|555-0100/);
  expect(await Notification.countDocuments()).toBe(0);
});

describe("removing a review", () => {
  it("moves all of it, recomputes the mean, and tells author and guide why", async () => {
    const { review, found, operator, tour, author, guide, id } = await reported();
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
    await expect(shown(id)).rejects.toMatchObject({ status: 404 });
    const mails = await Notification.find({ kind: "account" }).lean();
    expect(mails.map((mail) => "mail" in mail && mail.mail?.to.email).sort()).toEqual(
      [author.email, guide.email].sort(),
    );
    const toAuthor = JSON.stringify(mails.find(({ owner }) => owner === author._id.toString()));
    const toGuide = JSON.stringify(mails.find(({ owner }) => owner === guide._id.toString()));
    expect(toGuide).toContain("/tours/a%2Fb%2Edata");
    for (const words of [
      "It gives a number away.",
      "personal data",
      "/cases/",
      "You can appeal until",
    ])
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
    const looked = { id: tour._id.toString(), createdById: "", date: null };
    expect(await reviewEligibility(as(author), looked)).toMatchObject({ kind: "removed" });
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

  it("is undone whole, also where the words were removed before", async () => {
    const { review, found, operator, tour } = await reported();
    const before = await raw(review._id);
    await decideAs(operator, found, { action: "redact" });
    for (const action of ["remove", "restore"]) await decideAgain(operator, found, { action });
    expect(await raw(review._id)).toEqual(before);
    expect((await caseOf(review)).removedText).toBeUndefined();
    expect(await RemovedReview.countDocuments()).toBe(0);
    await expectExactRatings(tour._id);
    expect(await Tour.findById(tour._id).lean()).toMatchObject({ removedReviews: 0 });
    expect(await Decision.find().sort({ _id: 1 }).lean()).toMatchObject([
      { action: "redact", overturns: false },
      { action: "remove" },
      { action: "restore", overturns: true, onAppeal: true, rating: 1 },
    ]);
  });
});

describe("redacting a review", () => {
  it("gives nothing back whose words are gone, nor does a removal", async () => {
    const gone = [
      ["redact", Case, { removedText: true }, "It cannot come back: its author has deleted it."],
      ["remove", RemovedReview, { review: true }, "That is not possible with what there is now."],
    ] as const;
    for (const [action, model, words, message] of gone) {
      const { operator, found } = await reported();
      await decideAs(operator, found, { action });
      await Case.updateOne({ _id: found._id }, { state: "appealed" });
      await model.collection.updateMany({}, { $unset: words });
      const other = await newOperator();
      const before = await stored();
      await expect(decideAs(other, found, { action: "restore" })).rejects.toThrow(message);
      expect(await stored()).toBe(before);
    }
  });

  it("leaves its author the rest of the 24 hours for new words, which are looked at again", async () => {
    const { review, found, operator, author, id } = await reported();
    await decideAs(operator, found, { action: "redact" });
    await editReview(as(author), id, { rating: 2 });
    expect(await shown(id)).toMatchObject({ comment: null, rating: 2 });
    expect((await caseOf(review)).state).toBe("decided");
    await editReview(as(author), id, { comment: "He was late." });
    expect(await shown(id)).toMatchObject({
      comment: "He was late.",
      redaction: null,
    });
    const again = await caseOf(review);
    expect(again).toMatchObject({ state: "open", snapshot: { rating: 2, text: "He was late." } });
    expect(again.removedText).toBeUndefined();
    await report(addressOf(review), { reason: "hateful" });
    expect(await Case.countDocuments()).toBe(1);
  });

  it("leaves an appeal against it to another operator, also when there are new words", async () => {
    const { review, found, operator, author, id } = await reported();
    await decideAs(operator, found, { action: "redact" });
    await appeal(statementToken(found._id), { words: "It is public." }, "203.0.113.1");
    await editReview(as(author), id, { comment: "He was late." });
    const again = await caseOf(review);
    expect(again).toMatchObject({ state: "appealed", snapshot: { text: "He was late." } });
    const other = await newOperator();
    await expect(decideAs(operator, again, { action: "keep" })).rejects.toMatchObject({
      status: 403,
    });
    await decideAs(other, again, { action: "keep", ground: "allowed" });
    expect((await Decision.find().sort({ at: -1 }).lean())[0]).toMatchObject({ onAppeal: true });
    expect(await shown(id)).toMatchObject({ comment: "He was late." });
  });

  it.each<[string, (other: UserDocument, author: UserDocument) => Promise<unknown>]>([
    [
      "is suspended",
      ({ _id }) => User.updateOne({ _id }, { suspendedUntil: new Date(Date.now() + 3_600_000) }),
    ],
    ["is deleted", ({ _id }) => User.deleteOne({ _id })],
    [
      "is concerned",
      async (other, author) => {
        await revokeOperator(other.email);
        await makeOperator(author.email);
      },
    ],
  ])(
    "leaves an appeal against it to its operator where the only other one %s",
    async (_, happens) => {
      const { found, operator, author } = await reported();
      const other = await newOperator();
      await decideAs(operator, found, { action: "redact" });
      await appeal(statementToken(found._id), { words: "It is public." }, "203.0.113.1");
      const form = { action: "keep", ground: "personal-data" };
      await expect(decideAs(operator, found, form)).rejects.toMatchObject({ status: 403 });
      await happens(other, author);
      await decideAs(operator, found, form);
      expect((await Decision.find().sort({ at: -1 }).lean())[0]).toMatchObject({ onAppeal: true });
    },
  );

  it("changes no decision before when it is done again, to new words", async () => {
    const { review, found, operator, author, id } = await reported();
    await decideAs(operator, found, { action: "redact" });
    await appeal(statementToken(found._id), { words: "It is public." }, "203.0.113.1");
    await editReview(as(author), id, { comment: "He was late." });
    await decideAs(await newOperator(), await caseOf(review), { action: "redact" });
    expect(await Decision.find({ onAppeal: true }).lean()).toMatchObject([{ overturns: false }]);
    expect(await caseOf(review)).toMatchObject({ removedText: "He was late." });
  });
});

it("a removed reply can come back", async () => {
  const { review, guide, operator } = await makeCaseScene();
  await makeReply(guide, review, { text: "You know where I live." });
  await report(`${addressOf(review)}#reply`, { reason: "danger" });
  const found = await caseOf(review, "reply");
  await decideAs(operator, found, { action: "remove", ground: "danger" });
  const id = review._id.toString();
  expect((await shown(id)).reply).toBeNull();
  await decideAgain(operator, found, { action: "restore" });
  expect((await shown(id)).reply?.text).toBe("You know where I live.");
});

describe("refuses", () => {
  it("whoever is concerned, or has reported it", async () => {
    const scene = await makeCaseScene();
    const rita = await makeUser({ name: "Rita" });
    await report(addressOf(scene.review), {}, rita);
    const found = await caseOf(scene.review);
    const own = { status: 403, message: moderationTexts.ownCase };
    for (const user of [scene.author, scene.guide, rita]) {
      await makeOperator(user.email);
      await expect(decideAs(user, found, { action: "keep" })).rejects.toMatchObject(own);
    }
    expect(await Decision.countDocuments()).toBe(0);
  });

  it("what an operator has not seen: another decision, another text, another reply", async () => {
    const { found, operator, author, guide, id } = await reported();
    const changes = [
      () => editReview(as(author), id, { comment: "Other words." }),
      () => putReply(as(guide), id, { text: "A reply." }),
      () => putReply(as(guide), id, { text: "Another reply." }),
    ];
    for (const change of changes) {
      const form = await formOf(operator, found, { action: "keep" });
      await change();
      const lookAgain = { status: 412, message: moderationTexts.changedMeanwhile };
      await expect(decideBy(operator, found, form)).rejects.toMatchObject(lookAgain);
    }
    const forms = [
      await formOf(operator, found, { action: "keep" }),
      await formOf(operator, found, { action: "remove" }),
    ];
    const results = await Promise.allSettled(forms.map((form) => decideBy(operator, found, form)));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await Decision.countDocuments()).toBe(1);
  });

  it("a ground that does not fit, and an order without what names it", async () => {
    const { found, operator } = await reported();
    const order = { action: "remove", ground: "order" };
    for (const [fields, field, text] of <[object, string, string][]>[
      [{ ...order, ground: "allowed" }, "ground", "Choose the ground on which it is taken down."],
      [{ ground: "hateful" }, "ground", "Choose “allowed by the rules” for what is shown."],
      [order, "reference", "Enter the authority and the file number of its order."],
      [{ action: "restore" }, "action", "That is not possible with what there is now."],
      [{ explanation: " " }, "explanation", "Explain the decision to those whom it concerns."],
    ]) {
      const decided = decideAs(operator, found, { action: "keep", ...fields });
      await expect(decided).rejects.toMatchObject({ fields: { [field]: text } });
    }
    await decideAs(operator, found, { ...order, reference: "AG Köln 12 C 3/26" });
    expect(JSON.stringify(await Notification.find().lean())).toContain("AG Köln 12 C 3/26");
  });

  it("anything but keeping once the author has deleted it", async () => {
    const { review, found, operator, author } = await reported();
    const seen = await formOf(operator, found, { action: "remove" });
    await deleteReview(as(author), review._id.toString());
    await expect(decideBy(operator, found, seen)).rejects.toMatchObject({
      status: 412,
      message: moderationTexts.changedMeanwhile,
    });
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
  const data = (await exportOf(toCurrentUser(author))) as Record<string, unknown[]>;
  expect(data.removedReviews).toMatchObject([
    { id: review._id.toString(), comment: "Call him at 555-0100.", rating: 1 },
  ]);
  expect(data.decisions).toMatchObject([
    { kind: "review", decisions: [{ action: "remove", explanation: "It gives a number away." }] },
  ]);
});

// A review that operators have removed comes back by no other way.

async function decidedScene(action: "remove" | "redact") {
  const scene = await makeCaseScene();
  await report(addressOf(scene.review));
  await decideAs(scene.operator, await caseOf(scene.review), { action });
  return scene;
}

const recordOf = ({ review, author, tour }: Awaited<ReturnType<typeof makeCaseScene>>) => ({
  id: review._id.toString(),
  userId: author._id.toString(),
  tourId: tour._id.toString(),
  rating: 1,
  comment: "Call him at 555-0100.",
  createdAt: review.createdAt.toISOString(),
});

it.each(["remove", "redact"] as const)(
  "comes not back by an import of what it was (%s)",
  async (action) => {
    const scene = await decidedScene(action);
    const before = await Review.find().lean();
    const counts = await importData({ reviews: [recordOf(scene)] });
    expect(counts.reviews).toEqual({ new: 0, changed: 0, unchanged: 0, leftOut: 1 });
    // Under another id, too.
    if (action === "remove")
      await importData({ reviews: [{ ...recordOf(scene), id: "b".repeat(24) }] });
    expect(await Review.find().lean()).toEqual(before);
  },
);

it("comes not back by an import that has looked before it was removed", async () => {
  const scene = await makeCaseScene();
  const { review, tour } = scene;
  const record = { ...recordOf(scene), rating: 5 };
  const mark = { at: new Date(), ground: "hateful" as const, caseId: review._id };
  // Another process decides.
  beforeTransaction(() =>
    inTransaction((session) => removeReview(review, mark, new TourTransaction(session))),
  );
  await importData({ reviews: [record] });
  expect(await RemovedReview.countDocuments()).toBe(1);
  expect(await Review.findById(review._id)).toBeNull();
  expect(await freshRatings(tour._id)).toMatchObject({ reviewCount: 2 });
});

it("goes with its author's account, with the words of its case; the log and the counts stay", async () => {
  const { author, review, guide } = await decidedScene("remove");
  await makeReply(guide, review, { text: "Thank you." });
  await deleteAccountOf(toCurrentUser(author));
  await continueDeletions();
  expect(await RemovedReview.countDocuments()).toBe(0);
  expect(await Reply.countDocuments()).toBe(0);
  expect(await Case.find().lean()).toMatchObject([
    { snapshot: null, state: "decided", decisions: [{ action: "remove", explanation: null }] },
  ]);
  expect(await Decision.countDocuments()).toBe(1);
});

it("nobody knows whose a report was once the account is deleted, by its id or by its address", async () => {
  const { review, author: other, guide } = await makeCaseScene();
  await makeOperator(guide.email);
  await report(addressOf(review), { name: "Rita" }, guide);
  await report(addressOf(review), { email: guide.email, name: "Rita" });
  await report(addressOf(review), { email: other.email, words: "Another's." });
  await deleteAccountOf(toCurrentUser(guide));
  await continueDeletions();
  const left = await Report.find().sort({ _id: 1 }).lean();
  expect(left.map(({ words, name, email, reporter }) => [words, name, email, reporter])).toEqual([
    [null, null, null, undefined],
    [null, null, null, undefined],
    ["Another's.", null, other.email, undefined],
  ]);
  expect(await Operator.exists({ _id: guide._id })).toBeNull();
});
