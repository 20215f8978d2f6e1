import { Link } from "@remix-run/react";
import { TextOrRemoved } from "~/moderation/fields";
import { AppealForm, DeleteForm, type RefusedStatement } from "~/moderation/statement-page";
import { ErrorSummary } from "~/ui/forms";
import { BY_PEOPLE, COURTS, MISUSE_PATH } from "~/moderation/labels";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import type { SanctionView } from "./sanction-page.server";
import { StandingDecisions } from "./standing-decisions";

type Statement = SanctionView & { path: string };

/** A warning or a suspension for whom it is about. */
export function SanctionStatement(props: { statement: Statement; refused: RefusedStatement }) {
  const { statement, refused } = props;
  const { at, until, counts, outcome, isDeleted } = statement;
  return (
    <div className="narrow stack-l">
      <ErrorSummary errors={refused?.errors} />
      <div className="stack">
        <h1>{statement.title}</h1>
        <p className="lead">
          {isDeleted ? (
            "The account is deleted. Its reviews and replies disappear in a few minutes."
          ) : until && counts ? (
            <span key="until">
              {"Until "}
              <Time at={until} form="moment" />
            </span>
          ) : (
            <span key="now">{nowInWords(statement)}</span>
          )}
        </p>
        {counts && !isDeleted && <p>{statement.effect}</p>}
        <p className="note">Don’t share this page’s link: anyone who has it can act as you here.</p>
      </div>
      <Section id="why" title="Why" className="card stack">
        <p className="muted small">
          <Time at={at} form="moment" />
        </p>
        <TextOrRemoved text={statement.explanation} />
        {statement.decisions.length > 0 && (
          <div className="stack">
            <h3>Decisions that it is about</h3>
            <StandingDecisions decisions={statement.decisions} />
          </div>
        )}
        <p>
          <Link to={MISUSE_PATH}>The rule</Link>
        </p>
        <p className="muted small">{`${BY_PEOPLE} ${COURTS}`}</p>
      </Section>
      {outcome && (
        <Section id="outcome" title={outcome.stands ? "The decision stands" : "It was taken back"}>
          <p className="muted small">
            <Time at={outcome.at} form="moment" />
          </p>
          <TextOrRemoved text={outcome.explanation} />
        </Section>
      )}
      {statement.hasAppealed && !outcome && !isDeleted && (
        <p className="note">You have appealed. We write to you when we have decided again.</p>
      )}
      <AppealForm {...props} />
      {statement.isAccount && (
        <OwnAccount path={statement.path} error={refused?.errors.fields.sure} />
      )}
    </div>
  );
}

function nowInWords({ counts, outcome }: SanctionView): string {
  if (counts) return "This is a warning.";
  return outcome?.stands === false ? "It was taken back, and no longer counts." : "It is over.";
}

/** Actions of a suspended account's owner, who cannot log in. */
function OwnAccount({ path, error }: { path: string; error: string | undefined }) {
  return (
    <Section id="account" title="Your account">
      <p>
        <a href={`${path}/data.json`} download>
          Download your data
        </a>
      </p>
      <h3>Delete it</h3>
      <p>
        Your name, e-mail address and password, all your reviews and replies go, and cannot come
        back. With this address there can be no new account before the suspension is over.
      </p>
      <DeleteForm path={path} name="account" error={error}>
        Delete my account and everything that I wrote
      </DeleteForm>
    </Section>
  );
}
