import { Link } from "@remix-run/react";
import { GROUND_TEXTS, rulePath } from "~/ui/grounds";
import { Time } from "~/ui/time";
import type { StandingDecision } from "./standing.server";

/** The decisions that a warning or a suspension stands on. */
export const StandingDecisions = ({ decisions }: { decisions: StandingDecision[] }) => (
  <ul className="stack">
    {decisions.map(({ id, at, kind, tourTitle, done, ground }) => (
      <li key={id}>
        <Time at={at} />
        <span>
          {tourTitle === null ? (
            `, about a ${kind} that was reported: `
          ) : (
            <span>
              <span>{`, about the ${kind} of `}</span>
              <bdi>{tourTitle}</bdi>
              {": "}
            </span>
          )}
        </span>
        <strong>{done}</strong>
        <span>
          {ground !== "allowed" && (
            <span>
              {" Reason: "}
              <Link to={rulePath(ground)}>{GROUND_TEXTS[ground].label}</Link>
            </span>
          )}
        </span>
      </li>
    ))}
  </ul>
);
