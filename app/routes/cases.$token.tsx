import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useParams } from "@remix-run/react";
import { ErrorSummary, SubmitButton } from "~/ui/forms";
import { AppealForm } from "~/moderation/appeal-form";
import { Decisions } from "~/moderation/decisions";
import { ReportedText } from "~/moderation/reported-text";
import { NextSteps, ReceiptNote } from "~/moderation/reports/receipt";
import { replyAddress, reviewPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import { clientAddress } from "~/server/current-user.server";
import { refusedForm, text } from "~/server/form-data.server";
import { withErrorPage } from "~/server/pages.server";
import { BY_PEOPLE, COURTS } from "~/infra/contact";
import { env } from "~/infra/env.server";
import { appeal, deleteRemoved, findCaseView } from "~/moderation/case-page.server";
import { casePath } from "~/ui/labels";

const APPEAL = "appeal";
const DELETE = "delete";
export const INTENTS = [APPEAL, DELETE];

export { sendForm as clientAction } from "~/ui/browser/no-answer";
export { headers } from "~/server/retry-after.server";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${titleOf(data)} · Tour Reviews` },
  { name: "robots", content: "noindex" },
];

const titleOf = (data: { reader: "author" | "reporter"; kind: string } | undefined) =>
  data?.reader === "author" ? `A decision about your ${data.kind}` : "Your report";

export async function loader({ params }: LoaderFunctionArgs) {
  const token = params.token ?? "";
  return { ...(await withErrorPage(findCaseView(token))), link: env().appUrl + casePath(token) };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const token = params.token ?? "";
  const form = await request.formData();
  const words = text(form, "words");
  try {
    if (text(form, "intent") === DELETE) {
      await deleteRemoved(token, clientAddress());
    } else await appeal(token, { words }, clientAddress());
    // Without a notice, which would need a session: the page says what has been done.
    return redirect(casePath(token));
  } catch (error) {
    return refusedForm(error, { values: { words } });
  }
}

export default function CasePage() {
  const statement = useLoaderData<typeof loader>();
  const { kind, state, at, decisions, content, reviewId, timeZone } = statement;
  const { token = "" } = useParams();
  const refused = useActionData<typeof action>();
  const isReporter = statement.reader === "reporter";
  return (
    <div className="narrow stack-l">
      <ErrorSummary errors={refused?.errors} />
      <div className="stack">
        <h1>{titleOf(statement)}</h1>
        <p className="lead">{LEADS[state](kind)}</p>
        <p className="muted">
          <span>{isReporter ? "You reported it on " : "It was reported on "}</span>
          <Time at={at} zone={timeZone} form="moment" />
          {"."}
        </p>
        {isReporter && <ReceiptNote link={statement.link} wasMailed={statement.wasMailed} />}
        {statement.now !== "as reported" && (
          <p>
            {statement.now === "gone"
              ? `The ${kind} has been deleted meanwhile by its author.`
              : `The ${kind} has been changed since it was reported.`}
          </p>
        )}
        {reviewId && (
          <p>
            <Link to={kind === "reply" ? replyAddress(reviewId) : reviewPath(reviewId)}>
              {kind === "reply" ? "See the reply" : "See the review"}
            </Link>
          </p>
        )}
      </div>
      {isReporter && state === "open" && <NextSteps wasMailed={statement.wasMailed} />}
      {content && (
        <section className="card stack" aria-labelledby="content">
          <h2 id="content">
            <span>{`Your ${kind} on `}</span>
            <bdi>{content.tourTitle}</bdi>
          </h2>
          <ReportedText kind={kind} rating={content.rating} text={content.text} />
        </section>
      )}
      {decisions.length > 0 && (
        <section className="stack" aria-labelledby="decisions">
          <h2 id="decisions">Our decision</h2>
          <Decisions decisions={decisions} timeZone={timeZone} />
          <p className="muted small">{`${BY_PEOPLE} ${COURTS}`}</p>
        </section>
      )}
      {statement.hasAppealed && <p className="note">You have appealed against the decision.</p>}
      {statement.appealUntil && (
        <AppealForm
          until={statement.appealUntil}
          timeZone={timeZone}
          path={casePath(token)}
          intent={APPEAL}
          refused={refused}
        />
      )}
      {statement.canDelete && (
        <section className="stack" aria-labelledby="delete">
          <h2 id="delete">Delete it for good</h2>
          <p>
            Then it cannot come back, whatever is decided about an appeal. You cannot review the
            tour again.
          </p>
          <Form method="post">
            <SubmitButton
              action={casePath(token)}
              className="button-danger"
              name="intent"
              value={DELETE}
            >
              Delete my review
            </SubmitButton>
          </Form>
        </section>
      )}
    </div>
  );
}

const LEADS = {
  open: () => "We have not decided yet. A person looks at what is reported, what is urgent first.",
  appealed: () => "Somebody has appealed, and we will decide again.",
  decided: (kind: string) => `We have decided about the ${kind}.`,
};
