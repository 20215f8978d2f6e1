import mongoose, { type Types } from "mongoose";
import { expect, it, vi } from "vitest";
import { getCase } from "~/moderation/cases.server";
import { mailedReceiptToken } from "~/moderation/links.server";
import { hasConflictOfInterest, revokeOperator } from "~/moderation/operators.server";
import { denyReport } from "~/moderation/reports/receipts.server";
import { appeal, findCaseView } from "~/moderation/case-page.server";
import { MOST_KEPT } from "~/moderation/reports/stored-report.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { toCurrentUser } from "~/accounts/users.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { monthsAfter } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";
import { Case } from "#models/case";
import { Decision } from "#models/decision";
import { Notification } from "#models/notification";
import { Operator } from "#models/operator";
import { Report } from "#models/report";
import { User, type UserDocument } from "#models/user";
import { atTime } from "../support/time";
import { beforeTransaction } from "../support/interrupt";
import {
  addressOf,
  caseOf,
  decideAs,
  decideBy,
  formOf,
  makeCaseScene,
  newOperator,
  openReceiptsOf,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";
import { as } from "../support/factories";

// Attacks by which somebody without an account, or under another name, can do to operators, to cases and to other
// people's mailboxes (docs/rules/moderation.md, Reports and Decisions).

useDatabase();

const EMAIL = "victim@example.test";
const PEER = "198.51.100.7";
const deny = ({ _id }: { _id: Types.ObjectId }) => denyReport(mailedReceiptToken(_id), PEER);
const mailsTo = (email: string) => Notification.countDocuments({ "mail.to.email": email });

it("an operator who reported while logged out does not decide, until they say that it was somebody else", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review), { email: operator.email.toUpperCase() });
  const found = await caseOf(review);
  const own = { status: 403, message: moderationTexts.ownCase };
  await expect(decideAs(operator, found, { action: "keep" })).rejects.toMatchObject(own);
  expect(await hasConflictOfInterest(operator, found)).toBe(true);
  expect((await getCase(as(operator), found._id.toString())).refusal).toBe(moderationTexts.ownCase);
  await deny(await Report.findOne().orFail());
  await decideAs(operator, found, { action: "keep" });
});

it("an operator who reported while logged out stays concerned when their address changes", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review), { email: operator.email });
  const found = await caseOf(review);
  await User.updateOne({ _id: operator._id }, { email: "elsewhere@example.test" });
  const own = { status: 403, message: moderationTexts.ownCase };
  await expect(decideAs(operator, found, { action: "keep" })).rejects.toMatchObject(own);
  // Also once the former address has proven the report.
  await openReceiptsOf(operator.email);
  await expect(decideAs(operator, found, { action: "keep" })).rejects.toMatchObject(own);
  await deleteAccountOf(toCurrentUser((await User.findById(operator._id).lean<UserDocument>())!));
  await continueDeletions();
  expect(await Report.countDocuments({ owner: operator._id.toString() })).toBe(0);
});

it("who is no operator any more decides nothing, also where they were one a moment ago", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review));
  const found = await caseOf(review);
  const form = await formOf(operator, found, { action: "remove" });
  beforeTransaction(() => revokeOperator(operator.email));
  const refusal = { status: 403, message: "You are no longer an operator." };
  await expect(decideBy(operator, found, form)).rejects.toMatchObject(refusal);
  expect(await Decision.countDocuments()).toBe(0);
  expect(await Operator.countDocuments()).toBe(0);
});

it("an address is told of a decision once for a case, however many reports name it, and never past its bound", async () => {
  const { review, operator } = await makeCaseScene();
  for (let count = 0; count < 14; count++)
    await report(addressOf(review), { email: count % 2 ? EMAIL : EMAIL.toUpperCase() });
  await report(addressOf(review), { email: "other@example.test" });
  expect(await Report.countDocuments({ email: { $ne: null } })).toBe(11);
  const found = await caseOf(review);
  await Notification.deleteMany({});
  await decideAs(operator, found, { action: "keep" });
  await continueCases();
  expect(await Notification.countDocuments()).toBe(2);
  await Case.updateOne({ _id: found._id }, { state: "appealed" });
  await decideAs(operator, found, { action: "remove" });
  await continueCases();
  expect((await mailsTo(EMAIL)) + (await mailsTo(EMAIL.toUpperCase()))).toBe(2);
  expect(await mailsTo("other@example.test")).toBe(2);
});

