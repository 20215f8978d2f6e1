import { Form } from "@remix-run/react";
import type { FormErrors } from "~/infra/errors.server";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH } from "~/ui/paths";
import { LinkSent } from "~/accounts/log-in/link-sent";
import { AccountName, PasswordField } from "./password-field";
import type { Intent } from "./account-intents";
import { NoEmails } from "./no-emails";

interface Props {
  email: string;
  /** Where a link was just sent. */
  sentTo: string | undefined;
  captured: "open" | "closed" | "lost" | null;
  newEmail: string | undefined;
  errors: FormErrors | undefined;
}

/** The form for a new address, which counts only once a link that is sent there was opened. */
export function Address({ email, sentTo, captured, newEmail, errors }: Props) {
  return (
    <section className="card stack" aria-labelledby="address">
      <h2 id="address">E-mail address</h2>
      <p>
        You log in with{" "}
        <strong>
          <bdi translate="no">{email}</bdi>
        </strong>
        . To change it, enter the new address, and open the link that we send there.
      </p>
      {sentTo && (
        <LinkSent email={sentTo} captured={captured}>
          Open the link in it to confirm the address. It works for 24 hours; until then nothing
          changes.
        </LinkSent>
      )}
      {captured === "lost" ? (
        <NoEmails refused={errors !== undefined}>
          Your address therefore cannot be changed now. Please try again later.
        </NoEmails>
      ) : (
        <AddressForm email={email} newEmail={newEmail} errors={errors} />
      )}
    </section>
  );
}

function AddressForm({ email, newEmail, errors }: Pick<Props, "email" | "newEmail" | "errors">) {
  return (
    <>
      <ErrorSummary errors={errors} idPrefix="address-" />
      <Form method="post" className="form" noValidate>
        <EmailField
          label="New e-mail address"
          name="newEmail"
          idPrefix="address-"
          autoComplete="email"
          required
          defaultValue={newEmail}
          error={errors?.fields.newEmail}
        />
        <AccountName email={email} />
        <PasswordField
          label="Your password"
          name="currentPassword"
          idPrefix="address-"
          autoComplete="current-password"
          required
          error={errors?.fields.currentPassword}
        />
        <div className="row">
          <SubmitButton action={ACCOUNT_PATH} name="intent" value={"address" satisfies Intent}>
            Change address
          </SubmitButton>
        </div>
      </Form>
    </>
  );
}
