import { expect, it } from "vitest";
import { ownerOfAddress } from "~/mail/outbox.server";
import { findSuspension } from "~/accounts/suspended.server";
import { findUser, toCurrentUser } from "~/accounts/users.server";
import { dayInWords } from "~/config/zones";
import { appeal, findCaseView } from "~/moderation/case-page.server";
import { mailedReceiptToken, sanctionToken, statementToken } from "~/moderation/links.server";
import { continueCases } from "~/moderation/notify-reporters.server";
import { makeOperator } from "~/moderation/operators.server";
import { denyReport, findMailedReceipt, openReceipt } from "~/moderation/reports/receipts.server";
import { getMisuse, sanction } from "~/moderation/sanctions/sanction-author.server";
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
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions } from "~/personal-data/deletion-worker.server";
import { appealEnd, monthsAfter } from "~/moderation/labels";
import { moderationTexts } from "~/moderation/refusal-texts";
import { Case, type CaseDocument } from "#models/case";
import { type AccountNotification, Notification } from "#models/notification";
import { Report } from "#models/report";
import { Sanction, type SanctionDocument } from "#models/sanction";
import { User, type UserDocument } from "#models/user";
import {
  addressOf,
  caseOf,
  decideAs,
  makeCaseScene,
  newOperator,
  openReceiptsOf,
  report,
} from "../support/cases";
import { useDatabase } from "../support/database";
import { as, makeUser } from "../support/factories";
import { exportOf } from "../support/services";
import { atTime } from "../support/time";

// docs/rules/moderation.md, Misuse.

useDatabase();

const DAY_MS = 24 * 60 * 60 * 1_000;
const PEER = "198.51.100.9";
const EMAIL = "rita@example.test";

const FORBIDDEN = { status: 403 };
const UNKNOWN = { status: 404 };
const CHANGED = { status: 412 };
const WARN_FIRST = { fields: { kind: expect.stringMatching(/^Warn first/) } };

/** A decided case of one report, and the report's id. */
async function decided(action: "keep" | "remove", fields = {}, caller?: UserDocument) {
  const scene = await makeCaseScene();
  await report(addressOf(scene.review), fields, caller);
  await openReceiptsOf(EMAIL);
  const found = await caseOf(scene.review);
  await decideAs(scene.operator, found, { action });
  await Notification.deleteMany({});
  const { _id } = await Report.findOne({ caseId: found._id }).orFail();
  return { ...scene, found, caseId: found._id.toString(), reporter: _id.toString() };
}
type Scene = Awaited<ReturnType<typeof decided>>;

const decidedOfRita = (action: "keep" | "remove" = "remove") =>
  decided(action, { email: EMAIL, name: "Rita" });

const look = ({ operator, caseId }: Pick<Scene, "operator" | "caseId">, of: string | null = null) =>
  getMisuse(as(operator), caseId, of);

/** Warns or suspends, as that operator sees it now. */
async function impose(
  scene: Pick<Scene, "operator" | "caseId">,
  fields: Record<string, unknown>,
  of: string | null = null,
): Promise<SanctionDocument> {
  const { operator, caseId } = scene;
  const { number } = await look(scene, of);
  const form = { number, days: "7", explanation: "Three numbers.\n\nIn a week.", ...fields };
  await sanction(as(operator), { caseId, reportId: of }, form);
  return Sanction.findOne({}).sort({ _id: -1 }).orFail().lean<SanctionDocument>();
}
const warn = (scene: Scene, of: string | null = null) => impose(scene, { kind: "warning" }, of);
const suspend = (scene: Scene, of: string | null = null) =>
  impose(scene, { kind: "suspension" }, of);

async function mailsTo(email: string) {
  const mails = await Notification.find({ "mail.to.email": email }).sort({ _id: 1 }).lean();
  // Where a line is broken is the layout's business.
  return (mails as AccountNotification[]).map(({ mail }) => ({
    ...mail!,
    text: mail!.text.replace(/\s+/g, " "),
  }));
}
const userOf = ({ _id }: UserDocument) => findUser(_id.toString());
const settle = (operator: UserDocument, { _id }: SanctionDocument, fields: object = {}) =>
  decideSanction(as(operator), _id.toString(), {
    appealed: "no",
    outcome: "taken back",
    explanation: "It was one number.",
    ...fields,
  });
