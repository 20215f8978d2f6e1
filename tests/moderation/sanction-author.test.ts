import { expect, it } from "vitest";
import { findUser } from "~/accounts/users.server";
import { ownerOfAddress } from "~/mail/outbox.server";
import { mailedReceiptToken, sanctionToken } from "~/moderation/links.server";
import { denyReport, findMailedReceipt, openReceipt } from "~/moderation/reports/receipts.server";
import { findCaseView } from "~/moderation/case-page.server";
import { ALREADY_DECIDED } from "~/moderation/reports/stored-report.server";
import { getMisuse, sanction } from "~/moderation/sanctions/sanction-author.server";
import { makeOperator } from "~/moderation/operators.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { exportData } from "~/personal-data/export.server";
import {
  appealSanction,
  deleteSuspended,
  exportSuspended,
  findSanction,
  findSuspensionPath,
} from "~/moderation/sanctions/sanction-page.server";
import {
  decideSanction,
  getSanction,
  waitingSanctions,
} from "~/moderation/sanctions/sanctions.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { findSuspension } from "~/accounts/suspended.server";
import { Case } from "#models/case";
import { Notification, type AccountNotification } from "#models/notification";
import { Report } from "#models/report";
import { Sanction, type SanctionDocument } from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import {
  addressOf,
  caseOf,
  decideAs,
  makeCaseScene,
  openReceiptsOf,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";
import { as, makeUser } from "../support/factories";

// docs/rules/moderation.md, Misuse.

useDatabase();

const DAY_MS = 24 * 60 * 60 * 1_000;
const PEER = "198.51.100.9";
const EMAIL = "rita@example.test";

/** A decided case, with a report by an address. */
async function decided() {
  const scene = await makeCaseScene();
  await report(addressOf(scene.review), { email: EMAIL, name: "Rita" });
  await openReceiptsOf(EMAIL);
  const found = await caseOf(scene.review);
  await decideAs(scene.operator, found, { action: "remove" });
  await Notification.deleteMany({});
  const { _id: reportId } = await Report.findOne({ caseId: found._id }).orFail();
  const caseId = found._id.toString();
  return { ...scene, found, author: scene.author, caseId, reporter: reportId.toString() };
}
type Scene = Awaited<ReturnType<typeof decided>>;

/** Warns or suspends, as that operator sees it now. */
async function impose(
  { operator, caseId }: Pick<Scene, "operator" | "caseId">,
  fields: Record<string, unknown>,
  of: string | null = null,
  clock = () => new Date(),
): Promise<SanctionDocument> {
  const { number } = await getMisuse(as(operator), caseId, of);
  const form = { number, days: "7", explanation: "Three numbers in a week.", ...fields };
  await sanction(as(operator), { caseId, reportId: of }, form, { clock });
  return Sanction.findOne({}).sort({ _id: -1 }).orFail().lean<SanctionDocument>();
}
const warn = (scene: Scene, of: string | null = null) => impose(scene, { kind: "warning" }, of);
const suspend = (scene: Scene, of: string | null = null) =>
  impose(scene, { kind: "suspension" }, of);

const mailsTo = async (email: string) =>
  (
    (await Notification.find({ "mail.to.email": email })
      .sort({ _id: 1 })
      .lean()) as AccountNotification[]
  ).map(({ mail }) => mail!);
const suspendedUntilOf = async ({ _id }: UserDocument) =>
  (await User.findById(_id).orFail().lean<UserDocument>()).suspendedUntil;
const userOf = ({ _id }: UserDocument) => findUser(_id.toString());
const settle = (operator: UserDocument, { _id }: SanctionDocument, fields: object) =>
  decideSanction(as(operator), _id.toString(), {
    appealed: "no",
    outcome: "taken back",
    explanation: "It was one number.",
    ...fields,
  });

it("begins with a warning, which only says so", async () => {
  const scene = await decided();
  const { author, operator, caseId } = scene;
  expect(await getMisuse(as(operator), caseId, null)).toMatchObject({
    name: "Ann Author",
    email: null,
    scope: "account",
    refusal: null,
    record: { total: 1, takenDown: 1 },
    sanctions: [],
    number: 1,
    isWarned: false,
  });
  await expect(suspend(scene)).rejects.toMatchObject({
    fields: { kind: expect.stringMatching(/^Warn first/) },
  });
  const stored = await warn(scene);
  expect(await userOf(author)).not.toBeNull();
  expect(await mailsTo(author.email)).toMatchObject([
    { subject: "A warning about your account", text: expect.stringContaining("Three numbers in") },
  ]);
  expect(await findSanction(sanctionToken(stored._id))).toMatchObject({
    kind: "warning",
    counts: true,
    explanation: "Three numbers in a week.",
    isAccount: false,
    hasAppealed: false,
    outcome: null,
    appealUntil: expect.any(String),
  });
  expect(await getMisuse(as(operator), caseId, null)).toMatchObject({
    number: 2,
    isWarned: true,
    sanctions: [
      { kind: "warning", operator: "Olga Operator", explanation: expect.stringMatching(/^Three/) },
    ],
  });
});

it("suspends an account for a time: nobody acts as its owner, and that ends by itself", async () => {
  const scene = await decided();
  const { author } = scene;
  await warn(scene);
  const stored = await suspend(scene);
  expect(stored.until!.getTime() - stored.at.getTime()).toBe(7 * DAY_MS);
  expect(await userOf(author)).toBeNull();
  expect(await findSuspensionPath(author._id.toString())).toBe(
    `/sanctions/${sanctionToken(stored._id)}`,
  );
  const [, mail] = await mailsTo(author.email);
  expect(mail!.subject).toMatch(/^Your account is suspended until \d/);
  for (const words of [
    "Three numbers in a week.",
    "/about/reviews#misuse",
    "/sanctions/",
    "appeal",
  ])
    expect(mail!.text).toContain(words);
  await User.updateOne({ _id: author._id }, { suspendedUntil: new Date(Date.now() - 1) });
  expect(await userOf(author)).toMatchObject({ name: "Ann Author" });
  const { refusal } = await getMisuse(as(scene.operator), scene.caseId, null);
  expect(refusal).toMatch(/has not ended yet/);
});

it("is refused without a reason, for another time, or with what the operator has not seen", async () => {
  const scene = await decided();
  const { operator, author, guide, caseId } = scene;
  await expect(impose(scene, { kind: "" })).rejects.toMatchObject({
    fields: { kind: "Choose what to do." },
  });
  await expect(impose(scene, { kind: "warning", explanation: " " })).rejects.toMatchObject({
    status: 400,
  });
  await warn(scene);
  for (const days of ["", "8", "1e9"])
    await expect(impose(scene, { kind: "suspension", days })).rejects.toMatchObject({
      fields: { days: "Choose for how long." },
    });
  // Another operator has warned meanwhile.
  await expect(impose(scene, { kind: "suspension", number: 1 })).rejects.toMatchObject({
    status: 412,
  });
  // Nobody decides in a case of their own, nor about nobody.
  for (const own of [author, guide]) {
    await makeOperator(own.email);
    await expect(impose({ operator: own, caseId }, { kind: "warning" })).rejects.toMatchObject({
      status: 403,
    });
  }
  const anonymous = await makeCaseScene();
  await report(addressOf(anonymous.review));
  const open = (await caseOf(anonymous.review))._id;
  const { _id } = await Report.findOne({ caseId: open }).orFail();
  await expect(getMisuse(as(operator), open.toString(), _id.toString())).rejects.toMatchObject({
    status: 404,
  });
  await expect(
    impose({ operator, caseId: open.toString() }, { kind: "warning" }),
  ).rejects.toMatchObject({ status: 403, message: "Decide about the case first." });
  expect(await Sanction.countDocuments()).toBe(1);
});

it("is stored once by two operators at once", async () => {
  const scene = await decided();
  const second = await makeUser();
  await makeOperator(second.email);
  const { caseId } = scene;
  const form = { number: 1, kind: "warning", days: "7", explanation: "At once." };
  const both = [scene.operator, second].map((operator) =>
    sanction(as(operator), { caseId, reportId: null }, form),
  );
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { status: 412 },
  });
  expect(await Sanction.countDocuments()).toBe(1);
  expect(await mailsTo(scene.author.email)).toHaveLength(1);
});

