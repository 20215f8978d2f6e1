import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import { OutcomeForm } from "~/moderation/sanctions/sanction-forms";
import { SanctionFacts } from "~/moderation/sanctions/sanctions";
import {
  decideSanction,
  getSanction,
  OUTCOME_FIELDS,
} from "~/moderation/sanctions/sanctions.server";
import { ErrorSummary } from "~/ui/forms";
import { OPERATOR_PATH, operatorCasePath, operatorSanctionPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import { withErrorPage } from "~/server/pages.server";
import {
  answerOperator,
  requireConfirmedOperator,
  takeTyped,
} from "~/server/require-operator.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [titled("A warning or suspension")];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const found = await withErrorPage(getSanction(user, params.id ?? ""));
  return { ...found, typed: await takeTyped(request, operatorSanctionPath(params.id ?? "")) };
}

export const action = ({ request, params: { id = "" } }: ActionFunctionArgs) =>
  answerOperator(request, OUTCOME_FIELDS, operatorSanctionPath(id), async (user, values) => {
    await decideSanction(user, id, values);
    return "Your decision was stored.";
  });

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

export default function OperatorSanctionPage() {
  const found = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <p className="row">
          <Link to={OPERATOR_PATH}>All reports</Link>
          <Link to={operatorCasePath(found.caseId)}>The case</Link>
        </p>
        <h1>{found.name}</h1>
        <p className="lead">
          <bdi translate="no">{found.subject || "Somebody without an account"}</bdi>
          {", "}
          <Time at={found.at} />
        </p>
        <SanctionFacts sanction={found} />
      </div>
      <ErrorSummary errors={refused?.errors} />
      {found.refusal ? (
        <p className="note">{found.refusal}</p>
      ) : (
        <OutcomeForm
          sanction={found}
          values={refused?.values ?? found.typed}
          errors={refused?.errors.fields}
        />
      )}
    </div>
  );
}
