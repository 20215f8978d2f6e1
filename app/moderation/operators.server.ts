import type { ClientSession } from "mongoose";
import { Operator } from "#models/operator";
import { User, type UserDocument } from "#models/user";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { requirePassword } from "~/accounts/log-in/passwords.server";
import { isSuspended, requireUserByEmail } from "~/accounts/users.server";
import { type Caller, requireCaller } from "~/accounts/caller.server";

/** How long after they gave their password an operator may decide, in milliseconds. */
export const CONFIRMED_MS = 30 * 60 * 1_000;

/** Whether the user decides about reports. */
export const isOperator = async (user: Caller): Promise<boolean> =>
  (await Operator.exists({ _id: toObjectId(user.id) })) !== null;

/**
 * Returns the account of whoever decides, as it is in the transaction; throws `ServiceError` 403 when they are no
 * operator any more.
 */
export async function requireDecider(
  caller: Caller,
  session?: ClientSession,
): Promise<UserDocument> {
  const _id = requireCaller(caller);
  const isOne = await Operator.exists({ _id }).session(session ?? null);
  const user = isOne && (await User.findById(_id, null, { session }).lean<UserDocument>());
  if (!user || isSuspended(user)) throw new ServiceError(403, "You are no longer an operator.");
  return user;
}

/** Makes the user of that address an operator; throws `ServiceError` 404 when there is none. */
export async function makeOperator(email: string): Promise<void> {
  const { _id } = await requireUserByEmail(email);
  await Operator.updateOne({ _id }, { $setOnInsert: { since: new Date() } }, { upsert: true });
}

/** Takes that from them again; returns whether they were one. Throws `ServiceError` 404 likewise. */
export async function revokeOperator(email: string): Promise<boolean> {
  const { _id } = await requireUserByEmail(email);
  return (await Operator.deleteOne({ _id })).deletedCount > 0;
}

/** Returns until when an operator may decide who gave their password now, in milliseconds since 1970. */
export async function confirmOperator(user: Caller, password: string): Promise<number> {
  await requirePassword(user.id, password, "password");
  return Date.now() + CONFIRMED_MS;
}
