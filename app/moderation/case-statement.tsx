import { Link } from "@remix-run/react";
import { CopyButton } from "~/ui/browser/copy-button";
import { ErrorSummary } from "~/ui/forms";
import { APPEAL_MONTHS, BY_PEOPLE, COURTS } from "~/moderation/labels";
import { replyAddress, reviewPath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import type { CaseView } from "./case-page.server";
import { Decisions } from "./decisions";
import { ReportedText } from "./fields";
import { AppealForm, DeleteForm, type RefusedStatement } from "./statement-page";

type Statement = CaseView & { path: string; link: string };

const LEADS = {
  open: () => "We have not decided yet. A member of our team reads each report, urgent ones first.",
  appealed: (_kind: string, hasAppealed: boolean) =>
    hasAppealed
      ? "We have your appeal and will look at the decision again."
      : "Someone appealed, so we will look at the decision again.",
  decided: (kind: string) => `We have decided about the ${kind}.`,
};

/** A case for its reporter, or for the author of what was reported. */
export function CaseStatement(props: { statement: Statement; refused: RefusedStatement }) {
  const { statement, refused } = props;
  const { kind, state, decisions, content, timeZone } = statement;
  return (
    <div className="narrow stack-l">
      <ErrorSummary errors={refused?.errors} />
      <div className="stack">
        <h1>{statement.title}</h1>
        <p className="lead">{LEADS[state](kind, statement.hasAppealed)}</p>
        <CaseFacts {...statement} />
      </div>
      {statement.isReporter && state === "open" && <NextSteps {...statement} />}
      {content && (
        <section className="card stack" aria-labelledby="content">
          <h2 id="content">
            <span>{`Your ${kind} of `}</span>
            <bdi>{content.tourTitle}</bdi>
          </h2>
          <ReportedText kind={kind} rating={content.rating} text={content.text} />
        </section>
      )}
      {decisions.length > 0 && (
        <Section id="decisions" title="Our decision">
          <Decisions decisions={decisions} timeZone={timeZone} />
          <p className="muted small">{`${BY_PEOPLE} ${COURTS}`}</p>
        </Section>
      )}
      {statement.hasAppealed && <p className="note">You have appealed against the decision.</p>}
      <AppealForm {...props} />
      {statement.canDelete && (
        <Section id="delete" title="Delete it for good">
          <p>
            It then can’t be restored, even if an appeal succeeds. You can’t review the tour again.
          </p>
          <DeleteForm path={statement.path} name="review" error={refused?.errors.fields.sure}>
            Delete my review for good
          </DeleteForm>
        </Section>
      )}
    </div>
  );
}

function CaseFacts({ isReporter, kind, at, reviewId, timeZone, ...statement }: Statement) {
  return (
    <>
      <p className="muted">
        <span>{isReporter ? "You reported it on " : "It was reported on "}</span>
        <Time at={at} zone={timeZone} form="moment" />
        {"."}
      </p>
      {isReporter && (
        <div className="note stack">
          <p>
            {statement.wasMailed
              ? "We have also e-mailed this link to the address that you gave. Anyone who has it can appeal in your place."
              : "Save the link to this page: it is the only way back here. Anyone who has it can appeal in your place."}
          </p>
          <CopyButton text={statement.link}>Copy the link</CopyButton>
        </div>
      )}
      {statement.isGone && <p>{`The ${kind} has been deleted meanwhile by its author.`}</p>}
      {statement.isChanged && <p>{`The ${kind} has been changed since it was reported.`}</p>}
      {reviewId && (
        <p>
          <Link to={kind === "reply" ? replyAddress(reviewId) : reviewPath(reviewId)}>
            {`See the ${kind}`}
          </Link>
        </p>
      )}
    </>
  );
}

function NextSteps({ wasMailed }: { wasMailed: boolean }) {
  return (
    <Section id="next" title="Next steps">
      <ol>
        <li>A person reads your report. Danger to somebody’s life or safety comes first.</li>
        <li>
          {"The person decides by "}
          <Link to="/about/reviews">our rules</Link>
          <span>{` and tells you why${wasMailed ? ", on this page and by e-mail." : " on this page."}`}</span>
        </li>
        <li>{`If you think that the decision is wrong, you can appeal here within ${APPEAL_MONTHS} months.`}</li>
      </ol>
    </Section>
  );
}
