import { EMAIL_COLLATION, User, type UserDocument } from "../../../models/user";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";
import { isClosedUser } from "./demo-log-ins.server";

/** The current user as routes and services pass it around. */
export interface CurrentUser extends Caller {
  name: string;
  email: string;
  image: string | null;
}

/** Whether a user has that e-mail address. */
export async function hasUser(email: string): Promise<boolean> {
  return (await User.exists({ email }).collation(EMAIL_COLLATION)) !== null;
}

/** The user of that address, as stored; null when nobody has it. */
export function findUserByEmail(email: string): Promise<UserDocument | null> {
  return User.findOne({ email }).collation(EMAIL_COLLATION).lean<UserDocument>();
}

/** The user of that id, or null; also for one of a demo log-in that is closed. */
export async function findUser(userId: string): Promise<CurrentUser | null> {
  const id = toObjectId(userId);
  const user =
    id && (await User.findById(id, "name email image passwordHash").lean<UserDocument>());
  return user && !isClosedUser(user) ? toCurrentUser(user) : null;
}

/** The user as stored; a platform's record may lack a name or an address, or have something else there. */
export function toCurrentUser(user: UserDocument): CurrentUser {
  return {
    id: user._id.toString(),
    name: textOr("", user.name),
    email: textOr("", user.email),
    image: textOr(null, user.image),
  };
}

function textOr<Default>(other: Default, value: unknown): string | Default {
  return typeof value === "string" ? value : other;
}
