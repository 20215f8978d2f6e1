import {
  data,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { DeadLink, linkMeta, RevokeTokens } from "~/accounts/log-in/link-page";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";
import { PasswordField } from "~/accounts/password-field";
import { RESET_PATH } from "~/ui/paths";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, formText } from "~/server/form-data.server";
import { requireOwnAccounts } from "~/server/single-sign-on.server";
import { redirectWithSession } from "~/server/pages.server";
import { findReset, resetPassword } from "~/accounts/log-in/password-reset.server";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  linkMeta(data?.link && "Choose a new password");

/** Shows what the link is for and uses nothing up: programs that look into e-mails follow links too. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  requireOwnAccounts(request);
  const link = await findReset(params.token ?? "");
  return data({ link }, { status: link ? 200 : 404 });
}

/** After a refusal too: the link may be the reason. */
export const shouldRevalidate = () => true;

export async function action({ request, params }: ActionFunctionArgs) {
  requireOwnAccounts(request);
  const form = await request.formData();
  const revokeTokens = form.has("revokeTokens");
  try {
    const input = { newPassword: formText(form, "newPassword"), revokeTokens };
    const { email, revoked } = await resetPassword(params.token ?? "", input, clientAddress());
    const ended = revoked
      ? `all log-ins have ended and ${tokensInWords(revoked)} revoked`
      : "all log-ins have ended";
    const notice = `Your password is changed, and ${ended}. Log in with the new one.`;
    return await redirectWithSession(request, "/login", null, { notice, email });
  } catch (error) {
    return refusedForm(error, { revokeTokens });
  }
}

const tokensInWords = (count: number) =>
  count === 1 ? "your access token is" : `your ${count} access tokens are`;

export default function ChooseNewPassword() {
  const { link } = useLoaderData<typeof loader>();
  const { token } = useParams();
  const refused = useActionData<typeof action>();
  if (!link)
    return (
      <DeadLink>
        <Link to={RESET_PATH} className="button">
          Get a new link
        </Link>
        <Link to="/login">Log in</Link>
      </DeadLink>
    );
  return (
    <div className="centred stack">
      <h1>Choose a new password</h1>
      <p className="lead">This logs you out everywhere.</p>
      <ErrorSummary errors={refused?.errors} />
      <Form method="post" className="form" noValidate>
        <EmailField label="E-mail address" name="email" readOnly value={link.email} />
        <PasswordField
          label="New password"
          name="newPassword"
          isNew
          error={refused?.errors.fields.newPassword}
        />
        {link.tokens > 0 && (
          <RevokeTokens count={link.tokens} chosen={refused?.revokeTokens ?? true} />
        )}
        <div className="row">
          <SubmitButton action={`/reset/${token}`}>Change password</SubmitButton>
        </div>
      </Form>
    </div>
  );
}
