import { Types } from "mongoose";
import { z } from "zod";
import { User } from "../../../models/user";
import { FormError, isDuplicateKeyError } from "../../infra/errors.server";
import { signUps } from "../limits.server";
import { parseInput } from "../../infra/validation.server";
import { emailField, nameField, newPasswordField } from "./fields.server";
import { hashPassword } from "./hashing.server";
import { type CurrentUser, toCurrentUser } from "./users.server";

export const EMAIL_TAKEN =
  "There is already an account with this e-mail address. Log in, or use another address.";

/**
 * Creates an account for a client at `clientAddress` and returns its user. Throws `FormError` with the
 * text of every refused field, a taken address included, and `RateLimitError` 429.
 */
export async function signUp(
  form: { name: string; email: string; password: string },
  clientAddress: string,
): Promise<CurrentUser> {
  const schema = z.object({
    name: nameField("your name"),
    email: emailField,
    password: newPasswordField([form.name, form.email]),
  });
  const { name, email, password } = parseInput(schema, form);
  await signUps.consume(clientAddress);
  const passwordHash = await hashPassword(password);
  const user = { _id: new Types.ObjectId(), name, email, image: null, passwordHash };
  try {
    await User.create(user);
  } catch (error) {
    // The unique index decides, also between two that sign up at once.
    throw isDuplicateKeyError(error) ? new FormError({ email: EMAIL_TAKEN }) : error;
  }
  return toCurrentUser(user);
}
