import { isWebAddress } from "~/lib/contact";
import { env } from "~/config/env.server";
import { isolated } from "~/lib/text";
import { dayInWords } from "~/config/zones";
import type { RenderedMail } from "./layout";
import { type Letter, renderLetter } from "./letter";

// The e-mails about an account. Those to an address that nobody has proven hold no word that a stranger
// could choose: not even a name.

interface Site {
  to: string;
  appUrl: string;
  contact: string;
  timeZone: string;
}

/** `url` leads to the page of the e-mail's link. */
export interface AccountMailInputs {
  signUp: { url: string };
  hasAccount: object;
  reset: { url: string };
  noAccount: object;
  passwordChanged: { tokensRevoked: boolean };
  /** `expiresAt` is null for never. */
  tokenCreated: { tokenName: string; expiresAt: Date | null };
  newAddress: { url: string };
  addressAskedFor: { newEmail: string };
  addressChanged: { newEmail: string };
  changedByPlatform: { password: boolean; newEmail: string | null };
  /** `written` names what disappears with it, such as "reviews"; empty for nothing. */
  accountDeleted: { byOperator: boolean; written: string };
}
export type AccountMailKind = keyof AccountMailInputs;

const IGNORE = "If that was not you, you can ignore this e-mail: nothing happens without the link.";
/** Where the platform logs users in, nobody has a password here. */
const byPlatform = () => env().loginUrl !== undefined;
const CHANGE_THERE = "change your password where you log in";
const KEEP = "Do not share the link with anyone.";

const CONTENTS: {
  [Kind in AccountMailKind]: (inputs: AccountMailInputs[Kind], site: Site) => Letter;
} = {
  signUp: ({ url }) => ({
    subject: "Finish your sign-up",
    paragraphs: [
      `Someone (probably you) asked to sign up at ${env().siteName} with this address. Open the link to choose a name and a password. It works once, within 24 hours.`,
    ],
    button: { label: "Finish the sign-up", url },
    closing: IGNORE,
  }),
  hasAccount: (_, { appUrl }) => ({
    subject: "You already have an account",
    paragraphs: [
      "Someone (probably you) asked to use this address for a new account, or as the new address of another one. It already belongs to your account, and nothing was changed.",
      `Log in with it. If you no longer know your password, reset it: ${appUrl}/reset`,
    ],
    button: { label: "Log in", url: `${appUrl}/login` },
    closing: "If that was not you, you can ignore this e-mail.",
  }),
  reset: ({ url }) => ({
    subject: "Reset your password",
    paragraphs: [
      "Someone (probably you) asked to set a new password for your account. Open the link to choose it. It works once, within one hour.",
    ],
    button: { label: "Choose a new password", url },
    closing: `${KEEP} ${IGNORE}`,
  }),
  noAccount: (_, { appUrl }) => ({
    subject: "There is no account with this address",
    paragraphs: [
      `Someone (probably you) asked to reset the password of an account with this address at ${env().siteName}, but there is no such account. You may have used another address, or may not have signed up yet.`,
    ],
    button: { label: "Sign up", url: `${appUrl}/signup` },
    closing: "If that was not you, you can ignore this e-mail.",
  }),
  passwordChanged: ({ tokensRevoked }, { appUrl }) => ({
    subject: "Your password was changed",
    paragraphs: [
      `The password of your account was changed just now, and all earlier log-ins have ended. ${tokensRevoked ? "All access tokens are revoked." : "Access tokens stay valid."}`,
    ],
    closing: `If that was not you, reset the password at once: ${appUrl}/reset`,
  }),
  tokenCreated: ({ tokenName, expiresAt }, { timeZone, appUrl }) => ({
    subject: "A new access token for your account",
    paragraphs: [
      `Someone who is logged in as you${byPlatform() ? "" : " and knows your password"} (probably you) created an access token just now: “${isolated(tokenName)}”, ${expiresAt ? `valid until ${dayInWords(expiresAt, timeZone)}` : "valid until it is revoked"}. Anyone who has it can post, edit and delete reviews in your name.`,
      `See all your access tokens: ${appUrl}/me/account`,
    ],
    closing: byPlatform()
      ? `If that was not you, someone can log in as you. Revoke the token, and ${CHANGE_THERE}.`
      : `If that was not you, someone knows your password. Set a new one now, which also revokes your access tokens unless you choose otherwise: ${appUrl}/reset`,
  }),
  newAddress: ({ url }) => ({
    subject: "Confirm your new e-mail address",
    paragraphs: [
      `Someone (probably you) asked to use this address for their account at ${env().siteName}. Open the link while you are logged in, and confirm the address. It works once, within 24 hours.`,
    ],
    button: { label: "Confirm the address", url },
    closing: IGNORE,
  }),
  addressAskedFor: ({ newEmail }, { appUrl }) => ({
    subject: "Your e-mail address is about to change",
    paragraphs: [
      `You asked to use ${isolated(newEmail)} for your account from now on. The address changes once the link that was sent there has been opened and confirmed. Until then, this address stays in use.`,
    ],
    closing: `If that was not you, someone knows your password. Change it now, which also cancels that link: ${appUrl}/reset`,
  }),
  addressChanged: ({ newEmail }, { contact }) => ({
    subject: "Your e-mail address was changed",
    paragraphs: [
      `Your account now has the address ${isolated(newEmail)}. You log in with it, and all further e-mails go there.`,
    ],
    closing: `If that was not you, someone knows your password and now has your account. Change that password wherever else you use it. The people who run this site can log everyone out and give you the account back. ${isWebAddress(contact) ? "Tell them at once, and name this address" : "Write to them at once, from this address"}: ${contact}`,
  }),
  changedByPlatform: ({ password, newEmail }, { contact }) => ({
    subject: `The ${changedInWords(password, newEmail)} of your account ${password && newEmail ? "were" : "was"} changed`,
    paragraphs: [
      `The platform where you book has just changed the ${changedInWords(password, newEmail)} of your account at ${env().siteName}.${newEmail === null ? "" : ` Your account now has the address ${isolated(newEmail)}, and all further e-mails go there.`}`,
      "All log-ins have ended, and all access tokens are revoked.",
    ],
    closing: `If you did not expect this, write to the people who run this site: ${contact}`,
  }),
  accountDeleted: ({ byOperator, written }, { contact }) => ({
    subject: "Your account was deleted",
    paragraphs: [
      `Your account at ${env().siteName} was deleted just now${byOperator ? " by the people who run this site" : ""}. You are logged out everywhere${written && `, and your ${written} disappear from the site in a few minutes`}. Your bookings are not deleted; your guides keep them.`,
      "This is the last e-mail about this account, which cannot be restored.",
    ],
    closing: byOperator
      ? `If you did not ask for this, write to the people who run this site: ${contact}`
      : `If that was not you, ${byPlatform() ? `someone can log in as you: ${CHANGE_THERE}` : "someone knows your password: change it wherever else you use it"}, and write to the people who run this site: ${contact}`,
  }),
};

const changedInWords = (password: boolean, newEmail: string | null) =>
  [password && "password", newEmail !== null && "e-mail address"].filter(Boolean).join(" and ");

/** Renders the e-mail of that kind; `name` is the recipient's, who is greeted by it. */
export const renderAccountMail = <Kind extends AccountMailKind>(
  kind: Kind,
  inputs: AccountMailInputs[Kind],
  { name, ...site }: Site & { name?: string },
): RenderedMail =>
  renderLetter(
    { name, ...CONTENTS[kind](inputs, site) },
    { reason: `This e-mail about an account went to ${site.to}.`, appUrl: site.appUrl },
  );
