import { INTENTS, type Intent } from "~/accounts/account-form";
import { requestAddressChange } from "~/accounts/address.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { REPLY_MAILS_IN_WORDS, REQUEST_MAILS_IN_WORDS } from "~/accounts/mail-choices";
import { createTokenFor, revokeToken } from "~/accounts/tokens.server";
import type { CurrentUser } from "~/accounts/users.server";
import { isolated } from "~/lib/text";
import { setMails } from "~/mail/mail-settings.server";
import { updateProfile } from "~/me/profile.server";
import { ACCOUNT_PATH } from "~/ui/paths";
import { clientAddress } from "./current-user.server";
import { refusedForm, formText, formTexts } from "./form-data.server";
import { requireProof, requireOwnAccounts } from "./single-sign-on.server";
import { redirectWithNotice, redirectWithSession, requireUser } from "./pages.server";

/** A form of the account page, and its sender. */
interface Sent {
  request: Request;
  user: CurrentUser;
  form: FormData;
}

/** Does what a form of the account page asks for, by its `intent`. */
export async function accountAction(request: Request) {
  const user = await requireUser(request);
  const form = await request.formData();
  const intent = INTENTS.find((name) => name === form.get("intent"));
  if (!intent) throw new Response(null, { status: 400 });
  try {
    return await ACTIONS[intent]({ request, user, form });
  } catch (error) {
    // Passwords are never sent back into their fields.
    const values = formTexts(form, ["name", "image", "newEmail", "tokenName", "expiry"]);
    return refusedForm(error, { intent, values });
  }
}

const ACTIONS = {
  profile: saveProfile,
  address: requestNewAddress,
  password: changeOwnPassword,
  "reply-mails": saveReplyMails,
  "review-requests": saveRequestMails,
  "create-token": createOwnToken,
  "revoke-token": revokeOwnToken,
} satisfies Record<Intent, (sent: Sent) => Promise<unknown>>;

async function saveProfile({ request, user, form }: Sent) {
  requireOwnAccounts(request);
  const isChanged = await updateProfile(user, formTexts(form, ["name", "image"]));
  return done(request, isChanged ? "Your profile is saved." : "Nothing was changed.");
}

async function requestNewAddress({ request, user, form }: Sent) {
  requireOwnAccounts(request);
  const change = formTexts(form, ["newEmail", "currentPassword"]);
  return { sentTo: await requestAddressChange(user, change, clientAddress()) };
}

async function changeOwnPassword({ request, user, form }: Sent) {
  requireOwnAccounts(request);
  const proven = await changePassword(user, formTexts(form, ["currentPassword", "newPassword"]));
  const notice = "Your password is changed, and you are logged out everywhere else.";
  return redirectWithSession(request, ACCOUNT_PATH, proven, { notice });
}

async function saveReplyMails({ request, user, form }: Sent) {
  const chosen = formText(form, "replyMails");
  await setMails(user.id, "replies", chosen);
  const none = "You get no more e-mails about replies to your reviews.";
  return done(request, chosen === "each" ? REPLY_MAILS_IN_WORDS.each : none);
}

async function saveRequestMails({ request, user, form }: Sent) {
  const chosen = formText(form, "reviewRequests");
  await setMails(user.id, "requests", chosen);
  const none = "You get no more e-mails that ask for reviews.";
  return done(request, chosen === "each" ? REQUEST_MAILS_IN_WORDS.each : none);
}

async function createOwnToken({ request, user, form }: Sent) {
  const page = `${ACCOUNT_PATH}#tokens`;
  const currentPassword = await requireProof(request, page, formText(form, "currentPassword"));
  const { tokenName, expiry } = formTexts(form, ["tokenName", "expiry"]);
  const asked = { tokenName, expiry: expiry || undefined, currentPassword };
  // Sent in this response only: the token is stored in no session and shown on no other page.
  return { token: await createTokenFor(user, asked) };
}

async function revokeOwnToken({ request, user, form }: Sent) {
  const name = await revokeToken(user, formText(form, "tokenId"));
  return done(
    request,
    name ? `The token “${isolated(name)}” is revoked.` : "That token no longer exists.",
  );
}

const done = (request: Request, notice: string) =>
  redirectWithNotice(request, ACCOUNT_PATH, notice);
