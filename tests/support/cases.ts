import type { Types } from "mongoose";
import { toCurrentUser } from "~/accounts/users.server";
import { getCase } from "~/moderation/cases.server";
import { decide } from "~/moderation/decide.server";
import { mailedReceiptToken } from "~/moderation/links.server";
import { makeOperator } from "~/moderation/operators.server";
import { openReceipt } from "~/moderation/reports/receipts.server";
import { reportItem } from "~/moderation/reports/report.server";
import type { Meanwhile } from "~/moderation/labels";
import { Case, type CaseDocument } from "#models/case";
import { Report } from "#models/report";
import { Review } from "#models/review";
import type { UserDocument } from "#models/user";
import { as, makeBookedExplorer, makeReview, makeTour, makeUser } from "./factories";

/** A tour with a review that can be reported, among two others, and an operator. */
export async function makeCaseScene() {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ title: "Harbour at Dawn", createdById: guide._id });
  for (const rating of [5, 4]) await makeReview(await makeBookedExplorer(tour), tour, { rating });
  const author = await makeBookedExplorer(tour, { name: "Ann Author" });
  const review = await makeReview(author, tour, { rating: 1, comment: "Call him at 555-0100." });
  // A field that a platform stores of a review, and this service does not know.
  await Review.collection.updateOne({ _id: review._id }, { $set: { language: "en" } });
  return { guide, tour, author, review, operator: await newOperator({ name: "Olga Operator" }) };
}

export async function newOperator(fields: Partial<UserDocument> = {}): Promise<UserDocument> {
  const user = await makeUser(fields);
  await makeOperator(user.email);
  return user;
}

let networks = 0;
const newNetwork = () => `198.51.${++networks >> 8}.${networks & 255}`;

/** Reports what is at that address, each time from another network; returns the token of the receipt. */
export const report = (url: string, fields: Record<string, string> = {}, caller?: UserDocument) =>
  reportItem(
    caller ? toCurrentUser(caller) : null,
    {
      url,
      reason: "personal-data",
      words: "My number.",
      name: "",
      email: "",
      goodFaith: "yes",
      ...fields,
    },
    newNetwork(),
  );

/** Says as the reader of the receipts' e-mails to that address that they have sent these reports. */
export async function openReceiptsOf(email: string): Promise<void> {
  for (const { _id } of await Report.find({ email }))
    await openReceipt(mailedReceiptToken(_id), newNetwork());
}

export const addressOf = ({ _id }: { _id: Types.ObjectId }) =>
  `https://tours.example.com/reviews/${_id.toString()}`;

/** The latest case of that review, or of the reply to it. */
export const caseOf = async (
  { _id: reviewId }: { _id: Types.ObjectId },
  kind: CaseDocument["kind"] = "review",
) =>
  (await Case.find({ reviewId, kind }).sort({ openedAt: -1 }).limit(1).lean<CaseDocument[]>())[0]!;

/** The fields of a decision's form about the case, as that operator sees it now. */
export async function formOf(
  operator: { _id: Types.ObjectId },
  { _id }: { _id: Types.ObjectId },
  fields: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { version, tag, reports, appeals } = await getCase(as(operator), _id.toString());
  const isDown = fields.action === "remove" || fields.action === "redact";
  const ground = isDown ? "personal-data" : "allowed";
  const seen = { version, tag, reports, appeals: appeals.length };
  return { ...seen, ground, explanation: "By the rule.", reference: "", ...fields };
}

export const decideBy = (
  operator: { _id: Types.ObjectId },
  { _id }: { _id: Types.ObjectId },
  form: Record<string, unknown>,
): Promise<Meanwhile> => decide(as(operator), _id.toString(), form);

/** Decides about a case as that operator sees it now. */
export const decideAs = async (
  operator: { _id: Types.ObjectId },
  found: { _id: Types.ObjectId },
  fields: Record<string, unknown>,
): Promise<Meanwhile> => decideBy(operator, found, await formOf(operator, found, fields));
