import { INTENTS } from "~/accounts/account-form";
import { requestAddressChange } from "~/accounts/address.server";
import { changePassword } from "~/accounts/log-in/passwords.server";
import { REPLY_MAILS_IN_WORDS, REQUEST_MAILS_IN_WORDS } from "~/accounts/mail-choices";
import { createTokenFor, revokeToken } from "~/accounts/tokens.server";
import { isolated } from "~/lib/text";
import { setMails } from "~/mail/mail-settings.server";
import { updateProfile } from "~/me/profile.server";
import { ACCOUNT_PATH } from "~/ui/paths";
import { clientAddress } from "./current-user.server";
import { refusedForm, text, formTexts } from "./form-data.server";
import { requireProof, requireOwnAccounts } from "./single-sign-on.server";
import { redirectWithNotice, redirectWithSession, requireUser } from "./pages.server";

/** Does what a form of the account page asks for, by its `intent`. */
export async function accountAction(request: Request) {
  const user = await requireUser(request);
  const form = await request.formData();
  const intent = INTENTS.find((name) => name === form.get("intent"));
  const values = formTexts(form, ["name", "image", "newEmail", "tokenName", "expiry"]);
  const passwords = formTexts(form, ["currentPassword", "newPassword"]);
  const done = (notice: string) => redirectWithNotice(request, ACCOUNT_PATH, notice);
  try {
    switch (intent) {
      case "profile": {
        requireOwnAccounts(request);
        const isChanged = await updateProfile(user, values);
        return await done(isChanged ? "Your profile is saved." : "Nothing was changed.");
      }
      case "address": {
        requireOwnAccounts(request);
        const { currentPassword } = passwords;
        const change = { newEmail: values.newEmail, currentPassword };
        return { intent, sentTo: await requestAddressChange(user, change, clientAddress()) };
      }
      case "password": {
        requireOwnAccounts(request);
        const proven = await changePassword(user, passwords);
        const notice = "Your password is changed, and you are logged out everywhere else.";
        return await redirectWithSession(request, ACCOUNT_PATH, proven, { notice });
      }
      case "reply-mails": {
        const chosen = text(form, "replyMails");
        await setMails(user.id, "replies", chosen);
        return await done(
          chosen === "each"
            ? REPLY_MAILS_IN_WORDS.each
            : "You get no more e-mails about replies to your reviews.",
        );
      }
      case "review-requests": {
        const chosen = text(form, "reviewRequests");
        await setMails(user.id, "requests", chosen);
        return await done(
          chosen === "each"
            ? REQUEST_MAILS_IN_WORDS.each
            : "You get no more e-mails that ask for reviews.",
        );
      }
      case "create-token": {
        const proof = await requireProof(
          request,
          `${ACCOUNT_PATH}#tokens`,
          passwords.currentPassword,
        );
        const { tokenName, expiry } = values;
        const token = { tokenName, expiry: expiry || undefined, currentPassword: proof } as const;
        // Sent in this response only: the token is stored in no session and shown on no other page.
        return { intent, token: await createTokenFor(user, token) };
      }
      case "revoke-token": {
        const name = await revokeToken(user, text(form, "tokenId"));
        return await done(
          name ? `The token “${isolated(name)}” is revoked.` : "That token no longer exists.",
        );
      }
      default:
        throw new Response(null, { status: 400 });
    }
  } catch (error) {
    // Passwords are never sent back into their fields.
    return refusedForm(error, { intent, values });
  }
}
