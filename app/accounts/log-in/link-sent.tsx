import { Form, Link, useSearchParams } from "@remix-run/react";
import { useFocused } from "~/ui/focused";
import { SubmitButton } from "~/ui/forms";
import { OtherForm } from "~/ui/browser/other-form";

interface Props {
  email: string;
  children: string;
  captured: "open" | "closed" | "lost" | null;
  /** The path whose form has sent it, and sends it again; absent where that form is on the page. */
  action?: string;
  again?: boolean;
}

/** Says the same whether or not the address has an account. */
export function LinkSent({ email, children, captured, action, again }: Props) {
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
