import { Form } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { FormErrors } from "~/infra/errors.server";
import type { TokenInfo } from "~/services/accounts/tokens.server";
import { ErrorSummary, Field, SubmitButton } from "../forms";
import { ACCOUNT_PATH } from "../paths";
import { Time } from "../time";
import type { Intent } from "./intents";

interface Props {
  tokens: TokenInfo[];
  /** The token that was just created. */
  created: string | undefined;
  /** What a refused form had in its field. */
  tokenName: string | undefined;
  errors: FormErrors | undefined;
}

/** The user's access tokens, each with a button that revokes it, and the form for a new one. */
export function Tokens({ tokens, created, tokenName, errors }: Props) {
  return (
    <section className="card stack" aria-labelledby="tokens">
      <h2 id="tokens">Access tokens</h2>
      <p>
        A program that sends a token to the API as <code>Authorization: Bearer …</code> acts in your
        name.
      </p>
      {created && <NewToken token={created} />}
      {tokens.length > 0 && <TokenList tokens={tokens} />}
      <ErrorSummary errors={errors} idPrefix="token-" />
      <Form method="post" className="form" noValidate>
        <Field
          label="Name of a new token"
          name="tokenName"
          idPrefix="token-"
          hint="What it is for, such as “Laptop”."
          autoComplete="off"
          required
          defaultValue={tokenName}
          error={errors?.fields.tokenName}
        />
        <div className="row">
          <SubmitButton action={ACCOUNT_PATH} name="intent" value={"create-token" satisfies Intent}>
            Create a token
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** Shows a token, only once; it takes the focus, so that nobody misses it. */
function NewToken({ token }: { token: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [token]);
  return (
    // The attribute focuses it where no script runs.
    <div className="note stack" role="status" tabIndex={-1} ref={box} autoFocus>
      <p>
        <strong>Copy your new token now.</strong> It will not be shown again.
      </p>
      <p>
        <code>{token}</code>
      </p>
    </div>
  );
}

function TokenList({ tokens }: { tokens: TokenInfo[] }) {
  return (
    <ul className="plain-list">
      {tokens.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id} className="row spread">
          <div>
            <p>{name}</p>
            <p className="muted small">
              Created on <Time at={createdAt} />,{" "}
              {lastUsedAt ? (
                <>
                  last used on <Time at={lastUsedAt} withTime />
                </>
              ) : (
                "never used"
              )}
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
              Revoke<span className="visually-hidden"> the token {name}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