it("refuses the reports of a suspended reporter, by address and by account", async () => {
  const scene = await decided();
  const { reporter } = scene;
  await warn(scene, reporter);
  const stored = await suspend(scene, reporter);
  expect(stored).toMatchObject({ scope: "reports", subject: ownerOfAddress(EMAIL), email: EMAIL });
  expect((await mailsTo(EMAIL)).map(({ subject }) => subject)).toEqual([
    "A warning about your reports",
    expect.stringMatching(/^Your reports are not accepted for now until /),
  ]);
  const { review, guide } = await makeCaseScene();
  const rita = await makeUser({ email: EMAIL });
  await expect(report(addressOf(review), {}, rita)).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining("do not accept your reports"),
  });
  expect(await Case.countDocuments({ reviewId: review._id })).toBe(0);
  // Others report as before, and so does somebody of whom nothing is known.
  await report(addressOf(review));
  await report(addressOf(review), { email: "other@example.test" }, guide);
  // Reporting alone is what is suspended.
  expect(await userOf(rita)).not.toBeNull();
  // When it is over, they are accepted again.
  await Sanction.updateOne({ _id: stored._id }, { until: new Date(Date.now() - 1) });
  await report(addressOf(review), { email: EMAIL });
  expect(await caseOf(review)).toMatchObject({ reports: 3 });
});

