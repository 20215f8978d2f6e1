import type { JWTPayload } from "jose";
import type { ClientSession, Types } from "mongoose";
import { z } from "zod";
import { User, type UserDocument } from "#models/user";
import { toObjectId } from "~/db/ids.server";
import { platformId } from "~/db/platform-ids.server";
import { inTransaction } from "~/db/transaction.server";
import { canonicalEmail } from "~/lib/email-address.server";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { notifications } from "~/mail/delivery.server";
import { authorChanged } from "~/reviews/list/list.server";
import { queueAccountMail } from "~/accounts/account-mails.server";
import { endLinksOf } from "~/accounts/email-links.server";
import { erasedAmong, forgetErasedAddress } from "~/accounts/erasures.server";
import { emailField, knownEmailField, NAME_MAX_LENGTH, nameField } from "~/accounts/fields.server";
import { keepReportsOf } from "~/accounts/left-addresses.server";
import {
  readPlatformToken,
  TOKEN_REFUSED,
  TokenError,
} from "~/accounts/log-in/platform-token.server";
import { requireNotSuspended } from "~/accounts/log-in/sign-up.server";
import {
  type CurrentUser,
  findUser,
  findUserByEmail,
  isSuspended,
  type LogIn,
  SuspendedError,
  toCurrentUser,
} from "~/accounts/users.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { imageField } from "./profile.server";

// Users whom the platform names in its tokens (docs/rules/accounts.md, Users of a platform).

const Person = z.object({
  name: z
    .string()
    .transform((name) => Array.from(name).slice(0, NAME_MAX_LENGTH).join(""))
    .pipe(nameField("a name")),
  // A platform's account may have an address that a new account could not have.
  email: z.union([emailField, knownEmailField]),
});
type Person = z.output<typeof Person>;

/**
 * Returns the user for whom the platform sends a request to the API, made if they are unknown; null for nobody. Throws
 * `RateLimitError` 503 while the platform's keys cannot be read.
 */
export async function findUserByPlatformToken(token: string): Promise<CurrentUser | null> {
  try {
    const claims = await readPlatformToken(token, "api");
    const known = await findUser(platformId(claims.sub) ?? "");
    const user = known ?? (await keepPlatformUser(claims)).user;
    return { ...user, by: "platform" };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status === 503) throw error;
    const failure = error instanceof TokenError ? error.failure : error.message;
    log.warn({ failure, kind: "api" }, TOKEN_REFUSED);
    return null;
  }
}

function unusable({ issues }: z.ZodError, claims: JWTPayload): string {
  const claim = String(issues[0]?.path[0]);
  return `"${claim}" ${claims[claim] === undefined ? "is missing" : "cannot be used here"}`;
}

/**
 * Returns the user of a token, made if they are unknown, and otherwise with the name, picture and address that it says.
 * Throws `TokenError` when it says too little, `ServiceError` 409 when another user has the address, 403 for a deleted
 * account or one that was suspended before, and `SuspendedError`.
 */
export async function keepPlatformUser(claims: JWTPayload): Promise<LogIn> {
  const _id = toObjectId(platformId(claims.sub));
  const { data: person, error: faults } = Person.safeParse(claims);
  if (!_id) throw new TokenError('"sub" is no id', accountTexts.platformUnusable);
  if (!person) throw new TokenError(unusable(faults, claims), accountTexts.platformUnusable);
  const owner = await findUserByEmail(person.email);
  if (owner && !owner._id.equals(_id))
    throw new ServiceError(409, accountTexts.platformAddressTaken);
  try {
    const kept = await inTransaction(async (session) => {
      const known = await User.findById(_id, null, { session }).lean<UserDocument>();
      return known
        ? updateUser(known, person, claims, session)
        : createUser(_id, person, claims, session);
    });
    const user = toCurrentUser(kept);
    authorChanged(user.id);
    notifications.wake();
    return { user, proven: { _id, passwordHash: kept.passwordHash } };
  } catch (error) {
    // The unique index decides between two at once; it also takes more for one address than we do.
    throw isDuplicateKeyError(error, "email")
      ? new ServiceError(409, accountTexts.platformAddressTaken)
      : error;
  }
}

type KeptUser = Pick<UserDocument, "_id" | "name" | "email" | "image" | "passwordHash">;

async function createUser(
  _id: Types.ObjectId,
  person: Person,
  { image }: JWTPayload,
  session: ClientSession,
): Promise<KeptUser> {
  if ((await erasedAmong([{ id: _id.toString() }])).size > 0)
    throw new ServiceError(403, accountTexts.platformErased);
  await requireNotSuspended(person.email);
  const user = { _id, ...person, image: readPicture(image), passwordHash: null };
  await User.create([user], { session });
  await forgetErasedAddress(person.email, session);
  return user;
}

/** Writes only what differs, and leaves what is only spelled in another way: the users may be the platform's own. */
async function updateUser(
  known: UserDocument,
  { name, email }: Person,
  claims: JWTPayload,
  session: ClientSession,
): Promise<KeptUser> {
  if (isSuspended(known)) throw new SuspendedError(known._id.toString());
  const isMoved = canonicalEmail(email) !== canonicalEmail(known.email);
  const isRenamed = name !== known.name && claims.name !== known.name;
  const hasOtherPicture = claims.image !== undefined && claims.image !== known.image;
  const changed = {
    ...(isRenamed && { name }),
    ...(hasOtherPicture && { image: readPicture(claims.image) }),
    ...(isMoved && { email }),
  };
  await User.updateOne({ _id: known._id }, { $set: changed }, { session });
  if (isMoved) {
    await endLinksOf(known._id, session);
    await keepReportsOf([known], session);
    await queueAccountMail("addressChanged", known, { newEmail: email }, session);
  }
  return { ...known, ...changed };
}

/** Returns null for an address that no browser may load. */
const readPicture = (image: unknown) => imageField.safeParse(image).data ?? null;
