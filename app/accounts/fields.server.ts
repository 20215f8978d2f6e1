import { z } from "zod";
import { plainName } from "#models/visible";
import { EMAIL_MAX_LENGTH, isEmail, mayBeEmail, sendableEmail } from "~/lib/email-address.server";
import { DEMO_PASSWORD } from "~/accounts/log-in/demo-log-ins.server";

export const NAME_MAX_LENGTH = 80;
export const IMAGE_MAX_LENGTH = 2_048;
export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 200;

/**
 * How many times as long as the limit a typed text may be. A longer one is refused before it is normalized, which takes
 * a time that grows with the square of its length.
 */
const TYPED = 10;

/** Counts as a person does: an emoji of two UTF-16 units is one character. */
const length = (text: string) => [...text].length;

/** Takes a name on one line; `what` is how a refusal names it. */
export const nameField = (what: string) =>
  z
    .string()
    .trim()
    .max(NAME_MAX_LENGTH * TYPED, { error: nameTooLong(what), abort: true })
    .transform((value) =>
      plainName(value.toWellFormed().normalize("NFC")).replace(/\s+/g, " ").trim(),
    )
    .refine((value) => value !== "", { error: `Enter ${what}.` })
    .refine((value) => length(value) <= NAME_MAX_LENGTH, { error: nameTooLong(what) });

const nameTooLong = (what: string) => `Enter ${what} in at most ${NAME_MAX_LENGTH} characters.`;

const EMAIL_REFUSED = "Enter an e-mail address, such as name@example.com.";
const EMAIL_TOO_LONG = `Enter an address of at most ${EMAIL_MAX_LENGTH} characters.`;

export const emailField = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH, { error: EMAIL_TOO_LONG, abort: true })
  .refine(isEmail, { error: EMAIL_REFUSED, abort: true })
  .transform(sendableEmail)
  // A domain in the form of the DNS (Punycode) may be longer than the typed one.
  .refine((value) => value.length <= EMAIL_MAX_LENGTH, { error: EMAIL_TOO_LONG });

/** Also accepts addresses that an account of a platform may have, and a new account could not. */
export const knownEmailField = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH, { error: EMAIL_REFUSED, abort: true })
  .refine(mayBeEmail, { error: EMAIL_REFUSED });

/** Stands for the password of a user whom the platform has just logged in, in that session. No form can send it. */
export class PlatformLogIn {
  constructor(readonly sessionId: string) {}
}

/** Re-authentication of a form's sender: the password, or a recent log-in on the platform. */
export type Proof = string | PlatformLogIn;

export const proofField = (missing: string) =>
  z.custom<Proof>(
    (value) => value instanceof PlatformLogIn || (typeof value === "string" && value !== ""),
    { error: missing },
  );

export const currentPasswordField = proofField("Enter your current password.");

/** Refuses the `known` texts, which others try first. */
export const newPasswordField = (known: string[]) =>
  z
    .string()
    .max(PASSWORD_MAX_LENGTH * TYPED, { error: PASSWORD_TOO_LONG, abort: true })
    // Normalized as for hashing (hashing.server.ts).
    .transform((value) => value.normalize("NFKC"))
    .refine((value) => length(value) >= PASSWORD_MIN_LENGTH, {
      error: `Choose a password of at least ${PASSWORD_MIN_LENGTH} characters.`,
    })
    .refine((value) => length(value) <= PASSWORD_MAX_LENGTH, { error: PASSWORD_TOO_LONG })
    .refine((value) => !known.some((text) => isAlike(text, value)), {
      error: "Choose a password that is not your name or your e-mail address.",
    })
    .refine((value) => foldedPassword(value) !== DEMO_PASSWORD, {
      error: "Choose another password: everybody knows this one.",
    });

const PASSWORD_TOO_LONG = `Choose a password of at most ${PASSWORD_MAX_LENGTH} characters.`;

const isAlike = (known: string, password: string) =>
  known.length <= PASSWORD_MAX_LENGTH * TYPED && foldedPassword(known) === foldedPassword(password);

const foldedPassword = (text: string) => text.normalize("NFKC").trim().toLowerCase();
