import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { LinkRequest } from "~/accounts/log-in/link-request";
import { devMailboxState } from "~/server/dev-mailbox-page.server";
import { clientAddress } from "~/server/current-user.server";
import { answerLinkRequest } from "~/server/link-request.server";
import { requireOwnAccounts } from "~/server/single-sign-on.server";
import { requireNobody } from "~/server/pages.server";
import { safeRedirect } from "~/server/redirects.server";
import { requestSignUp } from "~/accounts/log-in/sign-up.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [
  titled("Sign up"),
  {
    name: "description",
    content: "Create an account to review the tours that you have been on.",
  },
];

export async function loader({ request }: LoaderFunctionArgs) {
  requireOwnAccounts(request);
  await requireNobody(request);
  return { captured: await devMailboxState(request) };
}

export const action = ({ request }: ActionFunctionArgs) =>
  answerLinkRequest(request, (email, form) => {
    const redirectTo = safeRedirect(form.get("redirectTo"));
    return requestSignUp({ email }, { clientAddress: clientAddress(), redirectTo });
  });

export default function SignUp() {
  const { captured } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const redirectTo = search.get("redirectTo") ?? search.get("from") ?? "/";
  return (
    <div className="centred stack">
      <h1>Sign up</h1>
      <LinkRequest
        action="/signup"
        answer={useActionData<typeof action>()}
        captured={captured}
        lead="With an account, you can review the tours that you booked and went on. First we send you a link to make sure that the address is yours."
        hint="You’ll use this to log in. Choose the one that you book with."
        sent="Open the link in it to choose a name and a password. It works for 24 hours."
        noEmails="We therefore cannot send you a link to create an account. Please try again later."
      >
        <input type="hidden" name="redirectTo" value={redirectTo} />
      </LinkRequest>
      <p>
        Already have an account?{" "}
        <Link to={{ pathname: "/login", search: search.toString() }}>Log in</Link>
      </p>
    </div>
  );
}
