import { Link } from "@remix-run/react";
import { GROUNDS } from "~/ui/labels";
import { CursorLinks } from "~/ui/page-links";
import { operatorCasePath, operatorSanctionPath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { Time } from "~/ui/time";
import type { WaitingCases } from "./cases.server";
import type { ListedSanction } from "./sanctions/sanctions.server";

/** A page of the cases that wait for an operator. */
export function Queue({ items, next }: WaitingCases) {
  return (
    <>
      {items.length === 0 ? (
        <p className="empty">Nothing waits for a decision.</p>
      ) : (
        <ul className="plain-list card">
          {items.map(({ id, kind, state, isUrgent, reasons, reports, since, tourTitle }) => (
            <li key={id} className="stack">
              <h2 className="h3">
                <Link to={operatorCasePath(id)}>
                  <span>{kind === "review" ? "A review of " : "A reply on "}</span>
                  <bdi>{tourTitle}</bdi>
                </Link>
              </h2>
              <p className="row">
                {isUrgent && <strong className="badge badge-danger">Danger to life</strong>}
                {state === "appealed" && <strong className="badge badge-quiet">Appeal</strong>}
                <span className="muted small">
                  <span>{reports === 1 ? "1 report" : `${reports} reports`}</span>
                  {" · since "}
                  <Time at={since} form="moment" />
                </span>
              </p>
              <p>{reasons.map((reason) => GROUNDS[reason].label).join(" · ")}</p>
            </li>
          ))}
        </ul>
      )}
      <CursorLinks param="after" next={next} hash="waiting" newest="First page" older="Next page" />
    </>
  );
}

export function WaitingSanctions({ appeals }: { appeals: ListedSanction[] }) {
  if (appeals.length === 0) return null;
  return (
    <Section id="appeals" title="Appeals against warnings and suspensions">
      <ul className="plain-list card">
        {appeals.map(({ id, name, subject, appeal }) => (
          <li key={id}>
            <h3>
              <Link to={operatorSanctionPath(id)}>
                <span>{`${name}: `}</span>
                <bdi translate="no">{subject || "somebody without an account"}</bdi>
              </Link>
            </h3>
            <p className="muted small">
              {"Since "}
              <Time at={appeal!.at} form="moment" />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
