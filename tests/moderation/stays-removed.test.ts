import { expect, it } from "vitest";
import { toCurrentUser } from "~/accounts/users.server";
import { inTransaction } from "~/db/transaction.server";
import { TourTransaction } from "~/reviews/change-tour.server";
import { removeReview } from "~/reviews/removal.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { importData } from "~/import/import.server";
import { makeOperator } from "~/moderation/operators.server";
import { Case } from "#models/case";
import { Decision } from "#models/decision";
import { Operator } from "#models/operator";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { addressOf, caseOf, decideAs, makeCaseScene, report } from "../support/cases";
import { beforeTransaction } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { makeReply, freshRatings } from "../support/factories";

// What operators have removed comes back by no other way (docs/rules/moderation.md, Decisions).

useDatabase();

async function decided(action: "remove" | "redact") {
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

it.each(["remove", "redact"] as const)("not by an import of what it was (%s)", async (action) => {
  const scene = await decided(action);
  const before = await Review.find().lean();
  const counts = await importData({ reviews: [recordOf(scene)] });
  expect(counts.reviews).toEqual({ new: 0, changed: 0, unchanged: 0, leftOut: 1 });
  // Under another id, too.
  if (action === "remove")
    await importData({ reviews: [{ ...recordOf(scene), id: "b".repeat(24) }] });
  expect(await Review.find().lean()).toEqual(before);
});

it("not by an import that has looked before it was removed", async () => {
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
  const { author, review, guide } = await decided("remove");
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
