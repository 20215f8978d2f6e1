import { Link } from "@remix-run/react";
import type { FormErrors } from "~/lib/errors.server";
import { RESET_PATH } from "~/ui/paths";
import { Section } from "~/ui/section";
import { AccountForm } from "./account-form";
import { PasswordField } from "./password-field";

export function Password({ email, errors }: { email: string; errors: FormErrors | undefined }) {
  return (
    <Section id="password" title="Password" level={3} className="card stack">
      <p>A new password logs you out everywhere else. Access tokens stay valid.</p>
      <AccountForm intent="password" idPrefix="password-" errors={errors} button="Change password">
        {(field) => (
          <>
            <PasswordField {...field("currentPassword")} label="Current password" account={email} />
            <PasswordField {...field("newPassword")} label="New password" isNew />
          </>
        )}
      </AccountForm>
      <p className="small">
        Forgotten your current one? <Link to={RESET_PATH}>Reset it by e-mail</Link>
      </p>
    </Section>
  );
}
