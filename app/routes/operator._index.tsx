import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { NoShows } from "~/moderation/figures/no-shows";
import { CursorLinks } from "~/ui/page-links";
import { PasswordField } from "~/accounts/password-field";
import { OPERATOR_PATH, operatorCasePath, operatorSanctionPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import { refusedForm, text } from "~/server/form-data.server";
import { confirm, isConfirmed, requireOperator } from "~/server/require-operator.server";
import { waitingCases } from "~/moderation/cases.server";
import { MOST_BOOKINGS, noShowsByGuide } from "~/moderation/figures/no-shows.server";
import { waitingSanctions } from "~/moderation/sanctions/sanctions.server";
import { GROUNDS, SANCTION_NAMES } from "~/ui/labels";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [{ title: "Reports · Tour Reviews" }];

export async function loader({ request }: LoaderFunctionArgs) {
  const { email } = await requireOperator(request);
  const { searchParams } = new URL(request.url);
  const to = searchParams.get("to") ?? "";
  if (!(await isConfirmed(request)))
    return { email, to, waiting: null, appeals: [], guides: [], most: MOST_BOOKINGS };
  const [waiting, appeals, guides] = await Promise.all([
    waitingCases(searchParams.get("after")),
    waitingSanctions(),
    noShowsByGuide(),
  ]);
  return { email, to, waiting, appeals, guides, most: MOST_BOOKINGS };
}

export async function action({ request }: ActionFunctionArgs) {
  const user = await requireOperator(request);
  const form = await request.formData();
  try {
    return await confirm(request, user, {
      password: text(form, "password"),
      to: text(form, "to"),
    });
  } catch (error) {
    return refusedForm(error);
  }
}

export default function OperatorHome() {
  const { email, to, waiting, appeals, guides, most } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (!waiting)
    return (
      <div className="centred stack">
        <h1>Reports</h1>
        <p className="lead">Enter your password. We won’t ask again for 30 minutes.</p>
        <ErrorSummary errors={refused?.errors} />
        <Form method="post" action={OPERATOR_PATH} className="form" noValidate>
          <input type="hidden" name="to" value={to} />
          <PasswordField
            label="Your password"
            name="password"
            account={email}
            error={refused?.errors.fields.password}
          />
          <p className="row">
            <SubmitButton action={OPERATOR_PATH}>Continue</SubmitButton>
          </p>
        </Form>
      </div>
    );
  return (
    <div className="stack-l">
      <div className="stack">
        <h1 id="waiting">Reports</h1>
        <p className="lead">
          Reports and appeals wait here for a decision: danger to somebody’s life first, then the
          oldest.
        </p>
      </div>
      {waiting.items.length === 0 ? (
        <p className="empty">Nothing waits for a decision.</p>
      ) : (
        <ul className="plain-list card">
          {waiting.items.map(
            ({ id, kind, state, isUrgent, reasons, reports, since, tourTitle }) => (
              <li key={id} className="stack">
                <h2 className="h3">
                  <Link to={operatorCasePath(id)}>
                    <span>{kind === "review" ? "A review of " : "A reply on "}</span>
                    <bdi>{tourTitle}</bdi>
                  </Link>
                </h2>
                <p className="row">
                  {isUrgent && <strong className="badge badge-danger">Danger to life</strong>}
                  {state === "appealed" && <strong className="badge badge-quiet">Appeal</strong>}
                  <span className="muted small">
                    <span>{reports === 1 ? "1 report" : `${reports} reports`}</span>
                    {" · since "}
                    <Time at={since} form="moment" />
                  </span>
                </p>
                <p>{reasons.map((reason) => GROUNDS[reason].label).join(" · ")}</p>
              </li>
            ),
          )}
        </ul>
      )}
      <CursorLinks
        param="after"
        next={waiting.next}
        hash="waiting"
        newest="First page"
        older="Next page"
      />
      {appeals.length > 0 && (
        <section className="stack" aria-labelledby="appeals">
          <h2 id="appeals">Appeals against warnings and suspensions</h2>
          <ul className="plain-list card">
            {appeals.map(({ id, kind, scope, name, appeal }) => (
              <li key={id}>
                <h3>
                  <Link to={operatorSanctionPath(id)}>
                    <span>{`${SANCTION_NAMES[kind][scope]}: `}</span>
                    <bdi translate="no">{name || "somebody without an account"}</bdi>
                  </Link>
                </h3>
                <p className="muted small">
                  {"Since "}
                  <Time at={appeal!.at} form="moment" />
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <NoShows guides={guides} most={most} />
    </div>
  );
}
