import { randomUUID } from "node:crypto";
import { Types } from "mongoose";
import { sha256 } from "~/lib/digest.server";
import { signedToken } from "~/lib/signed-token.server";
import { listSessions } from "~/accounts/log-in/sessions.server";
import { createToken, listTokens } from "~/accounts/tokens.server";
import { ownerOfAddress } from "~/mail/outbox.server";
import { mailedReceiptToken, sanctionToken, statementToken } from "~/moderation/links.server";
import { appealEnd } from "~/moderation/labels";
import { unsubscribeUrl } from "~/mail/mail-settings.server";
import { storedReviewTag } from "~/reviews/own-review.server";
import { replyTag, toPublicReply } from "~/reviews/replies/replies.server";
import { AccessToken } from "#models/access-token";
import { Booking, CONFIRMED } from "#models/booking";
import { Case } from "#models/case";
import { Completion } from "#models/completion";
import {
  EmailLink,
  LINK_PURPOSES,
  type EmailLinkDocument,
  type LinkPurpose,
} from "#models/email-link";
import { Operator } from "#models/operator";
import { RemovedReview } from "#models/removed-review";
import { requestId, ReviewRequest, type ReviewRequestDocument } from "#models/review-request";
import { Report } from "#models/report";
import { Sanction } from "#models/sanction";
import { User } from "#models/user";
import type { ReviewDocument } from "#models/review";
import type { UserDocument } from "#models/user";
import { sessionOf } from "./app";
import {
  as,
  makeAbsence,
  makeBooking,
  makeBookedExplorer,
  makeReply,
  makeReview,
  makeTour,
  makeUser,
} from "./factories";

/** The ids and names for the addresses of the site. */
export interface Scene {
  guide: Pick<UserDocument, "_id">;
  tour: { _id: Types.ObjectId; slug: string };
  review: { _id: Types.ObjectId };
  /** The tokens of links: for Nina's sign-up, and for a reset and a change of address of some user. */
  links: Record<LinkPurpose, string>;
  /** The page that stops the guide's mails, whoever sends its form. */
  unsubscribe: string;
  /** The secret of the page where the author says that they were on another tour. */
  absence: string;
  /** The token of the link by which the booked explorer is asked for a review. */
  request: string;
  cases: Awaited<ReturnType<typeof makeCases>>;
}

/** A tour with a review, and everybody who may do something with them. */
export async function makeWorld(review: Partial<ReviewDocument> = {}) {
  const guide = await makeUser({ name: "Gwen Guide" });
  const tour = await makeTour({ createdById: guide._id });
  const author = await makeBookedExplorer(tour, { name: "Ann Author" });
  const booked = await makeBookedExplorer(tour, { name: "Bo Booked" });
  const unbooked = await makeUser({ name: "Una Unbooked" });
  await makeBooking(unbooked, tour, { status: CONFIRMED });
  const removed = await makeUser({ name: "Rosa Removed" });
  const operator = await makeUser({ name: "Olga Operator" });
  await Operator.create({ _id: operator._id, since: new Date() });
  await createToken(author.email, "Laptop");
  const {
    items: [laptop],
  } = await listTokens(as(author));
  await sessionOf(author);
  const [session] = await listSessions(as(author), "");
  const booking = await Booking.findOne({ userId: booked._id }).orFail();
  const completion = await Completion.create({
    tourId: tour._id,
    completed: [booking._id],
    absent: [],
    completedAt: new Date(),
  });
  const night = await makeTour({ createdById: guide._id, title: "Night Walk" });
  const absence = await makeAbsence(author, night);
  const stored = await makeReview(author, tour, { comment: "as it was", ...review });
  const reply = await makeReply(guide, stored);
  return {
    guide,
    tour,
    author,
    booked,
    unbooked,
    review: stored,
    replyTag: replyTag(toPublicReply(reply, null)),
    reviewTag: storedReviewTag(stored),
    tokenId: laptop!.id,
    sessionId: session!.id,
    completionId: completion._id.toString(),
    links: await makeLinks(author),
    unsubscribe: unsubscribePath(guide),
    absenceId: absence._id.toString(),
    absence: signedToken("absence", absence._id.toString()),
    request: await makeRequest(booked, tour),
    operator,
    cases: await makeCases({ tour, review: stored, author, operator, removed }),
  };
}

export type World = Awaited<ReturnType<typeof makeWorld>>;

export const unsubscribePath = ({ _id }: Scene["guide"]) => new URL(unsubscribeUrl(_id)).pathname;

/**
 * Links that were not sent; those for a reset and a change of address belong to the user. A newer link replaces one
 * with the same id.
 */
export async function makeLinks(
  { _id: userId, email }: Pick<UserDocument, "_id" | "email">,
  makeId = (purpose: LinkPurpose) => `${purpose} ${userId.toString()}`,
): Promise<Scene["links"]> {
  const emails = { "sign-up": "nina@example.test", reset: email, address: "ann.new@example.test" };
  const links = LINK_PURPOSES.map(async (purpose) => {
    const owner = purpose === "sign-up" ? {} : { userId };
    const link = { _id: makeId(purpose), purpose, email: emails[purpose], ...owner };
    return [purpose, await makeLink(link)] as const;
  });
  return Object.fromEntries(await Promise.all(links)) as Scene["links"];
}

