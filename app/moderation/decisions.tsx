import { Link } from "@remix-run/react";
import { GROUND_TEXTS, rulePath } from "~/ui/grounds";
import { Time } from "~/ui/time";
import { TextOrRemoved } from "./fields";
import type { PublicDecision } from "./cases.server";

interface Props {
  /** For operators with the name of who decided, which is empty for a former account. */
  decisions: (PublicDecision & { operator?: string })[];
  timeZone: string;
}

/** A decision about a review or a reply, with its reasons. */
export function Decisions({ decisions, timeZone }: Props) {
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
              {"Reason: "}
              <Link to={rulePath(ground)}>{GROUND_TEXTS[ground].label}</Link>
            </span>
            <span>
              {reference !== null && (
                <span>
                  {"\u00A0· Order: "}
                  <bdi translate="no">{reference}</bdi>
                </span>
              )}
            </span>
            <span className="muted">
              {operator !== undefined && (
                <span>
                  {"\u00A0· by "}
                  <bdi translate="no">{operator || "a former operator"}</bdi>
                </span>
              )}
            </span>
          </p>
          <TextOrRemoved text={explanation} removed="The explanation was removed." />
        </li>
      ))}
    </ol>
  );
}
