import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { ACCOUNT_EXISTS, AccountExists, DeadLink, linkMeta } from "~/accounts/log-in/link-page";
import { useErrorTitle } from "~/ui/browser/error-title";
import { EmailField, ErrorSummary, Field, SubmitButton } from "~/ui/forms";
import { PasswordField } from "~/accounts/password-field";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { requireOwnAccounts } from "~/server/single-sign-on.server";
import { redirectWithSession } from "~/server/pages.server";
import { isolated } from "~/lib/text";
import { findSignUp, signUp } from "~/accounts/log-in/sign-up.server";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  linkMeta(data?.link && (data.link.accountExists ? ACCOUNT_EXISTS : "Finish your sign-up"));

/** Shows what the link is for and uses nothing up: programs that look into e-mails follow links too. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  requireOwnAccounts(request);
  const link = await findSignUp(params.token ?? "");
  return data({ link }, { status: link ? 200 : 404 });
}

/** After a refusal too, where scripts run: the link may be the reason. */
export const shouldRevalidate = () => true;

export async function action({ request, params }: ActionFunctionArgs) {
  requireOwnAccounts(request);
  const form = await request.formData();
  const name = formText(form, "name");
  try {
    const fields = { name, password: formText(form, "password") };
    const { user, proven, redirectTo } = await signUp(params.token ?? "", fields, clientAddress());
    const notice = `Welcome, ${isolated(user.name)}.`;
    return await redirectWithSession(request, redirectTo, proven, { notice });
  } catch (error) {
    return refusedForm(error, { name });
  }
}

export default function FinishSignUp() {
  const { link } = useLoaderData<typeof loader>();
  const { token } = useParams();
  const refused = useActionData<typeof action>();
  const errors = refused?.errors.fields;
  // The refusal may be all that the page shows.
  useErrorTitle(refused !== undefined);
  if (!link)
    return (
      <DeadLink>
        <Link to="/login" className="button">
          Log in
        </Link>
        <Link to="/signup">Get a new link</Link>
      </DeadLink>
    );
  if (link.accountExists) return <AccountExists email={link.email} />;
  return (
    <div className="centred stack">
      <h1>Finish your sign-up</h1>
      <p className="lead">Your address is confirmed. Just one more step.</p>
      <ErrorSummary errors={refused?.errors} />
      {/* The server reports all errors together, a browser only the first one. */}
      <Form method="post" className="form" noValidate>
        <EmailField label="E-mail address" name="email" readOnly value={link.email} />
        <Field
          label="Name"
          name="name"
          hint="Shown next to your reviews."
          autoComplete="name"
          required
          defaultValue={refused?.name}
          error={errors?.name}
        />
        <PasswordField label="Password" name="password" isNew error={errors?.password} />
        {link.asks && (
          <p className="hint">
            After a tour we ask you once, by e-mail, how it was. You can stop these e-mails at any
            time.
          </p>
        )}
        <div className="row">
          <SubmitButton action={`/signup/${token}`}>Sign up</SubmitButton>
        </div>
      </Form>
    </div>
  );
}
