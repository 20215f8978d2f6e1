import { Form, Link } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH, RESET_PATH } from "~/ui/paths";
import { AccountName, PasswordField } from "./password-field";
import type { Intent } from "./account-intents";

export function Password({ email, errors }: { email: string; errors: FormErrors | undefined }) {
  return (
    <section className="card stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p>A new password logs you out everywhere else. Access tokens stay valid.</p>
      <ErrorSummary errors={errors} idPrefix="password-" />
      <Form method="post" className="form" noValidate>
        <AccountName email={email} />
        <PasswordField
          label="Current password"
          name="currentPassword"
          idPrefix="password-"
          autoComplete="current-password"
          required
          error={errors?.fields.currentPassword}
        />
        <PasswordField
          label="New password"
          name="newPassword"
          idPrefix="password-"
          hint="At least 10 characters."
          autoComplete="new-password"
          required
          error={errors?.fields.newPassword}
        />
        <div className="row">
          <SubmitButton action={ACCOUNT_PATH} name="intent" value={"password" satisfies Intent}>
            Change password
          </SubmitButton>
        </div>
      </Form>
      <p className="small">
        Forgotten your current one? <Link to={RESET_PATH}>Reset it by e-mail</Link>
      </p>
    </section>
  );
}
