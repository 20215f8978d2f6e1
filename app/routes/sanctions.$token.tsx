import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { Written } from "~/reviews/list/comment";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { AppealForm } from "~/moderation/appeal-form";
import { Time } from "~/ui/time";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, text } from "~/server/form-data.server";
import { withErrorPage } from "~/server/pages.server";
import { BY_PEOPLE, COURTS } from "~/infra/contact";
import { FormError } from "~/infra/errors.server";
import {
  appealSanction,
  deleteSuspended,
  findSanction,
  type SanctionView,
} from "~/moderation/sanctions/sanction-page.server";
import {
  MISUSE_PATH,
  SANCTION_EFFECTS,
  SANCTION_TITLES,
  sanctionPath,
} from "~/moderation/sanctions/sanction-labels";

const APPEAL = "appeal";
const DELETE = "delete";
export const INTENTS = [APPEAL, DELETE];

export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? SANCTION_TITLES[data.kind][data.scope] : "Not found"} · Tour Reviews` },
  { name: "robots", content: "noindex" },
];

export async function loader({ params }: LoaderFunctionArgs) {
  return withErrorPage(findSanction(params.token ?? ""));
}

export async function action({ request, params }: ActionFunctionArgs) {
  const token = params.token ?? "";
  const form = await request.formData();
  const words = text(form, "words");
  try {
    if (text(form, "intent") === DELETE) {
      if (text(form, "sure") !== "yes")
        throw new FormError({ sure: "Tick this if you want to delete your account." });
      await deleteSuspended(token, clientAddress());
    } else await appealSanction(token, { words }, clientAddress());
    // Without a notice, which would need a session: the page says what has been done.
    return redirect(sanctionPath(token));
  } catch (error) {
    return refusedForm(error, { values: { words } });
  }
}

export default function SanctionPage() {
  const statement = useLoaderData<typeof loader>();
  const { kind, scope, at, until, explanation, outcome, hasAppealed, appealUntil } = statement;
  const { token = "" } = useParams();
  const refused = useActionData<typeof action>();
  return (
    <div className="narrow stack-l">
      <ErrorSummary errors={refused?.errors} />
      <div className="stack">
        <h1>{SANCTION_TITLES[kind][scope]}</h1>
        <p className="lead">
          {until && statement.counts ? (
            <span key="until">
              {"Until "}
              <Time at={until} form="moment" />
            </span>
          ) : (
            <span key="now">{NOW[nowOf(statement)]}</span>
          )}
        </p>
        {statement.counts && <p>{SANCTION_EFFECTS[kind][scope]}</p>}
        <p className="note">
          Keep the address of this page to yourself: anyone who has it can do here what you can.
        </p>
      </div>
      <section className="card stack" aria-labelledby="why">
        <h2 id="why">Why</h2>
        <p className="muted small">
          <Time at={at} form="moment" />
        </p>
        <Words text={explanation} />
        <p>
          <Link to={MISUSE_PATH}>The rule</Link>
        </p>
        <p className="muted small">{`${BY_PEOPLE} ${COURTS}`}</p>
      </section>
      {outcome && (
        <section className="stack" aria-labelledby="outcome">
          <h2 id="outcome">{outcome.stands ? "The decision stands" : "It was taken back"}</h2>
          <p className="muted small">
            <Time at={outcome.at} form="moment" />
          </p>
          <Words text={outcome.explanation} />
        </section>
      )}
      {hasAppealed && !outcome && (
        <p className="note">You have appealed. We write to you when we have decided again.</p>
      )}
      {appealUntil && (
        <AppealForm
          until={appealUntil}
          path={sanctionPath(token)}
          intent={APPEAL}
          refused={refused}
        />
      )}
      {statement.isAccount && <OwnAccount token={token} error={refused?.errors.fields.sure} />}
    </div>
  );
}

/** What the owner of a suspended account can do without a log-in. */
function OwnAccount({ token, error }: { token: string; error: string | undefined }) {
  return (
    <section className="stack" aria-labelledby="account">
      <h2 id="account">Your account</h2>
      <p>
        <a href={`${sanctionPath(token)}/data.json`} download>
          Download your data
        </a>
      </p>
      <h3>Delete it</h3>
      <p>
        Your name, e-mail address and password, all your reviews and replies go, and cannot come
        back. With this address there can be no new account before the suspension is over.
      </p>
      <Form method="post" className="form" noValidate>
        <div className="field">
          <label className="choice">
            <input
              type="checkbox"
              name="sure"
              value="yes"
              id="sure"
              aria-invalid={error ? true : undefined}
              aria-describedby={error && "sure-error"}
            />
            <span>Delete my account and everything that I wrote</span>
          </label>
          {error && (
            <p className="field-error" id="sure-error">
              {error}
            </p>
          )}
        </div>
        <p className="row">
          <SubmitButton
            action={sanctionPath(token)}
            className="button-danger"
            name="intent"
            value={DELETE}
          >
            Delete my account
          </SubmitButton>
        </p>
      </Form>
    </section>
  );
}

const Words = ({ text }: { text: string | null }) =>
  text === null ? <p className="muted">The words were removed.</p> : <Written text={text} />;

const nowOf = ({ counts, outcome }: SanctionView) =>
  counts ? "warning" : outcome?.stands === false ? "taken back" : "over";

const NOW = {
  warning: "This is a warning. Nothing else has happened.",
  "taken back": "It was taken back, and no longer counts.",
  over: "It is over.",
};
