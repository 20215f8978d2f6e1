import { describe, expect, it, test } from "vitest";
import { ownerOfAddress } from "~/mail/outbox.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { checkRatings } from "~/reviews/ratings.server";
import { Case } from "#models/case";
import { Decision } from "#models/decision";
import { Notification } from "#models/notification";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { Tour } from "#models/tour";
import { addressOf, caseOf, decideAs, makeCaseScene, newOperator, report } from "../support/cases";
import { useCrashing } from "../support/interrupt";
import { useDatabase } from "../support/database";

// docs/rules/moderation.md, Decisions: each is one transaction, whose process may be killed at any place.

useDatabase();

type Operation = "remove" | "restore" | "reply" | "report" | "tell";

const runUntil = useCrashing();

const told = (owner: { toString(): string }) =>
  Notification.countDocuments({ kind: "account", owner: owner.toString() });

/** A reported review, as far as the operation needs that; and a look at everything that the operation may change. */
async function sceneFor(operation: Operation) {
  const scene = await makeCaseScene();
  const { review, operator, author, guide, tour } = scene;
  const { _id } = review;
  if (operation !== "reply" && operation !== "report") await report(addressOf(review));
  if (operation === "restore") {
    await decideAs(operator, await caseOf(review), { action: "remove" });
    await Case.updateOne({ reviewId: _id }, { state: "appealed" });
  }
  await Notification.deleteMany({});
  const reporter = ownerOfAddress(`${_id.toString()}@crash.test`);
  const look = async () => {
    const cases = await Case.find({ reviewId: _id }).lean();
    return {
      review: await Review.collection.findOne({ _id }),
      removed: await RemovedReview.findById(_id).lean(),
      reply: await Reply.findById(_id).lean(),
      cases,
      log: await Decision.find({ reviewId: _id }).lean(),
      reports: await Report.find({ caseId: { $in: cases.map((one) => one._id) } }).lean(),
      mails: [await told(author._id), await told(guide._id), await told(reporter)],
      removedReviews: (await Tour.findById(tour._id).orFail().lean()).removedReviews,
    };
  };
  const [found] = await Case.find({ reviewId: _id }).lean();
  // Another operator decides about the appeal.
  const decides = operation === "restore" ? await newOperator() : operator;
  return { ...scene, look, caseId: found?._id, caller: operation === "reply" ? guide : decides };
}

/** The differences once all of it has happened. Mails are those to the author, the guide and the reporter. */
const WHOLE: Record<Exclude<Operation, "tell">, object> = {
  remove: {
    review: null,
    removed: { review: { comment: "Call him at 555-0100." } },
    cases: [{ state: "decided", version: 2 }],
    log: [{ action: "remove" }],
    mails: [1, 1, 0],
    removedReviews: 1,
  },
  restore: {
    review: { comment: "Call him at 555-0100.", language: "en" },
    removed: null,
    cases: [{ state: "decided", version: 3 }],
    log: [{ action: "remove" }, { action: "restore", overturns: true }],
    mails: [1, 1, 0],
    removedReviews: 0,
  },
  reply: { reply: { text: "Thank you." }, mails: [1, 0, 0] },
  report: {
    cases: [{ state: "open", version: 1 }],
    reports: [{ words: "My number." }],
    mails: [0, 0, 1],
  },
};

describe("a process killed before a write leaves all of it or nothing", () => {
  // A decision has many writes: it is killed before every fourth one, of each kind before other ones.
  test.each<[keyof typeof WHOLE, first: number, step: number]>([
    ["remove", 2, 4],
    ["restore", 3, 4],
    ["reply", 1, 1],
    ["report", 1, 1],
  ])("%s", async (operation, first, step) => {
    const happened: boolean[] = [];
    let ended: "killed" | "done" = "killed";
    for (let nth = first; ended === "killed"; nth += step) {
      const { caller, review, caseId, look } = await sceneFor(operation);
      const before = await look();
      const ids = [caller._id, review._id, caseId ?? ""].map(String);
      ended = await runUntil(operation, ids, nth);
      const after = await look();
      happened.push(JSON.stringify(after) !== JSON.stringify(before));
      if (happened.at(-1))
        expect(after, `killed before write ${nth}`).toMatchObject(WHOLE[operation]);
      expect(await checkRatings(), `killed before write ${nth}`).toEqual([]);
    }
    // It was killed at places before its commit, and then ran through.
    expect(happened.length).toBeGreaterThan(2);
    expect(happened.indexOf(true)).toBe(happened.length - 1);
  });
});

it("tells every reporter once, wherever the process that tells them is killed", async () => {
  let ended: "killed" | "done" = "killed";
  let kills = 0;
  for (; ended === "killed"; kills++) {
    const { operator, review } = await sceneFor("tell");
    const emails = [1, 2, 3].map((n) => `${n}-${review._id.toString()}@crash.test`);
    for (const email of emails) await report(addressOf(review), { email });
    await decideAs(operator, await caseOf(review), { action: "keep" });
    await Notification.deleteMany({});
    ended = await runUntil("tell reporters", [], kills + 1);
    if (ended === "killed") await continueCases();
    for (const email of emails) expect(await told(ownerOfAddress(email)), email).toBe(1);
    expect(await Case.countDocuments({ toldAfter: { $exists: true } })).toBe(0);
  }
  expect(kills).toBeGreaterThan(5);
});
