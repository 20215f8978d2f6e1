import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { SanctionFacts } from "~/moderation/sanctions/sanctions";
import { WordsField } from "~/moderation/words-field";
import { OPERATOR_PATH, operatorCasePath, operatorSanctionPath } from "~/ui/paths";
import { RadioGroup } from "~/ui/radio-group";
import { Time } from "~/ui/time";
import { refusedForm, textsOf } from "~/server/form-data.server";
import { requireConfirmedOperator } from "~/server/require-operator.server";
import { redirectWithNotice, withErrorPage } from "~/server/pages.server";
import { decideSanction, getSanction } from "~/moderation/sanctions/sanctions.server";
import { SANCTION_NAMES } from "~/ui/labels";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [{ title: "A warning or suspension · Tour Reviews" }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  return withErrorPage(getSanction(user, params.id ?? ""));
}

const FIELDS = ["appealed", "outcome", "explanation"] as const;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const id = params.id ?? "";
  const values = textsOf(await request.formData(), FIELDS);
  try {
    await decideSanction(user, id, values);
    const notice = "Your decision was stored.";
    return await redirectWithNotice(request, operatorSanctionPath(id), notice);
  } catch (error) {
    return refusedForm(error, { values });
  }
}

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

export default function OperatorSanctionPage() {
  const found = useLoaderData<typeof loader>();
  const { id, kind, scope, name, at, appeal, refusal } = found;
  const refused = useActionData<typeof action>();
  const errors = refused?.errors.fields;
  const path = operatorSanctionPath(id);
  const outcomes = {
    ...(appeal && { stands: "It stands" }),
    "taken back": kind === "warning" ? "Take the warning back" : "Take it back: it ends at once",
  };
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <p className="row">
          <Link to={OPERATOR_PATH}>All reports</Link>
          <Link to={operatorCasePath(found.caseId)}>The case</Link>
        </p>
        <h1>{SANCTION_NAMES[kind][scope]}</h1>
        <p className="lead">
          <bdi translate="no">{name || "Somebody without an account"}</bdi>
          {", "}
          <Time at={at} />
        </p>
        <SanctionFacts sanction={found} />
      </div>
      <ErrorSummary errors={refused?.errors} />
      {refusal ? (
        <p className="note">{refusal}</p>
      ) : (
        <section className="card stack" aria-labelledby="decide">
          <h2 id="decide">{appeal ? "Decide about the appeal" : "Take it back"}</h2>
          <Form method="post" action={path} className="form" noValidate>
            <input type="hidden" name="appealed" value={appeal ? "yes" : "no"} />
            <RadioGroup
              legend="Decision"
              name="outcome"
              choices={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
              chosen={refused?.values.outcome}
              error={errors?.outcome}
            />
            <WordsField
              label="Explanation"
              name="explanation"
              hint="Why. They read it."
              defaultValue={refused?.values.explanation}
              error={errors?.explanation}
            />
            <p className="row">
              <SubmitButton action={path}>Decide and tell them</SubmitButton>
            </p>
          </Form>
        </section>
      )}
    </div>
  );
}
