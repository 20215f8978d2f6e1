import { EMAIL_COLLATION, User, type UserDocument } from "../../../models/user";
import { sha256 } from "../../infra/digest.server";
import { ServiceError } from "../../infra/errors.server";
import { failedLogins } from "../limits.server";
import { isPasswordOf } from "./passwords.server";
import { type CurrentUser, toCurrentUser } from "./users.server";

export const WRONG_LOGIN = "The e-mail address or the password is wrong.";

/**
 * Returns the user of that address and password, and counts the failures of the client at
 * `clientAddress`. Throws `ServiceError` as `verifyLogin` does, and `RateLimitError` 429.
 */
export async function logIn(
  email: string,
  password: string,
  clientAddress: string,
): Promise<CurrentUser> {
  await failedLogins.check(clientAddress);
  try {
    return await verifyLogin(email, password);
  } catch (error) {
    // Counted only now, so that many who log in together behind one address are not refused.
    if (error instanceof ServiceError) await failedLogins.consume(clientAddress);
    throw error;
  }
}

/**
 * Returns the user of that address and password. Throws `ServiceError` 400 with a text for the log-in
 * form: one of both is wrong, or there were too many wrong passwords.
 */
export async function verifyLogin(email: string, password: string): Promise<CurrentUser> {
  const user = await User.findOne({ email: email.trim() })
    .collation(EMAIL_COLLATION)
    .lean<UserDocument>();
  // By id: the database finds one account under more spellings than letter case explains.
  const account = user?._id.toString() ?? sha256(email.trim().toLowerCase());
  if (!(await isPasswordOf(account, user, password)) || !user)
    throw new ServiceError(400, WRONG_LOGIN);
  return toCurrentUser(user);
}
