import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { Address } from "~/accounts/address";
import { INTENTS, type Intent } from "~/accounts/account-intents";
import { MoreOfAccount } from "~/accounts/more";
import { Password } from "~/accounts/password";
import { Profile } from "~/me/profile";
import { REPLY_MAILS_IN_WORDS, ReplyMailsSetting } from "~/accounts/reply-mails";
import { Tokens } from "~/accounts/tokens";
import { ACCOUNT_PATH } from "~/ui/paths";
import { capturedMails } from "~/server/captured-mails-page.server";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, text } from "~/server/form-data.server";
import { redirectWithNotice, requireUser } from "~/server/pages.server";
import { startSession } from "~/server/session.server";
import { isolated } from "~/infra/text";
import { requestAddressChange } from "~/accounts/address.server";
import { changePassword, hasOwnPassword } from "~/accounts/log-in/passwords.server";
import { createTokenFor, listTokens, revokeToken } from "~/accounts/tokens.server";
import { updateProfile } from "~/me/profile.server";
import { getReplyMails, setReplyMails } from "~/mail/mail-settings.server";

export { headers } from "~/server/retry-after.server";
export { INTENTS };

export const meta: MetaFunction = () => [{ title: "Account · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const after = new URL(request.url).searchParams.get("tokens");
  const [tokens, replyMails, withPassword] = await Promise.all([
    listTokens(user, after),
    getReplyMails(user.id),
    hasOwnPassword(user.id),
  ]);
  return {
    user: { ...user, hasPassword: withPassword },
    tokens,
    replyMails,
    now: new Date().toISOString(),
    captured: await capturedMails(request),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  const intent = INTENTS.find((name) => name === form.get("intent"));
  const values = {
    name: text(form, "name"),
    image: text(form, "image"),
    newEmail: text(form, "newEmail"),
    tokenName: text(form, "tokenName"),
    expiry: text(form, "expiry"),
  };
  const currentPassword = text(form, "currentPassword");
  try {
    switch (intent) {
      case "profile":
        return await redirectWithNotice(
          request,
          ACCOUNT_PATH,
          (await updateProfile(user, values)) ? "Your profile is saved." : "Nothing was changed.",
        );
      case "address": {
        const change = { ...values, currentPassword };
        return { intent, sentTo: await requestAddressChange(user, change, clientAddress()) };
      }
      case "password": {
        await changePassword(user, { currentPassword, newPassword: text(form, "newPassword") });
        const notice = "Your password is changed, and you are logged out everywhere else.";
        const cookie = await startSession(request, user.id, { notice });
        return redirect(ACCOUNT_PATH, { headers: { "Set-Cookie": cookie } });
      }
      case "reply-mails": {
        const chosen = await setReplyMails(user.id, text(form, "replyMails"));
        const notice =
          chosen === "each"
            ? REPLY_MAILS_IN_WORDS.each
            : "You get no more e-mails about replies to your reviews.";
        return await redirectWithNotice(request, ACCOUNT_PATH, notice);
      }
      case "create-token": {
        const token = { ...values, expiry: values.expiry || undefined, currentPassword };
        // Sent in this response only: the token is stored in no session and shown on no other page.
        return { intent, token: await createTokenFor(user, token) };
      }
      case "revoke-token": {
        const name = await revokeToken(user, text(form, "tokenId"));
        const notice = name
          ? `The token “${isolated(name)}” is revoked.`
          : "That token no longer exists.";
        return await redirectWithNotice(request, ACCOUNT_PATH, notice);
      }
      default:
        throw new Response(null, { status: 400 });
    }
  } catch (error) {
    // Passwords are never sent back into their fields.
    return refusedForm(error, { intent, values });
  }
}

export default function Account() {
  const { user, tokens, replyMails, now, captured } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { key } = useLocation();
  const refused = answer && "errors" in answer ? answer : undefined;
  const refusedAs = (intent: Intent) => (refused?.intent === intent ? refused : undefined);
  const [profile, address] = [refusedAs("profile"), refusedAs("address")];
  const token = refusedAs("create-token");
  return (
    // A new key with every response empties the fields.
    <div className="stack-l" key={key}>
      <h1>Account</h1>
      <div className="cards">
        <Profile user={user} values={profile?.values} errors={profile?.errors} />
        <Address
          email={user.email}
          sentTo={answer && "sentTo" in answer ? answer.sentTo : undefined}
          captured={captured}
          newEmail={address?.values.newEmail}
          errors={address?.errors}
        />
        <Password email={user.email} errors={refusedAs("password")?.errors} />
        <Tokens
          user={user}
          tokens={tokens}
          now={now}
          created={answer && "token" in answer ? answer.token : undefined}
          values={token?.values}
          errors={token?.errors}
        />
        <ReplyMailsSetting chosen={replyMails} errors={refusedAs("reply-mails")?.errors} />
        <MoreOfAccount />
      </div>
    </div>
  );
}
