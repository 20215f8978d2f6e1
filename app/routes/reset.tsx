import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { LinkSent } from "~/accounts/log-in/link-sent";
import { OtherForm, SHOW_FORM } from "~/ui/browser/other-form";
import { NoEmails } from "~/accounts/no-emails";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";
import { RESET_PATH } from "~/ui/paths";
import { capturedMails } from "~/server/captured-mails-page.server";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, text } from "~/server/form-data.server";
import { requestReset } from "~/accounts/log-in/password-reset.server";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [
  { title: "Reset your password · Tour Reviews" },
  {
    name: "description",
    content: "Forgotten your password? Ask for a link by e-mail and choose a new one.",
  },
];

export async function loader({ request }: LoaderFunctionArgs) {
  return { captured: await capturedMails(request) };
}

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const email = text(form, "email");
  if (form.has(SHOW_FORM)) return data({ email, errors: undefined });
  try {
    const sentTo = await requestReset({ email }, clientAddress());
    return { sentTo, again: form.has("again") };
  } catch (error) {
    return refusedForm(error, { email });
  }
}

export default function Reset() {
  const { captured } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const refused = answer && "errors" in answer ? answer : undefined;
  return (
    <div className="centred stack">
      <h1>Reset your password</h1>
      {answer && "sentTo" in answer ? (
        <LinkSent
          email={answer.sentTo}
          again={answer.again}
          captured={captured}
          action={RESET_PATH}
        >
          Open the link in it to choose a new password. It works for one hour.
        </LinkSent>
      ) : captured === "lost" ? (
        <NoEmails refused={refused?.errors !== undefined}>
          We therefore cannot send you a link to set a new password. Please try again later.
        </NoEmails>
      ) : (
        <>
          <p className="lead">
            Enter your address, and we will send you a link to choose a new password. If the
            platform that you book with has created your account, you choose your first password the
            same way.
          </p>
          <ErrorSummary errors={refused?.errors} />
          <Form method="post" className="form" noValidate>
            <EmailField
              label="E-mail address"
              name="email"
              required
              defaultValue={refused?.email}
              error={refused?.errors?.fields.email}
            />
            <div className="row">
              <SubmitButton action={RESET_PATH}>Send me the link</SubmitButton>
            </div>
            <p>
              Remembered it? <OtherForm to="/login">Log in</OtherForm>
            </p>
          </Form>
        </>
      )}
    </div>
  );
}
