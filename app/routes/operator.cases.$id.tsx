import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { ErrorSummary } from "~/ui/forms";
import { CaseReports } from "~/moderation/case-reports";
import { DecisionForm } from "~/moderation/decision-form";
import { Decisions } from "~/moderation/decisions";
import { ReportedText } from "~/moderation/reported-text";
import { misusePath, OPERATOR_PATH, operatorCasePath, tourPath } from "~/ui/paths";
import { Written } from "~/reviews/list/comment";
import { Time } from "~/ui/time";
import { refusedForm, textsOf } from "~/server/form-data.server";
import { requireConfirmedOperator } from "~/server/require-operator.server";
import { redirectWithNotice, withErrorPage } from "~/server/pages.server";
import { getCase } from "~/moderation/cases.server";
import { decide } from "~/moderation/decide.server";
import { decidedInWords } from "~/ui/labels";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [{ title: "A case · Tour Reviews" }];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const after = new URL(request.url).searchParams.get("after");
  return withErrorPage(getCase(user, params.id ?? "", { after }));
}

const FIELDS = [
  "version",
  "tag",
  "reports",
  "appeals",
  "action",
  "ground",
  "explanation",
  "reference",
] as const;

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const id = params.id ?? "";
  const form = await request.formData();
  const values = textsOf(form, FIELDS);
  try {
    const notice = decidedInWords(await decide(user, id, values));
    return await redirectWithNotice(request, operatorCasePath(id), notice);
  } catch (error) {
    return refusedForm(error, { values });
  }
}

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

export default function OperatorCasePage() {
  const found = useLoaderData<typeof loader>();
  const { kind, item, snapshot, beside, tour, timeZone, decisions, earlierOfAuthor } = found;
  const refused = useActionData<typeof action>();
  const [search] = useSearchParams();
  return (
    <div className="stack-l">
      <div className="stack">
        <p>
          <Link to={OPERATOR_PATH}>All reports</Link>
        </p>
        <h1>{kind === "review" ? "A reported review" : "A reported reply"}</h1>
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
          <section className="card stack" aria-labelledby="reported">
            <h2 id="reported">As it was reported</h2>
            {snapshot ? (
              <ReportedText kind={kind} author={found.author} {...snapshot} />
            ) : (
              <p className="muted">Its words were removed.</p>
            )}
          </section>
          <section className="card stack" aria-labelledby="now">
            <h2 id="now">As it is now</h2>
            {item === null ? (
              <p>It is gone: its author has deleted it.</p>
            ) : item.state === "removed" ? (
              <p>It was removed by a decision.</p>
            ) : item.changed || item.state === "redacted" ? (
              <ReportedText kind={kind} rating={item.rating} text={item.text} />
            ) : (
              <p>The same.</p>
            )}
            {beside && (
              <>
                <h3>{kind === "review" ? "The guide’s reply" : "The review it answers"}</h3>
                <ReportedText kind={kind === "review" ? "reply" : "review"} {...beside} />
              </>
            )}
          </section>
          <CaseReports caseId={found.id} {...found.reported} timeZone={timeZone} />
          {decisions.length > 0 && (
            <section className="stack" aria-labelledby="decisions">
              <h2 id="decisions">Decided in this case</h2>
              <Decisions decisions={decisions} timeZone={timeZone} />
            </section>
          )}
          {found.appeals.length > 0 && (
            <section className="stack" aria-labelledby="appeals">
              <h2 id="appeals">Appeals</h2>
              {found.appeals.map(({ by, text, at }) => (
                <div key={by + at} className="stack">
                  <p className="muted small">
                    <span>{by === "author" ? "By the author, " : "By a reporter, "}</span>
                    <Time at={at} zone={timeZone} form="moment" />
                  </p>
                  {text && <Written text={text} />}
                </div>
              ))}
            </section>
          )}
        </div>
        <div className="stack-l">
          {found.refusal ? (
            <p className="note">{found.refusal}</p>
          ) : (
            <DecisionForm
              found={found}
              chosen={search.get("decision") ?? refused?.values?.action ?? null}
              values={refused?.values}
              errors={refused?.errors}
              key={found.version}
            />
          )}
          <section className="stack" aria-labelledby="earlier">
            <h2 id="earlier">Decided about this author before</h2>
            {earlierOfAuthor.length === 0 ? (
              <p className="muted">Nothing.</p>
            ) : (
              <Decisions decisions={earlierOfAuthor} timeZone={timeZone} />
            )}
            <p>
              <Link to={misusePath(found.id, null)}>Warn or suspend the author</Link>
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}
