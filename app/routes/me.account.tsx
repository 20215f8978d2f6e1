import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { INTENTS, type Intent } from "~/accounts/account-form";
import { Address } from "~/accounts/address";
import { hasOwnPassword } from "~/accounts/log-in/passwords.server";
import { Data, Devices } from "~/accounts/more";
import { Password } from "~/accounts/password";
import { ReplyMailsSetting, RequestMailsSetting } from "~/accounts/mail-choices";
import { Tokens } from "~/accounts/tokens";
import { listTokens } from "~/accounts/tokens.server";
import { getMailSettings } from "~/mail/mail-settings.server";
import { PlatformProfile, Profile } from "~/me/profile";
import { accountAction } from "~/server/account-action.server";
import { devMailboxState } from "~/server/dev-mailbox-page.server";
import { requireUser } from "~/server/pages.server";
import { useByPlatform } from "~/ui/browser/by-platform";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";
export { INTENTS };

export const meta: MetaFunction = () => [titled("Account")];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const after = new URL(request.url).searchParams.get("tokens");
  const [tokens, { replies, requests }, hasPassword] = await Promise.all([
    listTokens(user, after),
    getMailSettings(user.id),
    hasOwnPassword(user.id),
  ]);
  const now = new Date().toISOString();
  const mails = { replies, requests };
  return { user, hasPassword, tokens, mails, now, captured: await devMailboxState(request) };
}

export const action = ({ request }: ActionFunctionArgs) => accountAction(request);

export default function Account() {
  const { user, hasPassword, tokens, mails, now, captured } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { key } = useLocation();
  const byPlatform = useByPlatform();
  const refused = answer && "errors" in answer ? answer : undefined;
  const refusedAs = (intent: Intent) => (refused?.intent === intent ? refused : undefined);
  const address = refusedAs("address");
  return (
    // A new key with every response empties the fields.
    <div className="stack-l" key={key}>
      <h1>Account</h1>
      <div className="with-contents">
        <nav className="contents" aria-label="On this page">
          <ul>
            {Object.entries(GROUPS).map(([id, title]) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="stack-l">
          <Group id="profile">
            {byPlatform ? (
              <PlatformProfile user={user} key="elsewhere" />
            ) : (
              <Profile user={user} key="here" {...refusedAs("profile")} />
            )}
          </Group>
          <Group id="log-in">
            {!byPlatform && (
              <>
                <Address
                  email={user.email}
                  sentTo={answer && "sentTo" in answer ? answer.sentTo : undefined}
                  captured={captured}
                  newEmail={address?.values.newEmail}
                  errors={address?.errors}
                />
                <Password email={user.email} errors={refusedAs("password")?.errors} />
              </>
            )}
            <Devices />
          </Group>
          <Group id="e-mails">
            <ReplyMailsSetting chosen={mails.replies} errors={refusedAs("reply-mails")?.errors} />
            <RequestMailsSetting
              chosen={mails.requests}
              errors={refusedAs("review-requests")?.errors}
            />
          </Group>
          <Group id="data">
            <Data />
          </Group>
          <Group id="developers">
            <Tokens
              email={user.email}
              hasPassword={hasPassword || byPlatform}
              tokens={tokens}
              now={now}
              created={answer && "token" in answer ? answer.token : undefined}
              {...refusedAs("create-token")}
            />
          </Group>
        </div>
      </div>
    </div>
  );
}

/** The page's groups, in their order. */
const GROUPS = {
  profile: "Profile",
  "log-in": "Log-in",
  "e-mails": "E-mails",
  data: "Data",
  developers: "For developers",
};

function Group({ id, children }: { id: keyof typeof GROUPS; children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{GROUPS[id]}</h2>
      <div className="cards">{children}</div>
    </section>
  );
}