it("tells nobody else that an address is suspended: its report looks like any other, and is not taken", async () => {
  const scene = await decided();
  await warn(scene, scene.reporter);
  await suspend(scene, scene.reporter);
  const { review, operator } = await makeCaseScene();
  const fields = { reason: "hateful", words: "Unheard-of words.", name: "Rita" };
  const named = await report(addressOf(review), { ...fields, email: " RITA@example.test" });
  expect(await Case.countDocuments({ reviewId: review._id })).toBe(0);
  const other = await report(addressOf(review), { ...fields, email: "other@example.test" });
  const both = async () => {
    const [one, two] = [await findCaseView(named), await findCaseView(other)];
    expect({ ...one, at: "" }).toEqual({ ...two, at: "" });
    return one;
  };
  expect(await both()).toMatchObject({ state: "open", wasMailed: true, now: "as reported" });
  expect(await caseOf(review)).toMatchObject({ reports: 1, version: 1 });
  expect(JSON.stringify(await Report.find({ caseId: null }).lean())).not.toMatch(/Unheard|"Rita"/);
  await decideAs(operator, await caseOf(review), { action: "keep" });
  expect(await both()).toMatchObject({ state: "decided", appealUntil: expect.any(String) });
  // What was decided is refused to both.
  for (const email of [EMAIL, "other@example.test"])
    await expect(report(addressOf(review), { ...fields, email })).rejects.toMatchObject({
      status: 403,
      message: ALREADY_DECIDED,
    });
});

