import { z } from "zod";
import { User } from "#models/user";
import { toObjectId } from "~/db/ids.server";
import { writes } from "~/db/limits.server";
import { parseInput } from "~/lib/validation.server";
import { authorChanged } from "~/reviews/list/list.server";
import { IMAGE_MAX_LENGTH, nameField } from "~/accounts/fields.server";
import type { CurrentUser } from "~/accounts/users.server";

const IMAGE_REFUSED = "Enter an address that starts with https://, or leave this empty.";

const IMAGE_TOO_LONG = `Enter an address of at most ${IMAGE_MAX_LENGTH} characters.`;

export const imageField = z
  .string()
  .trim()
  .max(IMAGE_MAX_LENGTH, { error: IMAGE_TOO_LONG, abort: true })
  .refine((value) => value === "" || isPictureAddress(value), { error: IMAGE_REFUSED })
  // As a browser would ask for it: without spaces and line breaks in it.
  .transform((value) => (value === "" ? null : new URL(value).href))
  .refine((value) => value === null || value.length <= IMAGE_MAX_LENGTH, {
    error: IMAGE_TOO_LONG,
  });

/** Whether every browser may load the picture: over https, and without a password in its address. */
function isPictureAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && !username && !password;
}

/** Returns whether the name or the picture changed. Throws `FormError`. */
export async function updateProfile(
  user: CurrentUser,
  form: { name: string; image: string },
): Promise<boolean> {
  const schema = z.object({
    name: nameField("your name"),
    // A picture that the platform has set may be of another kind; it can stay.
    image: form.image === user.image ? z.string() : imageField,
  });
  const profile = parseInput(schema, form);
  await writes.consume(user.id);
  if (profile.name === user.name && profile.image === user.image) return false;
  await User.updateOne({ _id: toObjectId(user.id) }, { $set: profile });
  authorChanged(user.id);
  return true;
}
