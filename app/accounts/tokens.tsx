import { Form, Link } from "@remix-run/react";
import type { FormErrors } from "~/lib/errors.server";
import { CopyButton } from "~/ui/browser/copy-button";
import { useFocused } from "~/ui/focused";
import type { CursorPage } from "~/db/cursor.server";
import { Field, SelectField } from "~/ui/forms";
import { CursorLinks } from "~/ui/page-links";
import { RESET_PATH } from "~/ui/paths";
import { Time } from "~/ui/time";
import { Section } from "~/ui/section";
import { AccountForm, type Intent } from "./account-form";
import { PasswordField } from "./password-field";
import type { TokenInfo } from "./tokens.server";
import { DEFAULT_LIFETIME, TOKEN_LIFETIMES } from "./token-limits";

interface Props {
  email: string;
  hasPassword: boolean;
  tokens: CursorPage<TokenInfo>;
  /** `expiresAt` is compared with it, in ISO 8601. */
  now: string;
  created: string | undefined;
  values?: { tokenName: string; expiry: string };
  errors?: FormErrors;
}

export function Tokens({ email, hasPassword, tokens, now, created, values, errors }: Props) {
  return (
    <Section id="tokens" title="Access tokens" level={3} className="card stack">
      <p>
        A program that sends a token to the API as{" "}
        <code translate="no">Authorization: Bearer …</code> acts in your name.
      </p>
      {created !== undefined && <NewToken token={created} />}
      {tokens.items.length > 0 && <TokenList tokens={tokens.items} now={now} />}
      <CursorLinks
        param="tokens"
        next={tokens.next}
        hash="tokens"
        newest="Newest tokens"
        older="Older tokens"
      />
      <AccountForm intent="create-token" idPrefix="token-" errors={errors} button="Create token">
        {(field) => (
          <>
            <Field
              {...field("tokenName")}
              label="Name of a new token"
              hint="For example “Laptop”."
              autoComplete="off"
              required
              defaultValue={values?.tokenName}
            />
            <SelectField
              {...field("expiry")}
              label="Valid for"
              options={Object.entries(TOKEN_LIFETIMES).map(([value, { label }]) => [value, label])}
              defaultValue={values?.expiry || DEFAULT_LIFETIME}
            />
            <PasswordField
              {...field("currentPassword")}
              label="Your password"
              hint="We e-mail you about every new token."
              account={email}
            />
          </>
        )}
      </AccountForm>
      {!hasPassword && (
        <p className="small">
          No password yet? <Link to={RESET_PATH}>Set one by e-mail</Link>
        </p>
      )}
    </Section>
  );
}

function NewToken({ token }: { token: string }) {
  return (
    <div className="note stack" role="status" {...useFocused(token)}>
      <p>
        <strong>Copy your new token now.</strong> It will not be shown again.
      </p>
      <p>
        <code translate="no">{token}</code>
      </p>
      <CopyButton text={token}>Copy the token</CopyButton>
    </div>
  );
}

function TokenList({ tokens, now }: { tokens: TokenInfo[]; now: string }) {
  return (
    <ul className="plain-list">
      {tokens.map(({ id, name, createdAt, lastUsedAt, expiresAt }) => (
        <li key={id} className="row spread">
          <div>
            <p>
              <bdi translate="no">{name}</bdi>
            </p>
            <p className="muted small">
              Created on <Time at={createdAt} />,{" "}
              <span>
                {lastUsedAt ? (
                  <span>
                    last used on <Time at={lastUsedAt} form="moment" />
                  </span>
                ) : (
                  "never used"
                )}
              </span>
              , <Expiry at={expiresAt} now={now} />
            </p>
          </div>
          <Form method="post">
            <input type="hidden" name="tokenId" value={id} />
            <button
              type="submit"
              name="intent"
              value={"revoke-token" satisfies Intent}
              className="button button-quiet button-small"
            >
              Revoke
              <span className="visually-hidden">
                {" "}
                the token <bdi translate="no">{name}</bdi>
              </span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  );
}

function Expiry({ at, now }: { at: string | null; now: string }) {
  if (!at) return <span key="never">does not expire</span>;
  if (at > now)
    return (
      <span>
        valid until <Time at={at} />
      </span>
    );
  return (
    <strong>
      expired on <Time at={at} />
    </strong>
  );
}
