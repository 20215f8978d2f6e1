import { Link } from "@remix-run/react";
import { Written } from "~/reviews/list/comment";
import { REASON_LABELS } from "~/moderation/labels";
import { CursorLinks } from "~/ui/page-links";
import { misusePath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import type { OperatorCase } from "./cases.server";
import { ReportedText, TextOrRemoved } from "./fields";

// The parts of the page of a case for operators.

interface Props {
  found: OperatorCase;
}

/** The review or the reply, as it was reported and as it is now. */
export function CaseContent({ found }: Props) {
  const { kind, item, snapshot, beside } = found;
  return (
    <>
      <Section id="reported" title="As it was reported" className="card stack">
        {snapshot ? (
          <ReportedText kind={kind} author={found.author} {...snapshot} />
        ) : (
          <p className="muted">Its words were removed.</p>
        )}
      </Section>
      <Section id="now" title="Now" className="card stack">
        {item === null ? (
          <p>It is gone: its author has deleted it.</p>
        ) : item.state === "removed" ? (
          <p>It was removed by a decision.</p>
        ) : item.changed || item.state === "redacted" ? (
          <ReportedText kind={kind} rating={item.rating} text={item.text} />
        ) : (
          <p>Unchanged.</p>
        )}
        {beside && (
          <>
            <h3>{kind === "review" ? "The guide’s reply" : "The review it answers"}</h3>
            <ReportedText kind={kind === "review" ? "reply" : "review"} {...beside} />
          </>
        )}
      </Section>
    </>
  );
}

/** The reports of a case, oldest first. */
export function CaseReports({ found: { id: caseId, reported, timeZone } }: Props) {
  return (
    <Section id="reports" title="Reports">
      <ol className="plain-list stack">
        {reported.items.map(({ id, reason, words, name, email, at, earlier }) => (
          <li key={id} className="stack">
            <p>
              <strong>{REASON_LABELS[reason]}</strong>
            </p>
            <TextOrRemoved text={words} />
            <p className="muted small">
              <Time at={at} zone={timeZone} form="moment" />
              <span>
                {[name, email].filter(Boolean).map((text) => (
                  <span key={text}>
                    {"\u00A0· "}
                    <bdi translate="no">{text}</bdi>
                  </span>
                ))}
              </span>
              <span>
                {earlier &&
                  earlier.total > 0 &&
                  `\u00A0· ${earlier.total} earlier, of which ${earlier.takenDown} led to something`}
              </span>
            </p>
            {earlier && (
              <p className="small">
                <Link to={misusePath(caseId, id)}>Warn or suspend who reported this</Link>
              </p>
            )}
          </li>
        ))}
      </ol>
      <CursorLinks
        param="after"
        next={reported.next}
        hash="reports"
        newest="First reports"
        older="More reports"
      />
    </Section>
  );
}

export function Appeals({ found: { appeals, timeZone } }: Props) {
  if (appeals.length === 0) return null;
  return (
    <Section id="appeals" title="Appeals">
      {appeals.map(({ by, text, at }) => (
        <div key={by + at.toISOString()} className="stack">
          <p className="muted small">
            <span>{`By ${by === "author" ? "the author" : "a reporter"}, `}</span>
            <Time at={at} zone={timeZone} form="moment" />
          </p>
          {text && <Written text={text} />}
        </div>
      ))}
    </Section>
  );
}
