import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import {
  getMisuse,
  type Misuse,
  sanction,
  SANCTION_FIELDS,
} from "~/moderation/sanctions/sanction-author.server";
import { MisuseForm } from "~/moderation/sanctions/sanction-forms";
import { StandingDecisions } from "~/moderation/sanctions/standing-decisions";
import { Sanctions } from "~/moderation/sanctions/sanctions";
import { ErrorSummary } from "~/ui/forms";
import { misusePath, operatorCasePath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { withErrorPage } from "~/server/pages.server";
import {
  answerOperator,
  requireConfirmedOperator,
  takeTyped,
} from "~/server/require-operator.server";
import { titled } from "~/ui/site";

export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction = () => [titled("Warn or suspend")];

export async function loader({ request, params }: LoaderFunctionArgs) {
  const user = await requireConfirmedOperator(request);
  const caseId = params.id ?? "";
  const reportId = reportIdIn(request);
  const misuse = await withErrorPage(getMisuse(user, caseId, reportId));
  return { misuse, typed: await takeTyped(request, misusePath(caseId, reportId)) };
}

/** The report whose sender it is about; null for the author. */
const reportIdIn = (request: Request) => new URL(request.url).searchParams.get("report");

export async function action({ request, params: { id: caseId = "" } }: ActionFunctionArgs) {
  const reportId = reportIdIn(request);
  return answerOperator(
    request,
    SANCTION_FIELDS,
    misusePath(caseId, reportId),
    async (user, values) => {
      await sanction(user, { caseId, reportId }, values);
      return values.kind === "warning" ? "The warning was sent." : "The suspension has begun.";
    },
  );
}

// After a refusal too: something has changed, and the operator looks again.
export { afterAnswers as shouldRevalidate, sendForm as clientAction } from "~/ui/browser/no-answer";

/** How many cases there are of somebody, and how many of them ended with a removal. */
function recordInWords({ scope, record: { total, takenDown } }: Misuse): string {
  const about = scope === "account" ? "about their reviews and replies" : "that they reported";
  const cases = total === 1 ? "1 case" : `${total} cases`;
  const outcome =
    takenDown === 0
      ? "nothing was removed"
      : takenDown === total
        ? "something was removed"
        : `something was removed in ${takenDown} of them`;
  return `${cases} ${about}; ${outcome}.`;
}

export default function MisusePage() {
  const { misuse, typed } = useLoaderData<typeof loader>();
  const { caseId, scope, name, email, decisions, sanctions, refusal } = misuse;
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
              {"\u00A0· "}
              <bdi translate="no">{email}</bdi>
            </span>
          )}
        </p>
        <p>{recordInWords(misuse)}</p>
      </div>
      <ErrorSummary errors={refused?.errors} />
      {decisions.length > 0 && (
        <Section id="standing" title="Decisions that we name">
          <StandingDecisions decisions={decisions} />
        </Section>
      )}
      {refusal ? (
        <p className="note">{refusal}</p>
      ) : (
        <MisuseForm
          misuse={misuse}
          values={refused?.values ?? typed}
          errors={refused?.errors.fields}
          key={misuse.number}
        />
      )}
      {sanctions.length > 0 && (
        <Section id="sanctions" title="Warnings and suspensions before">
          <Sanctions sanctions={sanctions} />
        </Section>
      )}
    </div>
  );
}
