import { uniqBy } from "es-toolkit";
import { EMAIL_COLLATION, User, type UserDocument } from "#models/user";
import { ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { canonicalEmail, emailSpellings } from "~/lib/email-address.server";
import { isClosedUser } from "~/accounts/log-in/demo-log-ins.server";
import { accountTexts } from "~/accounts/refusal-texts";
import type { Caller } from "./caller.server";

export interface CurrentUser extends Caller {
  name: string;
  email: string;
  image: string | null;
  /** As the session was read; a right is looked up again. */
  isOperator?: boolean;
}

/** An account as it was when its owner authenticated: with a password, a link or a log-in on the platform. */
export type ProvenUser = Pick<UserDocument, "_id" | "passwordHash"> & {
  /** The session of the log-in on the platform, where that was the authentication. */
  sessionId?: string;
};

/** A user who has just authenticated, and the version of their access that the session depends on. */
export interface LogIn {
  user: CurrentUser;
  proven: ProvenUser;
}

export async function hasUser(email: string): Promise<boolean> {
  return (await findUserByEmail(email)) !== null;
}

/** Finds any spelling (`canonicalEmail`); of a platform's two users of one address, the one that is stored as typed. */
export async function findUserByEmail(email: string): Promise<UserDocument | null> {
  // The index takes more for one address than we do, such as `ﬁ` and `fi`.
  const canonical = canonicalEmail(email);
  const owners = (await findUsersBySpelling(email)).filter(
    (user) => canonicalEmail(user.email) === canonical,
  );
  return owners.find((user) => user.email === email) ?? owners[0] ?? null;
}

/**
 * Returns the users whose address the index takes for that one. One query for each spelling: not every database uses the
 * index for an `$in` with a collation (docs/decisions/005-embedded-database.md).
 */
export async function findUsersBySpelling(email: string, fields = ""): Promise<UserDocument[]> {
  const found = await Promise.all(
    emailSpellings(email).map((spelling) =>
      User.find({ email: spelling }, fields).collation(EMAIL_COLLATION).lean<UserDocument[]>(),
    ),
  );
  return uniqBy(found.flat(), ({ _id }) => _id.toString());
}

/** Throws `ServiceError` 404 when nobody has the address. */
export async function requireUserByEmail(email: string): Promise<UserDocument> {
  const user = await findUserByEmail(email);
  if (!user) throw new ServiceError(404, `There is no user with the e-mail address ${email}`);
  return user;
}

/** (docs/rules/moderation.md, Misuse). */
export const isSuspended = ({ suspendedUntil }: Pick<UserDocument, "suspendedUntil">): boolean =>
  suspendedUntil !== null && suspendedUntil > new Date();

/** The right password of a suspended account, whose owner cannot log in. */
export class SuspendedError extends ServiceError {
  constructor(readonly userId: string) {
    super(403, accountTexts.suspended);
  }
}

export const ACTIVE_FIELDS = ["name", "email", "image", "passwordHash", "suspendedUntil"] as const;

/** Null where nobody may act as the user: suspended, or a demo log-in that is closed. */
export const activeUser = (
  user: Pick<UserDocument, "_id" | (typeof ACTIVE_FIELDS)[number]> | null | undefined,
): CurrentUser | null =>
  user && !isClosedUser(user) && !isSuspended(user) ? toCurrentUser(user) : null;

/** Finds a user as whom somebody may act. */
export async function findUser(userId: string): Promise<CurrentUser | null> {
  const id = toObjectId(userId);
  return activeUser(id && (await User.findById(id, ACTIVE_FIELDS.join(" ")).lean<UserDocument>()));
}

type IdentityFields = Pick<UserDocument, "_id" | "name" | "email" | "image">;

/** A platform's user may have no name or no address. */
export const toCurrentUser = ({ _id, name, email, image }: IdentityFields): CurrentUser => ({
  id: _id.toString(),
  name,
  email,
  image,
});
