import { z } from "zod";
import { DEMO_PASSWORD } from "./demo-log-ins.server";

/** Lengths that forms of accounts take, in characters. */
export const NAME_MAX_LENGTH = 80;

export const EMAIL_MAX_LENGTH = 254;

/** Of the address of a picture. */
export const IMAGE_MAX_LENGTH = 2_048;

export const PASSWORD_MIN_LENGTH = 10;

export const PASSWORD_MAX_LENGTH = 200;

/** Characters as a person counts them: an emoji of two UTF-16 units is one. */
const length = (text: string) => [...text].length;

/**
 * What is dropped from a name: characters that turn the direction of the text after them, and those that
 * show nothing. The joiners stay, which emoji and some scripts need.
 */
const UNSEEN = /[\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;

/** A character that a reader sees: spaces, marks without a letter and blank symbols alone are no name. */
const SEEN = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** What somebody or something is called, on one line; `what` is how a refusal names it. */
export const nameField = (what: string) =>
  z
    .string()
    .transform((value) =>
      value
        .toWellFormed()
        .normalize("NFC")
        .replace(UNSEEN, "")
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim(),
    )
    .refine((value) => SEEN.test(value), { error: `Enter ${what}.` })
    .refine((value) => length(value) <= NAME_MAX_LENGTH, {
      error: `Enter ${what} in at most ${NAME_MAX_LENGTH} characters.`,
    });

export const EMAIL_REFUSED = "Enter an e-mail address, such as name@example.com.";

export const emailField = z
  .string()
  .trim()
  .normalize("NFC")
  .pipe(
    z
      .email({ error: EMAIL_REFUSED })
      .max(EMAIL_MAX_LENGTH, `Enter an address of at most ${EMAIL_MAX_LENGTH} characters.`),
  );

/** The password that a user who is logged in is asked for again. */
export const currentPasswordField = z.string().min(1, "Enter your current password.");

/** A password to be; it can be none of the `known` texts, which are the first that others try. */
export const newPasswordField = (known: string[]) =>
  z
    .string()
    // As it is hashed (hashing.server.ts).
    .transform((value) => value.normalize("NFKC"))
    .refine((value) => length(value) >= PASSWORD_MIN_LENGTH, {
      error: `Choose a password of at least ${PASSWORD_MIN_LENGTH} characters.`,
    })
    .refine((value) => length(value) <= PASSWORD_MAX_LENGTH, {
      error: `Choose a password of at most ${PASSWORD_MAX_LENGTH} characters.`,
    })
    .refine((value) => !known.some((text) => folded(text) === folded(value)), {
      error: "Choose a password that is not your name or your e-mail address.",
    })
    .refine((value) => folded(value) !== DEMO_PASSWORD, {
      error: "Choose another password: everybody knows this one.",
    });

const folded = (text: string) => text.normalize("NFKC").trim().toLowerCase();