it("of an address comes only after the link of its e-mail was used by a button", async () => {
  const { review, operator } = await makeCaseScene();
  const receipt = await report(addressOf(review), { email: EMAIL });
  const found = await caseOf(review);
  await decideAs(operator, found, { action: "keep" });
  const stored = await Report.findOne({ caseId: found._id }).orFail();
  const [caseId, reportId] = [found._id.toString(), stored._id.toString()];
  const look = () => getMisuse(as(operator), caseId, reportId);
  const unknown = { status: 404, message: expect.stringContaining("Nobody knows who reported it") };
  await expect(look()).rejects.toMatchObject(unknown);
  // Neither the page after the form nor a look at the mailed link proves anything.
  await findCaseView(receipt);
  await findMailedReceipt(mailedReceiptToken(stored._id));
  await expect(look()).rejects.toMatchObject(unknown);
  await expect(openReceipt(receipt, PEER)).rejects.toMatchObject({ status: 404 });
  await expect(
    impose({ operator, caseId }, { kind: "warning", number: 1 }, reportId),
  ).rejects.toMatchObject(unknown);
  await openReceipt(mailedReceiptToken(stored._id), PEER);
  expect(await look()).toMatchObject({ email: EMAIL, scope: "reports", refusal: null });
  // Too late to deny it, which would hide whose it is.
  await denyReport(mailedReceiptToken(stored._id), PEER);
  expect(await look()).toMatchObject({ email: EMAIL });
});

it("of an address that has an account is the account's, with all that is known under either name", async () => {
  const scene = await decided();
  await warn(scene, scene.reporter);
  // The same person, with an account by now, and logged in.
  const rita = await makeUser({ email: EMAIL, name: "Rita" });
  const second = await makeCaseScene();
  await report(addressOf(second.review), {}, rita);
  const found = await caseOf(second.review);
  await decideAs(second.operator, found, { action: "keep" });
  const { _id } = await Report.findOne({ caseId: found._id }).orFail();
  const known = { record: { total: 2, takenDown: 1 }, isWarned: true, number: 2 };
  expect(await getMisuse(as(second.operator), found._id.toString(), _id.toString())).toMatchObject({
    ...known,
  });
  expect(await getMisuse(as(scene.operator), scene.caseId, scene.reporter)).toMatchObject({
    ...known,
    name: "Rita",
    email: null,
  });
  expect(await suspend(scene, scene.reporter)).toMatchObject({ subject: rita._id.toString() });
  const { refusal } = await getMisuse(as(second.operator), found._id.toString(), _id.toString());
  expect(refusal).toMatch(/has not ended yet/);
});

it("of a reporter with an account is by the account, also where it gives only the address", async () => {
  const { review, operator } = await makeCaseScene();
  const rita = await makeUser({ name: "Rita Reporter", email: EMAIL });
  await report(addressOf(review), {}, rita);
  const found = await caseOf(review);
  await decideAs(operator, found, { action: "keep" });
  const { _id } = await Report.findOne({ caseId: found._id }).orFail();
  const scene = { operator, caseId: found._id.toString() };
  expect(await getMisuse(as(operator), scene.caseId, _id.toString())).toMatchObject({
    ...{ name: "Rita Reporter", email: null, record: { total: 1, takenDown: 0 } },
  });
  await impose(scene, { kind: "warning" }, _id.toString());
  await impose(scene, { kind: "suspension" }, _id.toString());
  expect(await mailsTo(EMAIL)).toHaveLength(2);
  const other = await makeCaseScene();
  await report(addressOf(other.review), { email: EMAIL });
  expect(await Case.countDocuments({ reviewId: other.review._id })).toBe(0);
});