const appealOf = ({ _id }: SanctionDocument, words = "No.") =>
  appealSanction(sanctionToken(_id), { words }, PEER);
const stored = ({ _id }: SanctionDocument) => Sanction.findById(_id).orFail().lean();

it("begins with a warning, which only says so", async () => {
  const scene = await decidedOfRita();
  const { author } = scene;
  expect(await look(scene)).toMatchObject({
    ...{ name: "Ann Author", email: null, scope: "account", refusal: null },
    record: { total: 1, takenDown: 1 },
    ...{ sanctions: [], number: 1, isWarned: false },
  });
  await expect(suspend(scene)).rejects.toMatchObject(WARN_FIRST);
  const warning = await warn(scene);
  expect(await userOf(author)).not.toBeNull();
  expect(await mailsTo(author.email)).toMatchObject([
    { subject: "A warning about your account", text: expect.stringContaining("Three numbers. In") },
  ]);
  const { text } = (await mailsTo(author.email))[0]!;
  expect(text).toMatch(
    /Our decision of \S+ \S+ \d{4} about the review of .?Harbour at Dawn.?: The review was removed\. .* Reason: personal data\./,
  );
  expect(text).not.toMatch(/once|repeatedly/);
  expect(await findSanction(sanctionToken(warning._id))).toMatchObject({
    ...{ kind: "warning", counts: true, explanation: "Three numbers.\n\nIn a week." },
    ...{ isAccount: false, hasAppealed: false, outcome: null, appealUntil: expect.any(Date) },
    decisions: [{ tourTitle: "Harbour at Dawn", ground: "personal-data" }],
  });
  expect(await look(scene)).toMatchObject({
    ...{ number: 2, isWarned: true },
    sanctions: [
      { kind: "warning", operator: "Olga Operator", explanation: expect.stringMatching(/^Three/) },
    ],
  });
  // It counts for twelve months.
  const yearAgo = new Date(warning.at.getTime() - 366 * DAY_MS);
  await Sanction.updateOne({ _id: warning._id }, { at: yearAgo });
  await expect(suspend(scene)).rejects.toMatchObject(WARN_FIRST);
});

it("names no decision that was taken back, and needs one that stands", async () => {
  const scene = await decidedOfRita();
  const { found, caseId, operator, author } = scene;
  await appeal(statementToken(found._id), { words: "It was mine." }, PEER);
  const { number } = await look(scene);
  await decideAs(operator, found, { action: "restore" });
  expect(await look(scene)).toMatchObject({
    record: { total: 1, takenDown: 0 },
    ...{ decisions: [], refusal: expect.stringMatching(/^Nothing that they wrote/) },
  });
  const form = { kind: "warning", number, days: "7", explanation: "Twice." };
  const warned = sanction(as(operator), { caseId, reportId: null }, form);
  await expect(warned).rejects.toMatchObject(FORBIDDEN);
  expect(await mailsTo(author.email)).toHaveLength(1);
});

it("is taken back with the last decision that it is about", async () => {
  const scene = await decidedOfRita();
  const { found, author } = scene;
  const second = await newOperator();
  // A second case of the same author.
  const other = await decided("remove", { email: EMAIL });
  await Case.updateOne({ _id: other.found._id }, { authorId: author._id });
  await warn(scene);
  const suspension = await suspend(scene);
  const token = sanctionToken(suspension._id);
  const restore = async (one: CaseDocument) => {
    await appeal(statementToken(one._id), { words: "It was mine." }, PEER);
    await Notification.deleteMany({});
    await decideAs(second, one, { action: "restore" });
  };
  expect((await findSanction(token)).decisions).toHaveLength(2);
  await restore(found);
  expect(await findSanction(token)).toMatchObject({ counts: true, decisions: [{}] });
  expect(await userOf(author)).toBeNull();
  await restore(other.found);
  expect(await findSanction(token)).toMatchObject({ counts: false, decisions: [] });
  expect(await userOf(author)).not.toBeNull();
  const mails = (await mailsTo(author.email)).map(({ text }) => text);
  expect(mails.filter((text) => text.includes("It is taken back"))).toHaveLength(2);
  expect((await look(scene)).isWarned).toBe(false);
});

