import { Form, Link, useSearchParams } from "@remix-run/react";
import type { ReactElement } from "react";
import type { FormErrors } from "~/lib/errors.server";
import { useErrorTitle } from "~/ui/browser/error-title";
import { OtherForm } from "~/ui/browser/other-form";
import { useFocused } from "~/ui/focused";
import { EmailField, ErrorSummary, SubmitButton } from "~/ui/forms";

/** Whether e-mails can be read in the development mailbox instead of being sent; null where they are sent. */
export type Captured = "open" | "closed" | "lost" | null;

interface LinkAnswer {
  email: string;
  errors?: FormErrors;
  isSent?: boolean;
  again?: boolean;
}

interface Props {
  action: string;
  answer: LinkAnswer | undefined;
  captured: Captured;
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

interface SentProps {
  email: string;
  children: string;
  captured: Captured;
  /** The path whose form has sent it, and sends it again; absent where that form is on the page. */
  action?: string;
  again?: boolean;
}

/** Says the same whether or not the address has an account. */
export function LinkSent({ email, children, captured, action, again }: SentProps) {
  return (
    <div className="note stack" role="status" {...useFocused(email)}>
      <p>
        <strong>Please check your e-mail.</strong>{" "}
        <span>{again ? "We have sent another message to" : "We have sent a message to"}</span>{" "}
        <strong>
          <bdi translate="no">{email}</bdi>
        </strong>
        .
      </p>
      <p>{children}</p>
      {again && <p>Only the link in the newest message works.</p>}
      <p>Nothing after a few minutes? Check your spam folder, and the address above.</p>
      {action && <SendAgain email={email} action={action} />}
      {captured === "open" && (
        <p>
          This site sends no e-mails yet: <Link to="/dev/mail">read it here</Link>.
        </p>
      )}
      {captured === "closed" && (
        <p>
          This site sends no e-mails yet: read it at the address with <code>/dev/mail?key=</code>{" "}
          that the start of the site has printed.
        </p>
      )}
    </div>
  );
}

/** Sends the message again, or leads back to the form with the address in it. */
function SendAgain({ email, action }: { email: string; action: string }) {
  const [search] = useSearchParams();
  return (
    <Form method="post" className="row">
      <input type="hidden" name="email" value={email} />
      <input type="hidden" name="redirectTo" value={search.get("redirectTo") ?? "/"} />
      <SubmitButton action={action} name="again" value="yes" className="button-quiet button-small">
        Send it again
      </SubmitButton>
      <OtherForm to={action}>Use another address</OtherForm>
    </Form>
  );
}

/** Stands instead of a form that would send a link, on a site whose e-mails do not arrive; `refused` if it was sent. */
export function NoEmails({ refused, children }: { refused: boolean; children: string }) {
  useErrorTitle(refused);
  return (
    <div className="note stack" role={refused ? "alert" : undefined}>
      <p>
        <strong>This site sends no e-mails at the moment.</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}
