import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary, SelectField, SubmitButton } from "~/ui/forms";
import { Sanctions } from "~/moderation/sanctions/sanctions";
import { WordsField } from "~/moderation/words-field";
import { misusePath, operatorCasePath } from "~/ui/paths";
import { RadioGroup } from "~/ui/radio-group";
import { refusedForm, textsOf } from "~/server/form-data.server";
import { requireConfirmedOperator } from "~/server/require-operator.server";
import { redirectWithNotice, withErrorPage } from "~/server/pages.server";
import { getMisuse, type Misuse, sanction } from "~/moderation/sanctions/sanction-author.server";
import { SUSPENSION_DAYS } from "~/ui/labels";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [{ title: "Warn or suspend · Tour Reviews" }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  return withErrorPage(getMisuse(user, params.id ?? "", reportOf(request)));
}

/** The report whose sender it is about; null for the author. */
const reportOf = (request: Request) => new URL(request.url).searchParams.get("report");

const FIELDS = ["number", "kind", "days", "explanation"] as const;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const caseId = params.id ?? "";
  const reportId = reportOf(request);
  const values = textsOf(await request.formData(), FIELDS);
  try {
    await sanction(user, { caseId, reportId }, values);
    return await redirectWithNotice(
      request,
      misusePath(caseId, reportId),
      values.kind === "warning" ? "The warning was sent." : "The suspension has begun.",
    );
  } catch (error) {
    return refusedForm(error, { values });
  }
}

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

export default function MisusePage() {
  const misuse = useLoaderData<typeof loader>();
  const { caseId, scope, name, email, record, sanctions, refusal } = misuse;
  const refused = useActionData<typeof action>();
  const isAuthor = scope === "account";
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <p>
          <Link to={operatorCasePath(caseId)}>The case</Link>
        </p>
        <h1>{isAuthor ? "Warn or suspend the author" : "Warn or suspend who reported it"}</h1>
        <p className="lead">
          <bdi translate="no">{name || "Somebody without a name"}</bdi>
          {email && (
            <span className="muted">
              {" · "}
              <bdi translate="no">{email}</bdi>
            </span>
          )}
        </p>
        <p>{(isAuthor ? recordOfAuthor : recordOfReporter)(record)}</p>
      </div>
      <ErrorSummary errors={refused?.errors} />
      {refusal ? (
        <p className="note">{refusal}</p>
      ) : (
        <SanctionForm
          misuse={misuse}
          values={refused?.values}
          errors={refused?.errors.fields}
          key={misuse.number}
        />
      )}
      {sanctions.length > 0 && (
        <section className="stack" aria-labelledby="sanctions">
          <h2 id="sanctions">Warnings and suspensions before</h2>
          <Sanctions sanctions={sanctions} />
        </section>
      )}
    </div>
  );
}

const recordOfAuthor = ({ total, takenDown }: Misuse["record"]) =>
  `Cases about what they wrote: ${total}. In ${takenDown} of them something was taken down.`;

const recordOfReporter = ({ total, takenDown }: Misuse["record"]) =>
  `Their reports: ${total}. ${takenDown} of them led to something being taken down.`;

interface FormProps {
  misuse: Misuse;
  values: Record<string, string> | undefined;
  errors: Record<string, string> | undefined;
}

/** The form carries the number of the next warning or suspension, so that the operator has seen those before. */
function SanctionForm({ misuse, values, errors }: FormProps) {
  const { caseId, reportId, scope, number, isWarned } = misuse;
  const isAuthor = scope === "account";
  const path = misusePath(caseId, reportId);
  const kinds = [
    { value: "warning", label: "Warn: nothing else happens" },
    {
      value: "suspension",
      label: isAuthor
        ? "Suspend the account: no log-in, and no access tokens"
        : "Suspend from reporting: further reports are refused",
      disabled: !isWarned,
    },
  ];
  return (
    <section className="card stack" aria-labelledby="decide">
      <h2 id="decide">Decide</h2>
      <p className="muted">
        {isAuthor
          ? "For people who repeatedly break the rules. Weigh how often, how grave, and whether it was meant."
          : "For people who repeatedly report what is plainly allowed. Weigh how often, and whether it was meant."}
      </p>
      <Form method="post" action={path} className="form" noValidate>
        <input type="hidden" name="number" value={number} />
        <RadioGroup
          legend="Decision"
          name="kind"
          choices={kinds}
          chosen={values?.kind}
          hint={
            isWarned ? undefined : "A suspension follows only a warning of the last twelve months."
          }
          error={errors?.kind}
        />
        {isWarned && (
          <SelectField
            label="For how long"
            name="days"
            defaultValue={values?.days ?? "7"}
            error={errors?.days}
          >
            {SUSPENSION_DAYS.map((days) => (
              <option key={days} value={days}>
                {`${days} days`}
              </option>
            ))}
          </SelectField>
        )}
        <WordsField
          label="Explanation"
          name="explanation"
          hint="Say what they did, when, and which rule it broke. They read it."
          defaultValue={values?.explanation}
          error={errors?.explanation}
        />
        <p className="row">
          <SubmitButton action={path}>Decide and tell them</SubmitButton>
        </p>
      </Form>
    </section>
  );
}
