import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { LinkSent } from "~/accounts/log-in/link-sent";
import { SHOW_FORM } from "~/ui/browser/other-form";
import { NoEmails } from "~/accounts/no-emails";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";
import { capturedMails } from "~/server/captured-mails-page.server";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, text } from "~/server/form-data.server";
import { requireNobody } from "~/server/pages.server";
import { safeRedirect } from "~/server/redirects.server";
import { requestSignUp } from "~/accounts/log-in/sign-up.server";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [
  { title: "Sign up · Tour Reviews" },
  {
    name: "description",
    content: "Create an account to review the tours that you have been on.",
  },
];

export async function loader({ request }: LoaderFunctionArgs) {
  await requireNobody(request);
  return { captured: await capturedMails(request) };
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const email = text(form, "email");
  const redirectTo = safeRedirect(form.get("redirectTo"));
  if (form.has(SHOW_FORM)) return data({ email, errors: undefined });
  try {
    const client = { clientAddress: clientAddress(), redirectTo };
    return { sentTo: await requestSignUp({ email }, client), again: form.has("again") };
  } catch (error) {
    return refusedForm(error, { email });
  }
}

export default function SignUp() {
  const { captured } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const [search] = useSearchParams();
  const refused = answer && "errors" in answer ? answer : undefined;
  return (
    <div className="centred stack">
      <h1>Sign up</h1>
      {answer && "sentTo" in answer ? (
        <LinkSent email={answer.sentTo} again={answer.again} captured={captured} action="/signup">
          Open the link in it to choose a name and a password. It works for 24 hours.
        </LinkSent>
      ) : captured === "lost" ? (
        <NoEmails refused={refused?.errors !== undefined}>
          We therefore cannot send you a link to create an account. Please try again later.
        </NoEmails>
      ) : (
        <>
          <p className="lead">
            With an account, you can review the tours that you booked and went on. First we send you
            a link to make sure that the address is yours.
          </p>
          <ErrorSummary errors={refused?.errors} />
          <Form method="post" className="form" noValidate>
            <input
              type="hidden"
              name="redirectTo"
              value={search.get("redirectTo") ?? search.get("from") ?? "/"}
            />
            <EmailField
              label="E-mail address"
              name="email"
              hint="You’ll use this to log in. Choose the one that you book with."
              required
              defaultValue={refused?.email}
              error={refused?.errors?.fields.email}
            />
            <div className="row">
              <SubmitButton action="/signup">Send me the link</SubmitButton>
            </div>
          </Form>
        </>
      )}
      <p>
        Already have an account?{" "}
        <Link to={{ pathname: "/login", search: search.toString() }}>Log in</Link>
      </p>
    </div>
  );
}
