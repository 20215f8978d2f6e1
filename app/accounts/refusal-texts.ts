import { TOKENS_PER_USER } from "./token-limits";

export const accountTexts = {
  wrongLogin: "The e-mail address or the password is wrong.",
  wrongPassword: "The password is wrong.",
  noPassword: "Your account has no password here yet. Open the page /reset for a link to set one.",
  /** Of an account that has changed since its log-in was proven. */
  logInAgain: "Your account has changed at this moment. Please log in again.",
  logInExpired: "This log-in has expired. Log in again.",
  busy: "The site is very busy at this moment. Please try again in a minute.",
  tooManyAtOnce: "Too many attempts from your network at once. Please wait a minute and try again.",
  suspended: "Your account is suspended. Our e-mail about it says why, and until when.",
  justDeleted: "The account has just been deleted",

  accountExists:
    "There is already an account with this e-mail address. Log in, or set a new password for it.",
  addressTaken: "Another account has taken this e-mail address in the meantime.",
  /** Nobody has the address, but the unique index takes it for another one. */
  addressTooClose:
    "The address of another account differs from this one only in how its letters are written. Please use a different address.",
  addressSuspended: (until: string) =>
    `The account of this address was suspended. You can sign up with it again from ${until}.`,

  /** The same for every address (docs/rules/accounts.md, Links by e-mail). */
  noEmails:
    "This site sends no e-mails at the moment, so it cannot send you a link. Please try again later.",
  deadLink: "This link no longer works.",
  foreignLink: "This link is somebody else’s. Log out to use it.",

  tooManyTokens: `You have ${TOKENS_PER_USER} access tokens, the most that an account can have. Revoke one first.`,

  platformUnusable: "The platform has sent no name or no e-mail address that can be used here.",
  platformAddressTaken:
    "Another account here has your e-mail address. Please write to the people who run this site.",
  platformErased: "This account was deleted here, and does not come back.",
} as const;
