import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { Appeals, CaseContent, CaseReports } from "~/moderation/case-content";
import { getCase } from "~/moderation/cases.server";
import { decide, DECISION_FIELDS } from "~/moderation/decide.server";
import { DecisionForm } from "~/moderation/decision-form";
import { Decisions } from "~/moderation/decisions";
import { ErrorSummary } from "~/ui/forms";
import { decidedInWords } from "~/ui/labels";
import { misusePath, OPERATOR_PATH, operatorCasePath, tourPath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import { withErrorPage } from "~/server/pages.server";
import {
  answerOperator,
  requireConfirmedOperator,
  takeTyped,
} from "~/server/require-operator.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [titled("A case")];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const after = new URL(request.url).searchParams.get("after");
  const found = await withErrorPage(getCase(user, params.id ?? "", { after }));
  return { ...found, typed: await takeTyped(request, operatorCasePath(params.id ?? "")) };
}

export const action = ({ request, params: { id = "" } }: ActionFunctionArgs) =>
  answerOperator(request, DECISION_FIELDS, operatorCasePath(id), async (user, values) =>
    decidedInWords(await decide(user, id, values)),
  );

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

export default function OperatorCasePage() {
  const found = useLoaderData<typeof loader>();
  const { tour, timeZone, decisions, earlierOfAuthor } = found;
  const refused = useActionData<typeof action>();
  const values = refused?.values ?? found.typed;
  const [search] = useSearchParams();
  return (
    <div className="stack-l">
      <div className="stack">
        <p>
          <Link to={OPERATOR_PATH}>All reports</Link>
        </p>
        <h1>{found.kind === "review" ? "A reported review" : "A reported reply"}</h1>
        <p className="muted">
          <span>
            {tour ? (
              <Link to={tourPath(tour.slug)}>
                <bdi>{tour.title}</bdi>
              </Link>
            ) : (
              "A former tour"
            )}
          </span>
          {" · reported first on "}
          <Time at={found.openedAt} zone={timeZone} form="moment" />
        </p>
      </div>
      <ErrorSummary errors={refused?.errors} />
      <div className="two-columns">
        <div className="stack-l">
          <CaseContent found={found} />
          <CaseReports found={found} />
          {decisions.length > 0 && (
            <Section id="decisions" title="Decided in this case">
              <Decisions decisions={decisions} timeZone={timeZone} />
            </Section>
          )}
          <Appeals found={found} />
        </div>
        <div className="stack-l">
          {found.refusal ? (
            <p className="note">{found.refusal}</p>
          ) : (
            <DecisionForm
              found={found}
              chosen={search.get("decision") ?? values?.action ?? null}
              values={values}
              errors={refused?.errors.fields}
              key={found.version}
            />
          )}
          <Section id="earlier" title="Decided about this author before">
            {earlierOfAuthor.length === 0 ? (
              <p className="muted">Nothing.</p>
            ) : (
              <Decisions decisions={earlierOfAuthor} timeZone={timeZone} />
            )}
            <p>
              <Link to={misusePath(found.id, null)}>Warn or suspend the author</Link>
            </p>
          </Section>
        </div>
      </div>
    </div>
  );
}
