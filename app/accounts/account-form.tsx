import { Form } from "@remix-run/react";
import type { ReactElement } from "react";
import type { FormErrors } from "~/lib/errors.server";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { ACCOUNT_PATH } from "~/ui/paths";

/** The values of the field `intent` in the forms of the account page; its action knows no others. */
export const INTENTS = [
  "profile",
  "address",
  "password",
  "reply-mails",
  "review-requests",
  "create-token",
  "revoke-token",
] as const;
export type Intent = (typeof INTENTS)[number];

interface AccountField {
  name: string;
  idPrefix: string;
  error: string | undefined;
}

interface AccountFormProps {
  intent: Intent;
  idPrefix: string;
  errors?: FormErrors;
  button: string;
  children: (field: (name: string) => AccountField) => ReactElement;
}

/** A form of the account page; `field` gives each field its name, its id and its error. */
export function AccountForm({ intent, idPrefix, errors, button, children }: AccountFormProps) {
  return (
    <>
      <ErrorSummary errors={errors} idPrefix={idPrefix} />
      <Form method="post" className="form" noValidate>
        {children((name) => ({ name, idPrefix, error: errors?.fields[name] }))}
        <div className="row">
          <SubmitButton action={ACCOUNT_PATH} name="intent" value={intent}>
            {button}
          </SubmitButton>
        </div>
      </Form>
    </>
  );
}