it("can be appealed once, without a log-in, and another operator ends it", async () => {
  const scene = await decided();
  const { author, operator } = scene;
  await warn(scene);
  const stored = await suspend(scene);
  const token = sanctionToken(stored._id);
  await expect(appealSanction(`${token}x`, { words: "No." }, PEER)).rejects.toMatchObject({
    status: 404,
  });
  await expect(appealSanction(token, { words: " " }, PEER)).rejects.toMatchObject({ status: 400 });
  const late = { clock: () => new Date(stored.at.getTime() + 190 * DAY_MS) };
  await expect(appealSanction(token, { words: "Late." }, PEER, late)).rejects.toMatchObject({
    status: 403,
  });
  await appealSanction(token, { words: "It was one number." }, PEER);
  await expect(appealSanction(token, { words: "Again." }, PEER)).rejects.toMatchObject({
    status: 403,
  });
  expect(await waitingSanctions()).toMatchObject([
    { id: stored._id.toString(), name: "Ann Author", appeal: { text: "It was one number." } },
  ]);
  // Whoever decides has seen the appeal, and is somebody else where there is somebody.
  await expect(settle(operator, stored, {})).rejects.toMatchObject({ status: 412 });
  const second = await makeUser();
  await makeOperator(second.email);
  await expect(settle(operator, stored, { appealed: "yes" })).rejects.toMatchObject({
    status: 403,
  });
  await Notification.deleteMany({});
  await settle(second, stored, { appealed: "yes" });
  expect(await userOf(author)).not.toBeNull();
  expect(await suspendedUntilOf(author)).toBeNull();
  expect(await waitingSanctions()).toEqual([]);
  expect(await mailsTo(author.email)).toMatchObject([
    { text: expect.stringContaining("We looked at your appeal, and changed the decision.") },
  ]);
  expect(await findSanction(token)).toMatchObject({ counts: false, outcome: { stands: false } });
  expect((await getSanction(as(second), stored._id.toString())).refusal).toMatch(/was decided/);
  await expect(settle(second, stored, { appealed: "yes" })).rejects.toMatchObject({ status: 412 });
});

it("stands when the appeal is not upheld, and an operator takes a mistake back without one", async () => {
  const scene = await decided();
  const { author, operator } = scene;
  const warning = await warn(scene);
  await expect(settle(operator, warning, { outcome: "stands" })).rejects.toMatchObject({
    fields: { outcome: expect.any(String) },
  });
  await appealSanction(sanctionToken(warning._id), { words: "No." }, PEER);
  await settle(operator, warning, { appealed: "yes", outcome: "stands" });
  const suspension = await suspend(scene);
  await settle(operator, suspension, {});
  expect(await userOf(author)).not.toBeNull();
  // The warning still counts; once it is taken back, none does.
  const again = await suspend(scene);
  await settle(operator, again, {});
  await Sanction.updateOne({ _id: warning._id }, { "outcome.stands": false });
  await expect(suspend(scene)).rejects.toMatchObject({
    fields: { kind: expect.stringMatching(/^Warn first/) },
  });
});

it("counts a warning for twelve months", async () => {
  const scene = await decided();
  const { _id, at } = await warn(scene);
  await Sanction.updateOne({ _id }, { at: new Date(at.getTime() - 366 * DAY_MS) });
  await expect(suspend(scene)).rejects.toMatchObject({
    fields: { kind: expect.stringMatching(/^Warn first/) },
  });
});

it("leaves the owner the data and the deletion, by the link, while the account is suspended", async () => {
  const scene = await decided();
  const { author } = scene;
  const warning = sanctionToken((await warn(scene))._id);
  await expect(exportSuspended(warning, PEER)).rejects.toMatchObject({ status: 404 });
  await expect(deleteSuspended(warning, PEER)).rejects.toMatchObject({ status: 404 });
  const stored = await suspend(scene);
  const token = sanctionToken(stored._id);
  let text = "";
  for await (const piece of await exportSuspended(token, PEER)) text += piece;
  expect(JSON.parse(text)).toMatchObject({
    profile: { name: "Ann Author" },
    sanctions: [
      { kind: "suspension", explanation: expect.stringMatching(/^Three/) },
      { kind: "warning" },
    ],
  });
  await deleteSuspended(token, PEER);
  expect(await User.exists({ _id: author._id })).toBeNull();
  // Of it is left that the address is suspended, as a hash, until that is over.
  expect(await findSanction(token)).toMatchObject({ explanation: null, isAccount: false });
  const left = JSON.stringify(await Sanction.find().lean());
  for (const words of [author._id.toString(), "Three numbers", author.email])
    expect(left).not.toContain(words);
  const ofAuthor = { address: ownerOfAddress(author.email) };
  expect((await findSuspension(ofAuthor, new Date()))!.until).toEqual(stored.until);
  await expect(deleteSuspended(token, PEER)).rejects.toMatchObject({ status: 404 });
});

