import { expect, it } from "vitest";
import { appeal } from "~/moderation/case-page.server";
import { mailedReceiptToken, statementToken } from "~/moderation/links.server";
import { revokeOperator } from "~/moderation/operators.server";
import { denyReport, openReceipt } from "~/moderation/reports/receipts.server";
import { getMisuse, sanction } from "~/moderation/sanctions/sanction-author.server";
import { decideSanction } from "~/moderation/sanctions/sanctions.server";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { toCurrentUser } from "~/accounts/users.server";
import { Case } from "#models/case";
import { Report } from "#models/report";
import { Review } from "#models/review";
import { Sanction } from "#models/sanction";
import type { UserDocument } from "#models/user";
import { beforeCommit, beforeTransaction } from "../support/interrupt";
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
import { useDatabase } from "../support/database";
import { as, makeReview } from "../support/factories";

// An act, and at the same time the end of the right to it (docs/decisions/002-rights-are-written.md).

useDatabase();

const EMAIL = "rita@example.test";
const PEER = "198.51.100.9";
const NO_OPERATOR = { status: 403, message: "You are no longer an operator." };

/** A case, and what its operator is about to do: decide, or warn the author of an earlier one, or take that back. */
async function scene(action: "keep" | "remove" = "remove") {
  const made = await makeCaseScene();
  await report(addressOf(made.review));
  const found = await caseOf(made.review);
  const form = await formOf(made.operator, found, { action });
  return { ...made, found, decide: () => decideBy(made.operator, found, form) };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** The sanction that an operator is about to impose on the author of a case. */
async function imposing(operator: UserDocument, caseId: string, kind = "warning") {
  const { number } = await getMisuse(as(operator), caseId, null);
  const form = { number, kind, days: "7", explanation: "By the rule." };
  return () => sanction(as(operator), { caseId, reportId: null }, form);
}

async function warning({ operator, decide, found }: Scene) {
  await decide();
  return imposing(operator, found._id.toString());
}

async function takingBack(made: Scene) {
  await (
    await warning(made)
  )();
  const { _id } = await Sanction.findOne().orFail();
  const form = { appealed: "no", outcome: "taken back", explanation: "It was one number." };
  return () => decideSanction(as(made.operator), _id.toString(), form);
}

/** The suspension of that operator for a review, by another one who has warned them. */
async function suspending({ operator, tour }: Scene) {
  const judge = await newOperator();
  const review = await makeReview(operator, tour, { comment: "Rude." });
  await report(addressOf(review));
  const found = await caseOf(review);
  await decideAs(judge, found, { action: "remove" });
  await (
    await imposing(judge, found._id.toString())
  )();
  return imposing(judge, found._id.toString(), "suspension");
}

const ACTS: [string, (made: Scene) => Promise<() => Promise<unknown>>][] = [
  ["a decision", ({ decide }) => Promise.resolve(decide)],
  ["a warning", warning],
  ["a warning that is taken back", takingBack],
];
const ENDS: [string, (made: Scene) => Promise<() => Promise<unknown>>][] = [
  ["revoked", ({ operator }) => Promise.resolve(() => revokeOperator(operator.email))],
  ["deleted", ({ operator }) => Promise.resolve(() => deleteAccountOf(toCurrentUser(operator)))],
  ["suspended", suspending],
];
const BOTH = ACTS.flatMap(([act, prepare]) =>
  ENDS.map(([end, prepareEnd]) => ({ act, end, prepare, prepareEnd })),
);

it.each(BOTH)(
  "$act is not made once its operator has been $end",
  async ({ prepare, prepareEnd }) => {
    const made = await scene();
    const [act, end] = [await prepare(made), await prepareEnd(made)];
    const ended = beforeCommit(end);
    await act();
    const { result, wasFirst } = await ended;
    expect(result).not.toBeInstanceOf(Error);
    expect(wasFirst).toBe(false);
  },
);

it.each(BOTH)("$act is refused while its operator is being $end", async (both) => {
  const made = await scene();
  const [act, end] = [await both.prepare(made), await both.prepareEnd(made)];
  const acted = beforeCommit(act);
  await end();
  expect((await acted).result).toMatchObject(NO_OPERATOR);
});

it("nobody is warned for a decision that is being taken back", async () => {
  const made = await scene();
  const { found, review, operator } = made;
  const warn = await warning(made);
  await appeal(statementToken(found._id), { words: "It was mine." }, PEER);
  const restored = beforeCommit(() => decideAs(operator, found, { action: "restore" }));
  await warn();
  const { result, wasFirst } = await restored;
  expect(result).not.toBeInstanceOf(Error);
  expect(wasFirst).toBe(false);
  expect(await Review.exists({ _id: review._id })).not.toBeNull();
  expect(await Sanction.findOne().lean()).toMatchObject({ outcome: { stands: false } });
});

it("two decisions at once that take away the last two leave no warning", async () => {
  const [made, other] = [await scene(), await scene()];
  await other.decide();
  await Case.updateOne({ _id: other.found._id }, { authorId: made.author._id });
  await (
    await warning(made)
  )();
  const second = await newOperator();
  for (const { found } of [made, other])
    await appeal(statementToken(found._id), { words: "It was mine." }, PEER);
  const restored = beforeCommit(() => decideAs(second, other.found, { action: "restore" }));
  await decideAs(second, made.found, { action: "restore" });
  expect((await restored).result).not.toBeInstanceOf(Error);
  expect(await Sanction.findOne().lean()).toMatchObject({ outcome: { stands: false } });
});

it("nobody decides about what they are just reporting", async () => {
  const { decide, operator, review } = await scene();
  const reported = beforeCommit(() => report(addressOf(review), { reason: "other" }, operator));
  await decide();
  expect((await reported).wasFirst).toBe(false);
});

it("a report is not taken once its reporter has been suspended", async () => {
  const { operator, decide, found, review, guide } = await scene("keep");
  await report(addressOf(review), {}, guide);
  await decide();
  const { _id } = await Report.findOne({ reporter: guide._id.toString() }).orFail();
  const whom = { caseId: found._id.toString(), reportId: _id.toString() };
  const impose = (kind: string, number: number) =>
    sanction(as(operator), whom, { kind, number, days: "7", explanation: "By the rule." });
  await impose("warning", 1);
  const another = addressOf((await Review.findOne({ _id: { $ne: review._id } }))!);
  const suspended = beforeCommit(() => impose("suspension", 2));
  await report(another, {}, guide);
  expect((await suspended).wasFirst).toBe(false);
  await expect(report(another, { reason: "danger" }, guide)).rejects.toMatchObject({
    status: 403,
  });
});

it("a report is refused when its reporter has been suspended since it was looked at", async () => {
  const { review, guide, operator, found } = await scene();
  const suspension = {
    ...{ subject: guide._id.toString(), scope: "reports", kind: "suspension", number: 1 },
    ...{ at: new Date(), until: new Date(Date.now() + 60_000), operatorId: operator._id },
    ...{ caseId: found._id, explanation: "By the rule.", appeal: null, outcome: null },
  };
  const suspend = () => Sanction.collection.insertOne({ ...suspension });
  beforeTransaction(suspend);
  const sent = report(addressOf(review), { reason: "other" }, guide);
  await expect(sent).rejects.toMatchObject({ status: 403 });
  // By its address, it is not taken.
  await Sanction.deleteMany({});
  beforeTransaction(suspend);
  await report(addressOf(review), { reason: "other", email: guide.email });
  expect((await Case.findById(found._id).orFail()).reports).toBe(1);
});

it("an address that is just being proven stays in its report", async () => {
  const { review } = await scene();
  await report(addressOf(review), { email: EMAIL });
  const { _id } = await Report.findOne({ email: EMAIL }).orFail();
  beforeTransaction(() => openReceipt(mailedReceiptToken(_id), PEER));
  await denyReport(mailedReceiptToken(_id), PEER);
  expect(await Report.findById(_id).lean()).toMatchObject({ email: EMAIL });
});
