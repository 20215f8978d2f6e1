import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { ErrorSummary, Field, SubmitButton } from "~/components/forms";
import { Time } from "~/components/time";
import { refusedForm, text } from "~/http/forms.server";
import { redirectWithNotice, requireUser } from "~/http/pages.server";
import { startSession } from "~/http/session.server";
import { changePassword } from "~/services/accounts/passwords.server";
import {
  createTokenFor,
  listTokens,
  revokeToken,
  type TokenInfo,
} from "~/services/accounts/tokens.server";
import { updateProfile } from "~/services/accounts/profile.server";

export { headers } from "~/http/retry-after.server";

const PATH = "/me/account";

export const meta: MetaFunction = () => [{ title: "Account · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return { user, tokens: await listTokens(user) };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireUser(request);
  const form = await request.formData();
  const intent = text(form, "intent");
  const values = {
    name: text(form, "name"),
    image: text(form, "image"),
    tokenName: text(form, "tokenName"),
  };
  try {
    switch (intent) {
      case "profile":
        await updateProfile(user, values);
        return await redirectWithNotice(request, PATH, "Your profile is saved.");
      case "password": {
        await changePassword(user, {
          currentPassword: text(form, "currentPassword"),
          newPassword: text(form, "newPassword"),
        });
        const notice = "Your password is changed, and you are logged out everywhere else.";
        const cookie = await startSession(request, user.id, notice);
        return redirect(PATH, { headers: { "Set-Cookie": cookie } });
      }
      case "create-token":
        // On the answer itself: the token is in no session and on no other page.
        return { intent, token: await createTokenFor(user, values) };
      case "revoke-token": {
        const name = await revokeToken(user, text(form, "tokenId"));
        const notice = name ? `The token “${name}” is revoked.` : "That token is gone already.";
        return await redirectWithNotice(request, PATH, notice);
      }
      default:
        throw new Response(null, { status: 400 });
    }
  } catch (error) {
    // Passwords never come back into their fields.
    return refusedForm(error, { intent, values });
  }
}

export default function Account() {
  const { user, tokens } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { key } = useLocation();
  const refused = answer && "errors" in answer ? answer : undefined;
  const errorsOf = (intent: string) => (refused?.intent === intent ? refused.errors : undefined);
  const values = refused?.intent === "profile" ? refused.values : undefined;
  const [profile, password, token] = ["profile", "password", "create-token"].map(errorsOf);
  return (
    // A new key with every answer: no field keeps what was sent in it.
    <div className="narrow stack-l" key={key}>
      <h1>Account</h1>
      <section className="card stack" aria-labelledby="profile">
        <h2 id="profile">Profile</h2>
        <ErrorSummary errors={profile} idPrefix="profile-" />
        <Form method="post" className="form" noValidate>
          <Field
            label="Name"
            name="name"
            idPrefix="profile-"
            hint="Stands beside your reviews."
            autoComplete="name"
            required
            defaultValue={values?.name ?? user.name}
            error={profile?.fields?.name}
          />
          <Field
            label="Picture"
            name="image"
            type="url"
            idPrefix="profile-"
            hint="The address of a picture, starting with https://, or nothing."
            autoComplete="photo"
            defaultValue={values?.image ?? user.image ?? ""}
            error={profile?.fields?.image}
          />
          <div className="row">
            <SubmitButton action={PATH} name="intent" value="profile">
              Save profile
            </SubmitButton>
          </div>
        </Form>
        <p className="muted small">You log in with {user.email}.</p>
      </section>
      <section className="card stack" aria-labelledby="password">
        <h2 id="password">Password</h2>
        <p>A new password logs you out everywhere else. Access tokens stay.</p>
        <ErrorSummary errors={password} idPrefix="password-" />
        <Form method="post" className="form" noValidate>
          <Field
            label="Current password"
            name="currentPassword"
            type="password"
            idPrefix="password-"
            autoComplete="current-password"
            required
            error={password?.fields?.currentPassword}
          />
          <Field
            label="New password"
            name="newPassword"
            type="password"
            idPrefix="password-"
            hint="At least 10 characters."
            autoComplete="new-password"
            required
            error={password?.fields?.newPassword}
          />
          <div className="row">
            <SubmitButton action={PATH} name="intent" value="password">
              Change password
            </SubmitButton>
          </div>
        </Form>
      </section>
      <section className="card stack" aria-labelledby="tokens">
        <h2 id="tokens">Access tokens</h2>
        <p>
          A program that sends one as <code>Authorization: Bearer …</code> to the API acts in your
          name.
        </p>
        {answer && "token" in answer && <NewToken token={answer.token} />}
        {tokens.length > 0 && <Tokens tokens={tokens} />}
        <ErrorSummary errors={token} idPrefix="token-" />
        <Form method="post" className="form" noValidate>
          <Field
            label="Name of a new token"
            name="tokenName"
            idPrefix="token-"
            hint="What it is for, such as “Laptop”."
            autoComplete="off"
            required
            defaultValue={token && refused?.values.tokenName}
            error={token?.fields?.tokenName}
          />
          <div className="row">
            <SubmitButton action={PATH} name="intent" value="create-token">
              Make a token
            </SubmitButton>
          </div>
        </Form>
      </section>
      <section className="card stack" aria-labelledby="data">
        <h2 id="data">My data</h2>
        <p>Everything that this site holds on you, in one file.</p>
        <p>
          <a href="/me/data.json" download className="button button-quiet">
            Download my data
          </a>
        </p>
      </section>
      <section className="card stack" aria-labelledby="delete">
        <h2 id="delete">Delete my account</h2>
        <p>Your reviews go with it. The next page says what else, and asks for your password.</p>
        <p>
          <Link to={`${PATH}/delete`} className="button button-danger">
            Delete my account
          </Link>
        </p>
      </section>
    </div>
  );
}

/** The one time that a token is shown; it takes the focus, so that nobody misses it. */
function NewToken({ token }: { token: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [token]);
  return (
    // The attribute focuses it where no script does.
    <div className="note stack" role="status" tabIndex={-1} ref={box} autoFocus>
      <p>
        <strong>Copy your new token now.</strong> It is not shown again.
      </p>
      <p>
        <code>{token}</code>
      </p>
    </div>
  );
}

function Tokens({ tokens }: { tokens: TokenInfo[] }) {
  return (
    <ul className="plain-list">
      {tokens.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id} className="row spread">
          <div>
            <p>{name}</p>
            <p className="muted small">
              Made on <Time at={createdAt} />,{" "}
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
              value="revoke-token"
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
