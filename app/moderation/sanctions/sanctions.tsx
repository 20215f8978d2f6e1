import { Link } from "@remix-run/react";
import { TextOrRemoved } from "~/moderation/fields";
import { operatorSanctionPath } from "~/ui/paths";
import { Time } from "~/ui/time";
import type { ListedSanction } from "./sanctions.server";

/** Somebody's warnings and suspensions, latest first, each with a link to its page. */
export function Sanctions({ sanctions }: { sanctions: ListedSanction[] }) {
  return (
    <ol className="plain-list stack">
      {sanctions.map((sanction) => (
        <li key={sanction.id} className="stack">
          <p>
            <Link to={operatorSanctionPath(sanction.id)}>{sanction.name}</Link>
            {", "}
            <Time at={sanction.at} />
          </p>
          <SanctionFacts sanction={sanction} />
        </li>
      ))}
    </ol>
  );
}

/** The end of a warning or a suspension, who decided it, why, and what became of it. */
export function SanctionFacts({ sanction }: { sanction: ListedSanction }) {
  const { until, operator, explanation, appeal, outcome } = sanction;
  return (
    <div className="stack">
      <p className="muted small">
        {until && (
          <span>
            {"until "}
            <Time at={until} form="moment" />
            {"\u00A0· "}
          </span>
        )}
        <span>
          {"by "}
          <bdi translate="no">{operator || "a former operator"}</bdi>
        </span>
      </p>
      <TextOrRemoved text={explanation} />
      {appeal && (
        <>
          <p className="muted small">
            {"Appeal of "}
            <Time at={appeal.at} form="moment" />
          </p>
          <TextOrRemoved text={appeal.text} />
        </>
      )}
      {outcome && (
        <>
          <p>
            <strong>{outcome.stands ? "It stands." : "It was taken back."}</strong>{" "}
            <Time at={outcome.at} />
          </p>
          <TextOrRemoved text={outcome.explanation} />
        </>
      )}
    </div>
  );
}
