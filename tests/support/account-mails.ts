import { expect } from "vitest";
import type { LinkPurpose } from "../../models/email-link";
import {
  Notification,
  type AccountMail,
  type AccountNotification,
} from "../../models/notification";

// The e-mails about accounts, waiting in the outbox or captured.

/** Those to that address, oldest first. */
export async function mailsTo(email: string): Promise<AccountMail[]> {
  const found = await Notification.find({ kind: "account", "mail.to.email": email })
    .sort({ _id: 1 })
    .lean<AccountNotification[]>();
  return found.map(({ mail }) => mail!);
}

/** Their subjects. */
export const subjectsTo = async (email: string) =>
  (await mailsTo(email)).map(({ subject }) => subject);

const PATHS: Record<LinkPurpose, string> = {
  "sign-up": "/signup/",
  reset: "/reset/",
  address: "/me/address/",
};

/** The token of the link in the newest e-mail to that address that has a link for that purpose. */
export async function tokenTo(email: string, purpose: LinkPurpose): Promise<string> {
  const link = new RegExp(`http://[^/\\s]+${PATHS[purpose]}([\\w-]{43})(?!\\S)`);
  const tokens = (await mailsTo(email)).flatMap(({ text }) => link.exec(text)?.[1] ?? []);
  expect(tokens).not.toEqual([]);
  return tokens.at(-1)!;
}

/** The path of that link's page. */
export const linkTo = async (email: string, purpose: LinkPurpose) =>
  PATHS[purpose] + (await tokenTo(email, purpose));
