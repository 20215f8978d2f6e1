import { Types } from "mongoose";
import { describe, expect, it } from "vitest";
import { receiptToken, statementToken } from "~/moderation/links.server";
import { appeal, findCaseView, MOST_APPEALS } from "~/moderation/case-page.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { appealEnd } from "~/moderation/labels";
import { getReviewAndTour } from "~/reviews/read.server";
import { Case } from "#models/case";
import { NO_ID } from "#models/reading";
import { Decision } from "#models/decision";
import { type AccountNotification, Notification } from "#models/notification";
import { RemovedReview } from "#models/removed-review";
import { Reply } from "#models/reply";
import { Report } from "#models/report";
import { findReports } from "~/moderation/case-reports.server";
import { atTime } from "../support/time";
import {
  addressOf,
  caseOf,
  decideAs,
  makeCaseScene,
  newOperator,
  openReceiptsOf,
  report,
} from "../support/cases";
import { beforeTransaction } from "../support/interrupt";
import { useDatabase } from "../support/database";
import { makeReply, makeReview, makeUser } from "../support/factories";
import { setTime } from "../support/time";

// docs/rules/moderation.md, Appeals: what reporters and authors read without a log-in, and what they answer.

useDatabase();

const PEER = "203.0.113.9";

async function decided(action: "keep" | "remove" = "remove") {
  const scene = await makeCaseScene();
  const token = await report(addressOf(scene.review), { email: "rita@example.test" });
  const found = await caseOf(scene.review);
  await decideAs(scene.operator, found, { action, explanation: "By rule 3." });
  return { ...scene, token, ofAuthor: statementToken(found._id), found };
}

const FORBIDDEN = { status: 403 };

const mailsTo = async (email: string) =>
  (await Notification.find({ "mail.to.email": email }).lean()) as AccountNotification[];

it("shows a reporter what was decided, and nobody's data", async () => {
  const { token } = await decided();
  const statement = await findCaseView(token);
  expect(statement).toMatchObject({
    ...{ isReporter: true, state: "decided", content: null, reviewId: null },
    ...{ isGone: false, isChanged: false },
    decisions: [{ action: "remove", ground: "personal-data", explanation: "By rule 3." }],
  });
  expect(JSON.stringify(statement)).not.toMatch(/Ann Author|Olga|555-0100|Harbour|operatorId/);
});

it("shows the author what was removed, by a link that nobody can guess", async () => {
  const { ofAuthor, found } = await decided();
  expect(await findCaseView(ofAuthor)).toMatchObject({
    isReporter: false,
    content: { tourTitle: "Harbour at Dawn", rating: 1, text: "Call him at 555-0100." },
  });
  const other = new Types.ObjectId();
  for (const token of [
    found._id.toString(),
    `${ofAuthor}x`,
    `${other.toString()}${ofAuthor.slice(24)}`,
    // Of the right case, but for the other purpose.
    receiptToken(found._id),
    statementToken(other),
  ])
    await expect(findCaseView(token), token).rejects.toMatchObject({ status: 404 });
});

describe("an appeal", () => {
  it("comes once from each side, and is decided with words by somebody else", async () => {
    const { token, ofAuthor, review, operator, author, guide } = await decided();
    await appeal(ofAuthor, { words: "It is my own number." }, PEER);
    await expect(appeal(ofAuthor, { words: "Again." }, PEER)).rejects.toMatchObject(FORBIDDEN);
    await appeal(token, { words: "It is mine." }, PEER);
    await expect(appeal(token, { words: "Again." }, PEER)).rejects.toMatchObject(FORBIDDEN);
    const found = await caseOf(review);
    const appeals = [{ by: "author" }, { by: "reporter" }];
    expect(found).toMatchObject({ state: "appealed", appeals });
    expect(found.endsAt).toBeUndefined();
    const second = await newOperator();
    const own = decideAs(operator, found, { action: "restore" });
    await expect(own).rejects.toMatchObject(FORBIDDEN);
    await Notification.deleteMany({});
    await decideAs(second, found, { action: "restore", explanation: "It is the author's own." });
    await continueCases();
    const { comment } = (await getReviewAndTour(review._id.toString())).review;
    expect(comment).toBe("Call him at 555-0100.");
    for (const email of [author.email, guide.email, "rita@example.test"])
      expect(JSON.stringify(await mailsTo(email)), email).toContain("changed the decision");
    for (const link of [token, ofAuthor])
      expect(await findCaseView(link)).toMatchObject({ state: "decided", appealUntil: null });
  });

  it("is not taken from the hundred and first, but from the author", async () => {
    const { token, ofAuthor, found } = await decided();
    const other = { by: "reporter" as const, text: "No.", at: new Date() };
    const others = Array.from({ length: MOST_APPEALS }, () => other);
    await Case.updateOne({ _id: found._id }, { $push: { appeals: { $each: others } } });
    const refusal = { status: 403, message: expect.stringContaining("So many others") };
    await expect(appeal(token, { words: "It is mine." }, PEER)).rejects.toMatchObject(refusal);
    await appeal(ofAuthor, { words: "It is my own." }, PEER);
    await Case.updateOne({ _id: found._id }, { $pull: { appeals: { by: "reporter" } } });
    await appeal(token, { words: "It is mine." }, PEER);
  });

  it("needs words, and comes within six months", async () => {
    const { token, found } = await decided("keep");
    const refusal = { fields: { words: "Write why the decision is wrong." } };
    await expect(appeal(token, { words: " " }, PEER)).rejects.toMatchObject(refusal);
    const end = appealEnd((await caseOf({ _id: found.reviewId })).decisions[0]!.at);
    setTime(end.getTime() + 1);
    expect((await findCaseView(token)).appealUntil).toBeNull();
    await expect(appeal(token, { words: "Late." }, PEER)).rejects.toMatchObject(FORBIDDEN);
    setTime(end);
    await appeal(token, { words: "In time." }, PEER);
  });
});