it("whoever reads the e-mails of an address can take it out of a report that they have not sent", async () => {
  const { review, operator } = await makeCaseScene();
  const token = await report(addressOf(review), { email: EMAIL, words: "It is rude." });
  const { _id } = await Report.findOne().orFail();
  await deny({ _id });
  expect(await Report.findById(_id).lean()).toMatchObject({ email: null, words: "It is rude." });
  expect(await findCaseView(token)).toMatchObject({ wasMailed: false });
  await Notification.deleteMany({});
  await decideAs(operator, await caseOf(review), { action: "keep" });
  await continueCases();
  expect(await mailsTo(EMAIL)).toBe(0);
});

it("reports that come meanwhile hold up no decision; the operator reads how many there were", async () => {
  const { review, operator } = await makeCaseScene();
  await report(addressOf(review));
  const found = await caseOf(review);
  const form = await formOf(operator, found, { action: "keep" });
  for (const reason of ["danger", "other"]) await report(addressOf(review), { reason });
  expect(await decideBy(operator, found, form)).toEqual({ reports: 2, appeals: 0 });
  expect(await caseOf(review)).toMatchObject({ state: "decided", reports: 3 });
});

it("appeals that come meanwhile hold up no decision, and wait for the next one", async () => {
  const { review, operator } = await makeCaseScene();
  const tokens = [await report(addressOf(review)), await report(addressOf(review))];
  const found = await caseOf(review);
  await decideAs(operator, found, { action: "keep" });
  await appeal(tokens[0]!, { words: "It is my number." }, PEER);
  const second = await newOperator();
  const form = await formOf(second, found, { action: "keep" });
  await appeal(tokens[1]!, { words: "Mine, too." }, PEER);
  expect(await decideBy(second, found, form)).toEqual({ reports: 0, appeals: 1 });
  const { state, endsAt } = await caseOf(review);
  expect({ state, endsAt }).toEqual({ state: "appealed", endsAt: undefined });
  await decideAs(operator, found, { action: "keep" });
  expect((await caseOf(review)).state).toBe("decided");
});

it("a case keeps the words, names and addresses of its first reports, and counts the others", async () => {
  const { review } = await makeCaseScene();
  await report(addressOf(review));
  await Case.updateOne({ reviewId: review._id }, { reports: MOST_KEPT });
  const token = await report(addressOf(review), { reason: "danger", email: EMAIL, name: "Rita" });
  expect(await caseOf(review)).toMatchObject({ reports: MOST_KEPT + 1, rank: 0 });
  const counted = { words: null, name: null, email: null };
  expect(await Report.findOne({ reason: "danger" }).lean()).toMatchObject(counted);
  expect(await mailsTo(EMAIL)).toBe(0);
  expect(await findCaseView(token)).toMatchObject({ state: "open", wasMailed: false });
});

it("a case that nobody decides about keeps no words after twelve months, and keeps new ones as long", async () => {
  const { review } = await makeCaseScene();
  await report(addressOf(review), { email: EMAIL });
  const { endsAt, openedAt } = await caseOf(review);
  expect(endsAt).toEqual(monthsAfter(openedAt, 12));
  await atTime(new Date(endsAt!.getTime() - 1), continueCases);
  expect((await caseOf(review)).snapshot).not.toBeNull();
  await atTime(endsAt!, continueCases);
  expect(await caseOf(review)).toMatchObject({ state: "open", snapshot: null });
  const gone = { words: null, email: null };
  expect(await Report.find().lean()).toMatchObject([gone]);
  expect(JSON.stringify(await Report.find().lean())).not.toContain("address");
  await report(addressOf(review), { words: "Still there." });
  const again = await caseOf(review);
  expect(again).toMatchObject({ reports: 2, snapshot: { text: "Call him at 555-0100." } });
  expect(again.endsAt!.getTime()).toBeGreaterThan(Date.now());
  await atTime(again.endsAt!, continueCases);
  expect(await Report.find().lean()).toMatchObject([gone, gone]);
});

it("a report whose commit's answer is lost is stored once, with one receipt", async () => {
  const { review } = await makeCaseScene();
  const { connection } = mongoose;
  const startSession = connection.startSession.bind(connection);
  vi.spyOn(connection, "startSession").mockImplementationOnce(async () => {
    const session = await startSession();
    const commit = session.commitTransaction.bind(session);
    vi.spyOn(session, "commitTransaction").mockImplementationOnce(async () => {
      await commit();
      // As a server that was started anew answers: it knows of no such transaction.
      const lost = new mongoose.mongo.MongoServerError({ message: "NoSuchTransaction", code: 251 });
      lost.addErrorLabel("TransientTransactionError");
      throw lost;
    });
    return session;
  });
  const token = await report(addressOf(review), { email: EMAIL });
  expect(await Report.find().lean()).toHaveLength(1);
  expect(await caseOf(review)).toMatchObject({ reports: 1 });
  expect(await mailsTo(EMAIL)).toBe(1);
  expect(await findCaseView(token)).toMatchObject({ state: "open" });
});
