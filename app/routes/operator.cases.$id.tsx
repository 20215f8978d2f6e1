import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { Appeals, CaseContent, CaseReports } from "~/moderation/case-content";
import { getCase } from "~/moderation/cases.server";
import { decide, DECISION_FIELDS, readDecision } from "~/moderation/decide.server";
import { DecisionForm } from "~/moderation/decision-form";
import { STEP, SUMMARY } from "~/moderation/decision-summary";
import { Decisions } from "~/moderation/decisions";
import { ErrorSummary } from "~/ui/forms";
import { decidedInWords } from "~/moderation/labels";
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
  answerOperator(
    request,
    [...DECISION_FIELDS, STEP],
    operatorCasePath(id),
    async (user, values) => {
      if (!values[STEP]) return decidedInWords(await decide(user, id, values));
      if (values[STEP] === SUMMARY) readDecision(values);
      return null;
    },
  );

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

const isEmpty = (fields: object) => Object.keys(fields).length === 0;

export default function OperatorCasePage() {
  const found = useLoaderData<typeof loader>();
  const { tour, timeZone, decisions, earlierOfAuthor } = found;
  const answered = useActionData<typeof action>();
  const values = answered?.values ?? found.typed;
  // A summary is no refusal; no answer is one.
  const isSummary =
    answered?.values[STEP] && isEmpty(answered.errors.fields) && !answered.errors.form;
  const refused = isSummary ? undefined : answered;
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
          {"\u00A0· reported first on "}
          <Time at={found.openedAt} zone={timeZone} form="moment" />
        </p>
      </div>
      <ErrorSummary errors={refused?.errors} />
      <div className="two-columns">
        <div className="stack-l">
          {found.state === "appealed" && <Appeals found={found} />}
          <CaseContent found={found} />
          <CaseReports found={found} />
          {decisions.length > 0 && (
            <Section id="decisions" title="Decided in this case">
              <Decisions decisions={decisions} timeZone={timeZone} />
            </Section>
          )}
          {found.state !== "appealed" && <Appeals found={found} />}
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
          <Section id="earlier" title="Earlier decisions about this author">
            {earlierOfAuthor.length === 0 ? (
              <p className="muted">None.</p>
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