/** A request that was sent a day ago, of a departure two days ago; returns the token of its link. */
export async function makeRequest(
  { _id: userId }: { _id: Types.ObjectId },
  { _id: tourId }: { _id: Types.ObjectId },
  fields: Partial<ReviewRequestDocument> = {},
): Promise<string> {
  const token = randomUUID();
  const [departedAt, askedAt, expiresAt] = [-48, -24, 24].map(
    (hours) => new Date(Date.now() + hours * 60 * 60 * 1_000),
  ) as [Date, Date, Date];
  const sent = { departedAt, askedAt, sentAt: askedAt, expiresAt, hash: sha256(token) };
  await ReviewRequest.create({
    ...{ _id: requestId({ tourId, userId }), tourId, userId },
    ...{ ...sent, ...fields },
  });
  return token;
}

/** Creates a link without sending it, and returns its token. */
export async function makeLink(
  link: Pick<EmailLinkDocument, "_id" | "purpose" | "email" | "userId">,
): Promise<string> {
  const token = randomUUID();
  const expiresAt = new Date(Date.now() + 60 * 60 * 1_000);
  await EmailLink.create({ ...link, hash: sha256(token), expiresAt });
  return token;
}

/** Marks every token as just used, so that its next use writes nothing. */
export async function touchTokens(): Promise<void> {
  await AccessToken.updateMany({}, { $set: { lastUsedAt: new Date() } });
}

type CasesScene = Record<
  "tour" | "review" | "author" | "operator" | "removed",
  { _id: Types.ObjectId }
>;

/** As a reader of the README sees them, which has a picture of the decision. */
const REMOVED =
  "Do not book here: call Marco at 555-0100, who does the same walk for half the price.";
const WHY = "It gives away the telephone number of somebody who has not agreed to that.";

/** A case that waits, of the review, and one in which a review was removed: the id of the one, the author's token of the other. */
export async function makeCases({ tour, review, author, operator, removed }: CasesScene) {
  const at = new Date();
  const [open, decided, gone] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const reported = {
    tourId: tour._id,
    kind: "review" as const,
    openedAt: at,
    since: at,
    version: 1,
    reports: 1,
    rank: 1 as const,
    reasons: ["hateful" as const],
    tag: "as reported",
    decisions: [],
    appeals: [],
  };
  await Case.create({
    ...reported,
    _id: open,
    reviewId: review._id,
    authorId: author._id,
    state: "open",
    snapshot: { rating: 4, text: "as it was", at },
  });
  const email = "rita@example.test";
  const address = ownerOfAddress(email);
  const words = { reason: "hateful" as const, words: "Rude.", at };
  const report = await Report.create({ caseId: open, ...words, email, address });
  await RemovedReview.create({
    _id: gone,
    tourId: tour._id,
    userId: removed._id,
    removedAt: at,
    rating: 1,
    caseId: decided,
    review: { comment: REMOVED },
  });
  const decision = { at, operatorId: operator._id, action: "remove" as const, onAppeal: false };
  await Case.create({
    ...reported,
    _id: decided,
    reviewId: gone,
    authorId: removed._id,
    state: "decided",
    endsAt: appealEnd(at),
    decisions: [{ ...decision, ground: "personal-data", explanation: WHY }],
    snapshot: { rating: 1, text: REMOVED, at },
  });
  const [warning, suspension] = await makeSanctions(decided, { removed, operator });
  return {
    open: open.toString(),
    decided: decided.toString(),
    statement: statementToken(decided),
    warning,
    suspension,
    mailed: mailedReceiptToken(report._id),
  };
}

/** A warning, which operators can take back, and the suspension of another account, of which it is the token. */
async function makeSanctions(
  caseId: Types.ObjectId,
  { removed, operator }: Pick<CasesScene, "removed" | "operator">,
) {
  const at = new Date();
  const { _id, email } = await makeUser({ name: "Sam Suspended" });
  const until = new Date(at.getTime() + 7 * 24 * 60 * 60 * 1_000);
  await User.updateOne({ _id }, { suspendedUntil: until });
  const stored = {
    scope: "account" as const,
    number: 1,
    at,
    operatorId: operator._id,
    caseId,
    caseIds: [caseId],
  };
  const made = await Sanction.insertMany([
    { ...stored, subject: removed._id.toString(), kind: "warning", explanation: "Two numbers." },
    {
      ...stored,
      subject: _id.toString(),
      kind: "suspension",
      until,
      explanation: "Five numbers, after a warning.",
      address: ownerOfAddress(email),
    },
  ]);
  return [made[0]!._id.toString(), sanctionToken(made[1]!._id)] as const;
}
