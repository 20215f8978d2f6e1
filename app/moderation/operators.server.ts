import type { ClientSession, Types } from "mongoose";
import type { CaseDocument } from "#models/case";
import { Operator, type OperatorDocument } from "#models/operator";
import { Report } from "#models/report";
import { Review, type ReviewDocument } from "#models/review";
import { Tour, type TourDocument } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { MINUTE_MS } from "~/lib/durations";
import { ownerNames } from "~/mail/outbox.server";
import { claimAccess } from "~/accounts/access.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import type { Proof } from "~/accounts/fields.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import {
  activeUser,
  isSuspended,
  requireUserByEmail,
  toCurrentUser,
} from "~/accounts/users.server";
import { BATCH } from "~/db/batches";
import { toObjectId } from "~/db/ids.server";
import { inTransaction } from "~/db/transaction.server";
import { ServiceError } from "~/lib/errors.server";
import { moderationTexts } from "~/moderation/refusal-texts";

/** How long after they gave their password an operator may decide, in milliseconds. */
export const CONFIRMED_MS = 30 * MINUTE_MS;

/** Returns whether the user decides about reports. */
export const isOperator = async (user: Caller): Promise<boolean> =>
  (await Operator.exists({ _id: toObjectId(user.id) })) !== null;

/**
 * Returns the account of whoever decides, as it is in the transaction, which claims their access; throws `ServiceError`
 * 403 when they are no operator any more.
 */
export async function requireDecider(
  caller: Caller,
  session?: ClientSession,
): Promise<UserDocument> {
  const _id = requireCaller(caller);
  if (session) await claimAccess(_id, session);
  const isOne = await Operator.exists({ _id }).session(session ?? null);
  const user = isOne && (await User.findById(_id, null, { session }).lean<UserDocument>());
  if (!user || isSuspended(user)) throw new ServiceError(403, moderationTexts.noOperator);
  return user;
}

/** Makes the user of that address an operator; throws `ServiceError` 404 when there is none. */
export async function makeOperator(email: string): Promise<void> {
  const { _id } = await requireUserByEmail(email);
  await inTransaction(async (session) => {
    await claimAccess(_id, session);
    const since = { $setOnInsert: { since: new Date() } };
    await Operator.updateOne({ _id }, since, { session, upsert: true });
  });
}

/** Revokes the operator role; returns false if the user had none. Throws `ServiceError` 404 likewise. */
export async function revokeOperator(email: string): Promise<boolean> {
  const { _id } = await requireUserByEmail(email);
  return inTransaction(async (session) => {
    await claimAccess(_id, session);
    return (await Operator.deleteOne({ _id }, { session })).deletedCount > 0;
  });
}

/** Returns until when an operator may decide who gave their password now, in milliseconds since 1970. */
export async function confirmOperator(user: Caller, proof: Proof): Promise<number> {
  await requirePassword(user.id, proof, "password");
  return Date.now() + CONFIRMED_MS;
}

/** Returns whether a case is about an operator's own review, reply, tour or report; `about` if it has been read. */
export async function hasConflictOfInterest(
  operator: UserDocument,
  { _id: caseId, authorId, reviewId, tourId }: CaseDocument,
  session?: ClientSession,
  about?: { review: ReviewDocument | null; tour: TourDocument | null },
): Promise<boolean> {
  const { review, tour } = about ?? {
    review: await Review.findById(reviewId, "userId", { session }).lean<ReviewDocument>(),
    tour: await Tour.findById(tourId, "createdById", { session }).lean<TourDocument>(),
  };
  const concerned = [authorId, tour?.createdById, review?.userId];
  if (concerned.some((id) => id?.equals(operator._id))) return true;
  const names = ownerNames(toCurrentUser(operator));
  const [owner] = names;
  for (const name of [{ reporter: { $in: names } }, { address: { $in: names } }, { owner }])
    if (await Report.exists({ caseId, ...name }).session(session ?? null)) return true;
  return false;
}

/**
 * Returns why an operator may not decide about an appeal against what `decidedBy` decided; null if they may, also because
 * no other operator can, each of whom is suspended, deleted or `isConcerned`.
 */
export async function appealRefusal(
  operator: Types.ObjectId,
  decidedBy: Types.ObjectId,
  isConcerned: (other: UserDocument) => Promise<boolean>,
  session?: ClientSession,
): Promise<string | null> {
  if (!decidedBy.equals(operator)) return null;
  const others = await Operator.find({ _id: { $ne: operator } }, "_id", { session })
    .limit(BATCH)
    .lean<OperatorDocument[]>();
  const _id = { $in: others.map((other) => other._id) };
  const users = await User.find({ _id }, null, { session }).lean<UserDocument[]>();
  for (const other of users)
    if (activeUser(other) && !(await isConcerned(other))) return moderationTexts.ownDecision;
  return null;
}