it("of a reporter names what they reported and was kept, and ends when that is removed after all", async () => {
  const removed = await decidedOfRita();
  expect((await look(removed, removed.reporter)).refusal).toMatch(/^Everything that they reported/);
  const scene = await decidedOfRita("keep");
  const warning = await warn(scene, scene.reporter);
  const token = sanctionToken(warning._id);
  expect((await findSanction(token)).decisions).toMatchObject([
    { done: "The review stays as it is.", tourTitle: null },
  ]);
  await Case.updateOne({ _id: scene.found._id }, { state: "appealed" });
  await decideAs(await newOperator(), scene.found, { action: "remove" });
  expect(await findSanction(token)).toMatchObject({ counts: false, decisions: [] });
});

it("suspends an account for a time: nobody acts as its owner, and that ends by itself", async () => {
  const scene = await decidedOfRita();
  const { author } = scene;
  await User.updateOne({ _id: author._id }, { name: "Ann <b>" });
  await warn(scene);
  const { _id, until, at } = await suspend(scene);
  expect(until!.getTime() - at.getTime()).toBe(7 * DAY_MS);
  expect(await userOf(author)).toBeNull();
  const path = `/sanctions/${sanctionToken(_id)}`;
  expect(await findSuspensionPath(author._id.toString())).toBe(path);
  const [, mail] = await mailsTo(author.email);
  const title = `Your account is suspended until ${dayInWords(until!, "UTC")}`;
  expect(mail!.subject).toBe(title);
  for (const words of [
    `${title}. Until then you cannot log in`,
    "Three numbers. In a week.",
    "/about/reviews#misuse",
    path,
    "download your data and delete your account",
    `You can appeal until ${dayInWords(appealEnd(at), "UTC")}`,
    "go to court",
    "A person decided this, not software.",
  ])
    expect(mail!.text).toContain(words);
  expect(mail!.html).not.toContain("<b>");
  await User.updateOne({ _id: author._id }, { suspendedUntil: new Date(Date.now() - 1) });
  expect(await userOf(author)).not.toBeNull();
  expect((await look(scene)).refusal).toMatch(/has not ended yet/);
});

it("is refused without a reason, for another time, or with what the operator has not seen", async () => {
  const scene = await decidedOfRita();
  const { operator, author, guide, caseId } = scene;
  const refused = (fields: object, refusal: object, by = operator) =>
    expect(
      impose({ operator: by, caseId }, { kind: "suspension", ...fields }),
    ).rejects.toMatchObject(refusal);
  await refused({ kind: "" }, { fields: { kind: "Choose what to do." } });
  await refused({ kind: "warning", explanation: " " }, { status: 400 });
  await warn(scene);
  for (const days of ["", "8", "1e9"])
    await refused({ days }, { fields: { days: "Choose for how long." } });
  // Another operator has warned meanwhile.
  await refused({ number: 1 }, CHANGED);
  // Nobody decides in a case of their own, nor about nobody.
  for (const own of [author, guide]) {
    await makeOperator(own.email);
    await refused({ kind: "warning" }, FORBIDDEN, own);
  }
  const anonymous = await makeCaseScene();
  await report(addressOf(anonymous.review));
  const open = (await caseOf(anonymous.review))._id;
  const { _id } = await Report.findOne({ caseId: open }).orFail();
  const undecided = { operator, caseId: open.toString() };
  await expect(look(undecided, _id.toString())).rejects.toMatchObject(UNKNOWN);
  const first = { ...FORBIDDEN, message: "Decide about the case first." };
  await expect(impose(undecided, { kind: "warning" })).rejects.toMatchObject(first);
  expect(await Sanction.countDocuments()).toBe(1);
});

it("is stored once by two operators at once", async () => {
  const { caseId, operator, author } = await decidedOfRita();
  const form = { number: 1, kind: "warning", days: "7", explanation: "At once." };
  const both = [operator, await newOperator()].map((one) =>
    sanction(as(one), { caseId, reportId: null }, form),
  );
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const lost = outcomes.find(({ status }) => status === "rejected");
  expect(lost).toMatchObject({ reason: CHANGED });
  expect(await Sanction.countDocuments()).toBe(1);
  expect(await mailsTo(author.email)).toHaveLength(1);
});