it("loses its words, and whose it is, when it no longer counts and nobody can appeal", async () => {
  const scene = await decided();
  const warning = await warn(scene);
  const suspension = await suspend(scene);
  const months = (count: number) => {
    const end = new Date(warning.at);
    end.setUTCMonth(end.getUTCMonth() + count);
    return end.getTime();
  };
  expect(warning.endsAt!.getTime()).toBe(months(12));
  expect(Math.abs(suspension.endsAt!.getTime() - months(6))).toBeLessThan(60_000);
  await continueCases({ clock: () => suspension.endsAt! });
  expect(await Sanction.findById(suspension._id).lean()).toMatchObject({ explanation: null });
  expect((await Sanction.findById(warning._id).lean())!.explanation).toMatch(/^Three/);
  await appealSanction(sanctionToken(warning._id), { words: "No." }, PEER);
  await continueCases({ clock: () => warning.endsAt! });
  expect((await Sanction.findById(warning._id).lean())!.explanation).toMatch(/^Three/);
  await settle(scene.operator, warning, { appealed: "yes", outcome: "stands" });
  await continueCases({ clock: () => warning.endsAt! });
  const left = await Sanction.find().lean();
  expect(JSON.stringify(left)).not.toMatch(
    new RegExp(`Three|${scene.author._id.toString()}|one number`),
  );
  expect(left.map(({ kind, endsAt }) => [kind, endsAt])).toEqual([
    ["warning", undefined],
    ["suspension", undefined],
  ]);
});

it("goes with the account, and is in its export", async () => {
  const scene = await decided();
  const { author } = scene;
  await warn(scene);
  const user = (await userOf(author))!;
  let text = "";
  for await (const piece of await exportData(user)) text += piece;
  expect(JSON.parse(text)).toMatchObject({ sanctions: [{ kind: "warning", scope: "account" }] });
  await deleteAccountOf(user);
  expect(await Sanction.find().lean()).toMatchObject([{ explanation: null, kind: "warning" }]);
  expect(await Sanction.countDocuments({ subject: { $exists: true } })).toBe(0);
  expect((await getMisuse(as(scene.operator), scene.caseId, null)).refusal).toMatch(/deleted/);
});

it("that comes while the account is being deleted is forgotten with the rest of it", async () => {
  const scene = await decided();
  const { author } = scene;
  const user = (await userOf(author))!;
  await deleteAccountOf(user);
  // What an operator has just stored.
  await Sanction.create({
    ...{ subject: user.id, scope: "account", kind: "warning", number: 1, at: new Date() },
    ...{ operatorId: scene.operator._id, caseId: scene.found._id, explanation: "Late." },
  });
  await continueDeletions();
  expect(await Sanction.find().lean()).toMatchObject([{ explanation: null, kind: "warning" }]);
  expect(await Sanction.countDocuments({ subject: { $exists: true } })).toBe(0);
});

it("leaves nothing of the address when the suspension is over, also where an appeal waited", async () => {
  const scene = await decided();
  await warn(scene);
  const stored = await suspend(scene);
  const token = sanctionToken(stored._id);
  await appealSanction(token, { words: "No." }, PEER);
  await deleteSuspended(token, PEER);
  expect(await waitingSanctions()).toEqual([]);
  await continueCases({ clock: () => new Date(stored.until!.getTime() - 1) });
  expect(await Sanction.countDocuments({ address: { $exists: true } })).toBe(1);
  await continueCases({ clock: () => stored.until! });
  expect(await Sanction.countDocuments({ address: { $exists: true } })).toBe(0);
  expect(await Sanction.countDocuments({ endsAt: { $exists: true } })).toBe(0);
});
