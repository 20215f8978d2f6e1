import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { LinkRequest } from "~/accounts/log-in/link-request";
import { OtherForm } from "~/ui/browser/other-form";
import { RESET_PATH } from "~/ui/paths";
import { devMailboxState } from "~/server/dev-mailbox-page.server";
import { clientAddress } from "~/server/current-user.server";
import { requireOwnAccounts } from "~/server/single-sign-on.server";
import { answerLinkRequest } from "~/server/link-request.server";
import { requestReset } from "~/accounts/log-in/password-reset.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [
  titled("Reset your password"),
  {
    name: "description",
    content: "Forgotten your password? Ask for a link by e-mail and choose a new one.",
  },
];

export async function loader({ request }: LoaderFunctionArgs) {
  requireOwnAccounts(request);
  return { captured: await devMailboxState(request) };
}

export const action = ({ request }: ActionFunctionArgs) =>
  answerLinkRequest(request, (email) => requestReset({ email }, clientAddress()));

export default function Reset() {
  const { captured } = useLoaderData<typeof loader>();
  return (
    <div className="centred stack">
      <h1>Reset your password</h1>
      <LinkRequest
        action={RESET_PATH}
        answer={useActionData<typeof action>()}
        captured={captured}
        lead="Enter your address, and we will send you a link to choose a new password. If the platform that you book with has created your account, you choose your first password the same way."
        sent="Open the link in it to choose a new password. It works for one hour."
        noEmails="We therefore cannot send you a link to set a new password. Please try again later."
      >
        <p>
          Remembered it? <OtherForm to="/login">Log in</OtherForm>
        </p>
      </LinkRequest>
    </div>
  );
}