it("refuses the reports of a suspended reporter, by address and by account", async () => {
  const scene = await decidedOfRita("keep");
  await warn(scene, scene.reporter);
  const { _id, ...suspension } = await suspend(scene, scene.reporter);
  const ofAddress = { scope: "reports", subject: ownerOfAddress(EMAIL), email: EMAIL };
  expect(suspension).toMatchObject(ofAddress);
  expect((await mailsTo(EMAIL)).map(({ subject }) => subject)).toEqual([
    "A warning about your reports",
    expect.stringMatching(/^Your reports are not accepted for now until /),
  ]);
  const { review, guide } = await makeCaseScene();
  const rita = await makeUser({ email: EMAIL });
  await expect(report(addressOf(review), {}, rita)).rejects.toMatchObject({
    ...FORBIDDEN,
    message: expect.stringContaining("do not accept your reports"),
  });
  expect(await Case.countDocuments({ reviewId: review._id })).toBe(0);
  // Others report as before, and so does somebody of whom nothing is known.
  await report(addressOf(review));
  await report(addressOf(review), { email: "other@example.test" }, guide);
  // Reporting alone is what is suspended.
  expect(await userOf(rita)).not.toBeNull();
  // When it is over, they are accepted again.
  await Sanction.updateOne({ _id }, { until: new Date(Date.now() - 1) });
  await report(addressOf(review), { email: EMAIL });
  expect(await caseOf(review)).toMatchObject({ reports: 3 });
});

it("tells nobody else that an address is suspended: its report looks like any other, and is not taken", async () => {
  const scene = await decidedOfRita("keep");
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
  expect(await both()).toMatchObject({ state: "open", wasMailed: true, isChanged: false });
  expect(await caseOf(review)).toMatchObject({ reports: 1, version: 1 });
  expect(JSON.stringify(await Report.find({ caseId: null }).lean())).not.toMatch(/Unheard|"Rita"/);
  await decideAs(operator, await caseOf(review), { action: "keep" });
  expect(await both()).toMatchObject({ state: "decided", appealUntil: expect.any(Date) });
  // A decision that was made is refused to both.
  const refusal = { ...FORBIDDEN, message: moderationTexts.alreadyDecided };
  for (const email of [EMAIL, "other@example.test"])
    await expect(report(addressOf(review), { ...fields, email })).rejects.toMatchObject(refusal);
});

it("of an address comes only after the link of its e-mail was used by a button", async () => {
  const { review, operator } = await makeCaseScene();
  const receipt = await report(addressOf(review), { email: EMAIL });
  const found = await caseOf(review);
  await decideAs(operator, found, { action: "keep" });
  const { _id } = await Report.findOne({ caseId: found._id }).orFail();
  const scene = { operator, caseId: found._id.toString() };
  const ofRita = () => look(scene, _id.toString());
  const unknown = { ...UNKNOWN, message: expect.stringContaining("Nobody knows who reported it") };
  await expect(ofRita()).rejects.toMatchObject(unknown);
  // Neither the page after the form nor a look at the mailed link proves anything.
  await findCaseView(receipt);
  await findMailedReceipt(mailedReceiptToken(_id));
  await expect(openReceipt(receipt, PEER)).rejects.toMatchObject(UNKNOWN);
  const whom = { caseId: scene.caseId, reportId: _id.toString() };
  const form = { kind: "warning", number: 1, days: "7", explanation: "No." };
  await expect(sanction(as(operator), whom, form)).rejects.toMatchObject(unknown);
  await openReceipt(mailedReceiptToken(_id), PEER);
  expect(await ofRita()).toMatchObject({ email: EMAIL, scope: "reports", refusal: null });
  // Too late to deny it, which would hide whose it is.
  await denyReport(mailedReceiptToken(_id), PEER);
  expect(await ofRita()).toMatchObject({ email: EMAIL });
});

