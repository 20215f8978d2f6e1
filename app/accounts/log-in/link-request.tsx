import { Form } from "@remix-run/react";
import type { ReactElement } from "react";
import type { FormErrors } from "~/infra/errors.server";
import { NoEmails } from "~/accounts/no-emails";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";
import { LinkSent } from "./link-sent";

interface LinkAnswer {
  email: string;
  errors?: FormErrors;
  isSent?: boolean;
  again?: boolean;
}

interface Props {
  action: string;
  answer: LinkAnswer | undefined;
  captured: "open" | "closed" | "lost" | null;
  lead: string;
  hint?: string;
  /** Says what the e-mail's link does, and how long it is valid. */
  sent: string;
  noEmails: string;
  /** Ends the form. */
  children: ReactElement;
}

/** Asks for an address, to which a link is sent, or says that it was sent there. */
export function LinkRequest({
  action,
  answer,
  captured,
  lead,
  hint,
  sent,
  noEmails,
  children,
}: Props) {
  if (answer?.isSent)
    return (
      <LinkSent email={answer.email} again={answer.again} captured={captured} action={action}>
        {sent}
      </LinkSent>
    );
  const errors = answer?.errors;
  if (captured === "lost") return <NoEmails refused={errors !== undefined}>{noEmails}</NoEmails>;
  return (
    <>
      <p className="lead">{lead}</p>
      <ErrorSummary errors={errors} />
      <Form method="post" className="form" noValidate>
        <EmailField
          label="E-mail address"
          name="email"
          hint={hint}
          required
          defaultValue={answer?.email}
          error={errors?.fields.email}
        />
        <div className="row">
          <SubmitButton action={action}>Send me the link</SubmitButton>
        </div>
        {children}
      </Form>
    </>
  );
}
