import { Time } from "~/ui/time";
import { Section } from "~/ui/section";
import type { Objection } from "./objections.server";

/** Explorers who say that they were there although the guide said that they were not. */
export function Objections({ objections }: { objections: Objection[] }) {
  if (objections.length === 0) return null;
  return (
    <Section id="objections" title="Disputed no-shows">
      <ul className="plain-list card">
        {objections.map(({ id, explorerName, tour, date, at }) => (
          <li key={id}>
            <h3>
              <bdi translate="no">{explorerName || "An explorer"}</bdi>
            </h3>
            <p>
              <bdi>{tour.title}</bdi>
              {date && (
                <span>
                  {", "}
                  <Time at={date} zone={tour.timeZone} form="departure" />
                </span>
              )}
            </p>
            <p className="muted small">
              {"They told us on "}
              <Time at={at} zone={tour.timeZone} />
              {
                " that they were there. The booking counts as completed, and they can review the tour."
              }
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