it("of an address that has an account is the account's, with all that is known under either name", async () => {
  const scene = await decidedOfRita("keep");
  await warn(scene, scene.reporter);
  // The same person, with an account by now, and logged in.
  const rita = await makeUser({ email: EMAIL, name: "Rita" });
  const second = await decided("remove", {}, rita);
  const known = { record: { total: 2, takenDown: 1 }, isWarned: true, number: 2 };
  const asAccount = { ...known, name: "Rita", email: null };
  expect(await look(second, second.reporter)).toMatchObject(asAccount);
  expect(await look(scene, scene.reporter)).toMatchObject(asAccount);
  expect(await suspend(scene, scene.reporter)).toMatchObject({ subject: rita._id.toString() });
  expect((await look(second, second.reporter)).refusal).toMatch(/has not ended yet/);
  // A report that gives only the address is refused, too.
  const other = await makeCaseScene();
  await report(addressOf(other.review), { email: EMAIL });
  expect(await Case.countDocuments({ reviewId: other.review._id })).toBe(0);
});

it("can be appealed once, without a log-in, and another operator ends it", async () => {
  const scene = await decidedOfRita();
  const { author, operator } = scene;
  await warn(scene);
  const suspension = await suspend(scene);
  const { _id, at } = suspension;
  const token = sanctionToken(_id);
  const forged = appealSanction(`${token}x`, { words: "No." }, PEER);
  await expect(forged).rejects.toMatchObject(UNKNOWN);
  await expect(appealOf(suspension, " ")).rejects.toMatchObject({ status: 400 });
  await atTime(at.getTime() + 190 * DAY_MS, async () => {
    const late = appealSanction(token, { words: "Late." }, PEER);
    await expect(late).rejects.toMatchObject(FORBIDDEN);
  });
  await appealOf(suspension, "It was one number.");
  await expect(appealOf(suspension, "Again.")).rejects.toMatchObject(FORBIDDEN);
  expect(await waitingSanctions()).toMatchObject([
    { id: _id.toString(), subject: "Ann Author", appeal: { text: "It was one number." } },
  ]);
  // The decider has seen the appeal, and is another operator where there is one.
  await expect(settle(operator, suspension)).rejects.toMatchObject(CHANGED);
  const second = await newOperator();
  const appealed = { appealed: "yes" };
  await expect(settle(operator, suspension, appealed)).rejects.toMatchObject(FORBIDDEN);
  // Nobody else can, while the other one is suspended.
  await User.updateOne({ _id: second._id }, { suspendedUntil: new Date(Date.now() + DAY_MS) });
  expect((await getSanction(as(operator), _id.toString())).refusal).toBeNull();
  await User.updateOne({ _id: second._id }, { suspendedUntil: null });
  await Notification.deleteMany({});
  await settle(second, suspension, appealed);
  expect(await userOf(author)).not.toBeNull();
  expect((await User.findById(author._id).orFail().lean()).suspendedUntil).toBeNull();
  expect(await waitingSanctions()).toEqual([]);
  const [mail] = await mailsTo(author.email);
  expect(mail!.subject).toMatch(/^Our decision: your account is suspended until \d/);
  expect(mail!.text).toContain(
    "We looked at your appeal, and changed the decision. It is taken back, and no longer counts.",
  );
  expect(mail!.text).not.toContain("download your data");
  expect(await findSanction(token)).toMatchObject({ counts: false, outcome: { stands: false } });
  expect((await getSanction(as(second), _id.toString())).refusal).toMatch(/was decided/);
  await expect(settle(second, suspension, appealed)).rejects.toMatchObject(CHANGED);
});

it("stands when the appeal is not upheld, and an operator takes a mistake back without one", async () => {
  const scene = await decidedOfRita();
  const { author, operator } = scene;
  const warning = await warn(scene);
  await expect(settle(operator, warning, { outcome: "stands" })).rejects.toMatchObject({
    fields: { outcome: expect.any(String) },
  });
  await appealOf(warning);
  await settle(operator, warning, { appealed: "yes", outcome: "stands" });
  const suspension = await suspend(scene);
  await settle(operator, suspension);
  expect(await userOf(author)).not.toBeNull();
  // The warning still counts; once it is taken back, none does.
  const again = await suspend(scene);
  await appealOf(again);
  await settle(operator, again, { appealed: "yes", outcome: "stands" });
  const said = (await mailsTo(author.email)).map(({ text }) => text);
  expect(said[1]).toContain("We looked at your appeal, and the decision stands.");
  expect(said[1]).toContain("There is no further appeal with us.");
  expect(said[1]).not.toContain("download your data");
  expect(said[3]).toContain("We looked at our decision again. It is taken back");
  expect(said[5]).toContain("download your data");
  await Sanction.updateMany({}, { "outcome.stands": false });
  await expect(suspend(scene)).rejects.toMatchObject(WARN_FIRST);
});

