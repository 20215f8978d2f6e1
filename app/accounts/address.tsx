import type { FormErrors } from "~/lib/errors.server";
import { EmailField } from "~/ui/forms";
import { Section } from "~/ui/section";
import { type Captured, LinkSent, NoEmails } from "~/accounts/log-in/link-request";
import { AccountForm } from "./account-form";
import { PasswordField } from "./password-field";

interface Props {
  email: string;
  sentTo: string | undefined;
  captured: Captured;
  newEmail: string | undefined;
  errors: FormErrors | undefined;
}

/** The form for a new address, which counts only once a link that is sent there was opened. */
export function Address({ email, sentTo, captured, newEmail, errors }: Props) {
  return (
    <Section id="address" title="E-mail address" level={3} className="card stack">
      <p>
        You log in with{" "}
        <strong>
          <bdi translate="no">{email}</bdi>
        </strong>
        . To change it, enter the new address, and open the link that we send there.
      </p>
      {sentTo !== undefined && (
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
        <AccountForm intent="address" idPrefix="address-" errors={errors} button="Change address">
          {(field) => (
            <>
              <EmailField
                {...field("newEmail")}
                label="New e-mail address"
                autoComplete="email"
                required
                defaultValue={newEmail}
              />
              <PasswordField {...field("currentPassword")} label="Your password" account={email} />
            </>
          )}
        </AccountForm>
      )}
    </Section>
  );
}
