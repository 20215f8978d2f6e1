import { Schema, type Types } from "mongoose";
import { define } from "./define";

export interface UserDocument {
  _id: Types.ObjectId;
  name: string;
  email: string;
  image?: string | null;
  /** argon2id in PHC string format; a user without one cannot log in with a password. */
  passwordHash?: string | null;
}

const schema = new Schema<UserDocument>({
  name: { type: String, default: "" },
  email: { type: String, required: true, trim: true },
  image: { type: String, default: null },
  passwordHash: { type: String, default: null },
});

/** E-mail addresses are compared without regard to case. */
export const EMAIL_COLLATION = { locale: "en", strength: 2 } as const;

// Log-in, and one account an address: User.findOne({ email }).collation(EMAIL_COLLATION)
schema.index({ email: 1 }, { unique: true, collation: EMAIL_COLLATION });

export const User = define("User", "users", schema);