it("leaves the owner the deletion by the link, after which only a hash of the address is left until the end", async () => {
  const scene = await decidedOfRita();
  const { author } = scene;
  const warning = sanctionToken((await warn(scene))._id);
  await expect(exportSuspended(warning, PEER)).rejects.toMatchObject(UNKNOWN);
  await expect(deleteSuspended(warning, PEER)).rejects.toMatchObject(UNKNOWN);
  const suspension = await suspend(scene);
  const until = suspension.until!;
  const token = sanctionToken(suspension._id);
  await appealOf(suspension);
  await deleteSuspended(token, PEER);
  expect(await User.exists({ _id: author._id })).toBeNull();
  expect(await findSanction(token)).toMatchObject({ explanation: null, isAccount: false });
  expect(await waitingSanctions()).toEqual([]);
  const left = JSON.stringify(await Sanction.find().lean());
  for (const words of [author._id.toString(), "Three numbers", author.email])
    expect(left).not.toContain(words);
  const ofAuthor = { address: ownerOfAddress(author.email) };
  await atTime(new Date(until.getTime() - 1), continueCases);
  expect((await findSuspension(ofAuthor, new Date()))!.until).toEqual(until);
  await expect(deleteSuspended(token, PEER)).rejects.toMatchObject(UNKNOWN);
  await atTime(until, continueCases);
  expect(await Sanction.countDocuments({ address: { $exists: true } })).toBe(0);
  expect(await Sanction.countDocuments({ endsAt: { $exists: true } })).toBe(0);
});

it("loses its words, and whose it is, when it no longer counts and nobody can appeal", async () => {
  const scene = await decidedOfRita();
  const [warning, suspension] = [await warn(scene), await suspend(scene)];
  expect(warning.endsAt).toEqual(monthsAfter(warning.at, 12));
  expect(suspension.endsAt).toEqual(monthsAfter(suspension.at, 6));
  await atTime(suspension.endsAt!, continueCases);
  expect(await stored(suspension)).toMatchObject({ explanation: null });
  expect((await stored(warning)).explanation).toMatch(/^Three/);
  await appealOf(warning);
  await atTime(warning.endsAt!, continueCases);
  expect((await stored(warning)).explanation).toMatch(/^Three/);
  await settle(scene.operator, warning, { appealed: "yes", outcome: "stands" });
  await atTime(warning.endsAt!, continueCases);
  const left = await Sanction.find().lean();
  const words = new RegExp(`Three|${scene.author._id.toString()}|one number`);
  expect(JSON.stringify(left)).not.toMatch(words);
  expect(left.map(({ kind, endsAt }) => [kind, endsAt])).toEqual([
    ["warning", undefined],
    ["suspension", undefined],
  ]);
});

it("goes with the account, also one that comes while that is being deleted, and is in its export", async () => {
  const scene = await decidedOfRita();
  await warn(scene);
  const user = toCurrentUser(scene.author);
  const warning = { kind: "warning" as const, scope: "account" as const };
  expect(await exportOf(user)).toMatchObject({ sanctions: [warning] });
  await deleteAccountOf(user);
  expect((await look(scene)).refusal).toMatch(/deleted/);
  const forgotten = { ...warning, explanation: null };
  expect(await Sanction.find().lean()).toMatchObject([forgotten]);
  // The sanction that an operator has just stored.
  await Sanction.create({
    ...{ ...warning, subject: user.id, number: 2, at: new Date(), explanation: "Late." },
    ...{ operatorId: scene.operator._id, caseId: scene.found._id },
  });
  await continueDeletions();
  expect(await Sanction.find().lean()).toMatchObject([forgotten, forgotten]);
  expect(await Sanction.countDocuments({ subject: { $exists: true } })).toBe(0);
});
