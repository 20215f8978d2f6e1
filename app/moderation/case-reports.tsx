import { Link } from "@remix-run/react";
import { REASONS } from "~/ui/labels";
import { Written } from "~/reviews/list/comment";
import { CursorLinks } from "~/ui/page-links";
import { misusePath } from "~/ui/paths";
import { Time } from "~/ui/time";
import type { CaseReport } from "./case-reports.server";

interface Props {
  caseId: string;
  items: CaseReport[];
  next: string | null;
  timeZone: string;
}

/** The reports of a case, oldest first. */
export function CaseReports({ caseId, items, next, timeZone }: Props) {
  return (
    <section className="stack" aria-labelledby="reports">
      <h2 id="reports">Reports</h2>
      <ol className="plain-list stack">
        {items.map(({ id, reason, words, name, email, at, earlier }) => (
          <li key={id} className="stack">
            <p>
              <strong>{REASONS[reason]}</strong>
            </p>
            {words === null ? (
              <p className="muted">The words were removed.</p>
            ) : (
              <Written text={words} />
            )}
            <p className="muted small">
              <Time at={at} zone={timeZone} form="moment" />
              <span>
                {[name, email].filter(Boolean).map((text) => (
                  <span key={text}>
                    {" · "}
                    <bdi translate="no">{text}</bdi>
                  </span>
                ))}
              </span>
              <span>
                {earlier &&
                  earlier.reports > 0 &&
                  ` · ${earlier.reports} earlier, of which ${earlier.upheld} led to something`}
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
        next={next}
        hash="reports"
        newest="First reports"
        older="More reports"
      />
    </section>
  );
}