it("reporters are all told once, a batch at a time, also by two processes and after an interruption", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review));
  const found = await caseOf(review);
  await Report.insertMany(
    Array.from({ length: 60 }, (_, number) => ({
      caseId: found._id,
      reason: "hateful" as const,
      words: "w",
      name: null,
      at: new Date(),
      email: number % 3 ? `reporter-${number}@example.test` : null,
    })),
  );
  await decideAs(operator, found, { action: "keep", explanation: "It is an opinion." });
  let looks = 0;
  await continueCases({ stopped: () => ++looks > 2 });
  await Promise.all([continueCases(), continueCases()]);
  const mails = (await Notification.find({ kind: "account" }).lean()) as AccountNotification[];
  const addresses = new Set(mails.map(({ mail }) => mail!.to.email));
  expect([mails.length, addresses.size]).toEqual([40, 40]);
  expect(mails[0]!.mail!.text).toContain("It is an opinion.");
  expect(await Case.countDocuments({ toldAfter: { $exists: true } })).toBe(0);
});

describe("words", () => {
  it("are removed six months after the last decision; the log, the counts and the pair stay", async () => {
    const { token, ofAuthor, review, found } = await decided();
    await continueCases();
    const { endsAt } = await caseOf(review);
    await atTime(new Date(endsAt!.getTime() - 1), continueCases);
    expect((await caseOf(review)).snapshot).not.toBeNull();
    await atTime(endsAt!, continueCases);
    expect(await findCaseView(ofAuthor)).toMatchObject({
      content: { rating: null, text: null },
      decisions: [{ action: "remove", explanation: null }],
    });
    expect((await findCaseView(token)).appealUntil).not.toBeNull();
    expect(await Report.findOne({ caseId: found._id }).lean()).toMatchObject({
      reason: "personal-data",
    });
    expect(await Decision.countDocuments()).toBe(1);
    const left = JSON.stringify([
      await Case.find().lean(),
      await Report.find().lean(),
      await RemovedReview.find().lean(),
    ]);
    expect(left).not.toMatch(/555-0100|rita@|rule 3|My number/);
  });

  it("of a reply that was taken down go with them; its reporters are told, also beside a case that always fails", async () => {
    const broken = await makeCaseScene();
    await report(addressOf(broken.review));
    // Somebody has changed the database by hand: there is nothing to tell of.
    const { _id } = await caseOf(broken.review);
    await Case.updateOne({ _id }, { $set: { toldAfter: NO_ID, decisions: [] } });
    const { review, guide, operator } = await makeCaseScene();
    await makeReply(guide, review, { text: "You know where I live." });
    await report(`${addressOf(review)}#reply`, { email: "rita@example.test" });
    await decideAs(operator, await caseOf(review, "reply"), { action: "remove" });
    await Notification.deleteMany({});
    await continueCases();
    expect(await mailsTo("rita@example.test")).toHaveLength(1);
    const { endsAt } = await caseOf(review, "reply");
    await atTime(endsAt!, continueCases);
    expect(await Reply.findById(review._id).lean()).toMatchObject({ text: null, hidden: null });
  });

  it("stay where somebody appeals just before", async () => {
    const { ofAuthor, review } = await decided();
    await continueCases();
    const { endsAt } = await caseOf(review);
    // The first transaction is that of the reports.
    beforeTransaction(() => appeal(ofAuthor, { words: "It is my own number." }, PEER));
    await atTime(endsAt!, continueCases);
    expect(await caseOf(review)).toMatchObject({
      state: "appealed",
      snapshot: { text: "Call him at 555-0100." },
    });
  });
});

// The reports of a case as an operator sees them, with what became of the reporters' other ones.

it("reports are told with how many others of the same account or address led to something", async () => {
  const { review, tour, operator } = await makeCaseScene();
  const rita = await makeUser();
  for (const action of ["remove", "remove", "keep", "redact"]) {
    const other = await makeReview(await makeUser(), tour, { comment: "Words" });
    await report(addressOf(other), {}, rita);
    if (action === "redact") await report(addressOf(other), { email: "anna@example.test" });
    await decideAs(operator, await caseOf(other), { action });
  }
  // Given back on appeal.
  const first = (await Case.findOne().sort({ _id: 1 }))!;
  await Case.updateOne({ _id: first._id }, { state: "appealed" });
  await decideAs(await newOperator(), first, { action: "restore" });
  await report(addressOf(review), {}, rita);
  await report(addressOf(review), { email: "anna@example.test" });
  await report(addressOf(review), { email: "first@example.test" });
  await report(addressOf(review));
  for (const email of ["anna@example.test", "first@example.test"]) await openReceiptsOf(email);
  const { items, next } = await findReports((await caseOf(review))._id, null);
  expect(items.map(({ earlier }) => earlier)).toEqual([
    { total: 4, takenDown: 2 },
    { total: 1, takenDown: 1 },
    { total: 0, takenDown: 0 },
    null,
  ]);
  expect(next).toBeNull();
});
