import type { Types } from "mongoose";
import { ofAddress } from "~/services/accounts/account-mails.server";
import { CONFIRMED_MS } from "~/services/moderation/operators.server";
import {
  mailedReceiptToken,
  sanctionToken,
  statementToken,
} from "~/services/moderation/links.server";
import { appealEnd } from "~/services/moderation/words";
import { Case } from "../../models/case";
import { Operator } from "../../models/operator";
import { RemovedReview } from "../../models/removed-review";
import { Report } from "../../models/report";
import { Sanction } from "../../models/sanction";
import { Session } from "../../models/session";
import { User } from "../../models/user";
import { makeUser } from "./factories";

/** Lets the sessions of an operator decide, as if they had just given their password; does nothing for anybody else. */
export async function confirmOperator(userId: Types.ObjectId): Promise<void> {
  if (!(await Operator.exists({ _id: userId }))) return;
  const confirmed = { "data.operatorUntil": Date.now() + CONFIRMED_MS };
  await Session.updateMany({ userId }, { $set: confirmed });
}

interface Scene {
  tour: { _id: Types.ObjectId };
  review: { _id: Types.ObjectId };
  author: { _id: Types.ObjectId };
  operator: { _id: Types.ObjectId };
  /** Whose review of the tour was removed. */
  removed: { _id: Types.ObjectId };
}

/** As a reader of the README sees them, which has a picture of the decision. */
const REMOVED =
  "Do not book here: call Marco at 555-0100, who does the same walk for half the price.";
const WHY = "It gives away the telephone number of somebody who has not agreed to that.";

/** A case that waits, of the review, and one in which a review was removed: the id of the one, the author's token of the other. */
export async function makeCases({ tour, review, author, operator, removed }: Scene) {
  const at = new Date();
  const case1 = {
    tourId: tour._id,
    openedAt: at,
    since: at,
    version: 1,
    reports: 1,
    rank: 1 as const,
  };
  const reasons = ["hateful" as const];
  const [open] = await Case.insertMany([
    {
      ...{ ...case1, reasons, kind: "review" as const, reviewId: review._id, authorId: author._id },
      ...{ state: "open" as const, tag: "as reported", decisions: [], appeals: [] },
      snapshot: { rating: 4, text: "as it was", at },
    },
  ]);
  const email = "rita@example.test";
  const report = await Report.create({
    ...{ caseId: open!._id, reason: "hateful", words: "Rude.", at },
    ...{ email, address: ofAddress(email) },
  });
  const { _id: reviewId } = await RemovedReview.create({
    ...{ tourId: tour._id, userId: removed._id, removedAt: at, rating: 1, caseId: open!._id },
    review: { comment: REMOVED },
  });
  const decision = { at, operatorId: operator._id, action: "remove" as const, onAppeal: false };
  const [decided] = await Case.insertMany([
    {
      ...{ ...case1, reasons, kind: "review" as const, reviewId, authorId: removed._id },
      ...{ state: "decided" as const, tag: "as reported", appeals: [], endsAt: appealEnd(at) },
      decisions: [{ ...decision, ground: "personal-data" as const, explanation: WHY }],
      snapshot: { rating: 1, text: REMOVED, at },
    },
  ]);
  await RemovedReview.updateOne({ _id: reviewId }, { caseId: decided!._id });
  const [warning, suspension] = await makeSanctions(decided!._id, { removed, operator });
  return {
    ...{ open: open!._id.toString(), decided: decided!._id.toString() },
    ...{ statement: statementToken(decided!._id), warning, suspension },
    mailed: mailedReceiptToken(report._id),
  };
}

/** A warning, which operators can take back, and the suspension of another account, of which it is the token. */
async function makeSanctions(
  caseId: Types.ObjectId,
  { removed, operator }: Pick<Scene, "removed" | "operator">,
) {
  const at = new Date();
  const { _id, email } = await makeUser({ name: "Sam Suspended" });
  const until = new Date(at.getTime() + 7 * 24 * 60 * 60 * 1_000);
  await User.updateOne({ _id }, { suspendedUntil: until });
  const stored = { scope: "account" as const, number: 1, at, operatorId: operator._id, caseId };
  const made = await Sanction.insertMany([
    { ...stored, subject: removed._id.toString(), kind: "warning", explanation: "Two numbers." },
    {
      ...{ ...stored, subject: _id.toString(), kind: "suspension", until },
      ...{ explanation: "Five numbers, after a warning.", address: ofAddress(email) },
    },
  ]);
  return [made[0]!._id.toString(), sanctionToken(made[1]!._id)] as const;
}
