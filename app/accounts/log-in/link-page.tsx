import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useErrorTitle } from "~/ui/browser/error-title";
import { SubmitButton } from "~/ui/forms";
import { RESET_PATH } from "~/ui/paths";
import { DEAD_LINK, unlisted } from "~/ui/site";

// Parts of the pages that links in e-mails open.

/** Returns the `meta` of the page of a link; without a title, that of a link that does not work. */
export const linkMeta = (title: string | null | undefined) => unlisted(title ?? DEAD_LINK);

export function DeadLink({ children }: { children: ReactNode }) {
  useErrorTitle(true);
  return (
    <div className="centred stack">
      <h1>{DEAD_LINK}</h1>
      <p className="lead">
        It has been used, has expired or was replaced by a newer one. Please also check that you
        opened the complete address.
      </p>
      <div className="row">{children}</div>
    </div>
  );
}

export const ACCOUNT_EXISTS = "You already have an account";

/** Says that the address has an account. The link's holder has proven the address, so they may know. */
export function AccountExists({ email }: { email: string }) {
  return (
    <div className="centred stack">
      <h1>{ACCOUNT_EXISTS}</h1>
      <p className="lead">
        An account with the address{" "}
        <strong>
          <bdi translate="no">{email}</bdi>
        </strong>{" "}
        was created in the meantime, for example by the platform that you book with. Log in with its
        password, or set a new one.
      </p>
      <Form method="post" action={RESET_PATH} className="row">
        <input type="hidden" name="email" value={email} />
        <SubmitButton action={RESET_PATH}>Send me a link to set a password</SubmitButton>
        <Link to="/login">Log in</Link>
      </Form>
    </div>
  );
}

/** The box that revokes access tokens with the old password; ticked unless it was sent without the tick. */
export function RevokeTokens({ count, chosen }: { count: number; chosen: boolean }) {
  return (
    <div className="choice">
      <input
        type="checkbox"
        name="revokeTokens"
        id="revokeTokens"
        aria-describedby="revokeTokens-hint"
        defaultChecked={chosen}
      />
      <div>
        <label htmlFor="revokeTokens">
          {count === 1 ? "Revoke my access token" : `Revoke my ${count} access tokens`}
        </label>
        <p className="hint" id="revokeTokens-hint">
          {`Programs that use ${count === 1 ? "it" : "them"} can no longer act in your name. Leave this ticked if someone else may know your password.`}
        </p>
      </div>
    </div>
  );
}
