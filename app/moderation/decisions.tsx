import { Link } from "@remix-run/react";
import { GROUNDS, rulePath } from "~/ui/labels";
import { Written } from "~/reviews/list/comment";
import { Time } from "~/ui/time";
import type { PublicDecision } from "./public-decision.server";

interface ShownDecision extends PublicDecision {
  /** Who decided, for operators; empty for a former account. */
  operator?: string;
}

/** What was decided about a review or a reply, and why. */
export function Decisions({
  decisions,
  timeZone,
}: {
  decisions: ShownDecision[];
  timeZone: string;
}) {
  return (
    <ol className="plain-list stack">
      {decisions.map(({ id, at, done, ground, explanation, reference, onAppeal, operator }) => (
        <li key={id} className="stack">
          <p>
            <Time at={at} zone={timeZone} />
            <span>{onAppeal ? ", on appeal: " : ": "}</span>
            <strong>{done}</strong>
          </p>
          <p>
            <span>
              {"Ground: "}
              <Link to={rulePath(ground)}>{GROUNDS[ground].label}</Link>
            </span>
            <span>
              {reference !== null && (
                <span>
                  {" · Order: "}
                  <bdi translate="no">{reference}</bdi>
                </span>
              )}
            </span>
            <span className="muted">
              {operator !== undefined && (
                <span>
                  {" · by "}
                  <bdi translate="no">{operator || "a former operator"}</bdi>
                </span>
              )}
            </span>
          </p>
          {explanation === null ? (
            <p className="muted">The explanation was removed after six months.</p>
          ) : (
            <Written text={explanation} />
          )}
        </li>
      ))}
    </ol>
  );
}
