import { EMAIL_COLLATION, User, type UserDocument } from "../../../models/user";
import { toObjectId } from "../../infra/ids.server";
import type { Caller } from "../caller.server";

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

/** The user of that id, or null. */
export async function findUser(userId: string): Promise<CurrentUser | null> {
  const id = toObjectId(userId);
  const user = id && (await User.findById(id).lean<UserDocument>());
  return user ? toCurrentUser(user) : null;
}

export function toCurrentUser(user: UserDocument): CurrentUser {
  return {
    id: user._id.toString(),
    name: user.name,
    email: user.email,
    image: user.image ?? null,
  };
}
