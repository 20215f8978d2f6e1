import type { ReactNode } from "react";
import { withoutControls } from "~/infra/text";
import type { TourPage } from "./tours.server";

export function FurtherFacts({ facts: { inShort, meetingPoint } }: Pick<TourPage, "facts">) {
  return (
    <>
      {inShort.map(({ name, words }) => (
        <Fact key={name} name={name}>
          <span>{words}</span>
        </Fact>
      ))}
      {meetingPoint && (
        <Fact name="Meeting point">
          {meetingPoint.text !== null && <p dir="auto">{meetingPoint.text}</p>}
          {meetingPoint.map !== null && (
            <a href={meetingPoint.map} rel="external noopener">
              Map on OpenStreetMap
            </a>
          )}
        </Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Whether the page has more about it than facts of a few words. */
export const isDescribed = ({ description, facts: { included, bring } }: TourPage) =>
  description !== "" || included.length + bring.length > 0;

/** An empty line begins a paragraph. */
export function Description({ tour: { description, facts } }: { tour: TourPage }) {
  return (
    <section className="stack description" id="description" aria-label="Description">
      {description !== "" &&
        description.split(/\n{2,}/).map((paragraph, index) => (
          <p key={index} dir="auto">
            {withoutControls(paragraph)}
          </p>
        ))}
      {facts.included.length + facts.bring.length > 0 && (
        <dl className="facts">
          <List name="Included" entries={facts.included} />
          <List name="Bring" entries={facts.bring} />
        </dl>
      )}
    </section>
  );
}

function List({ name, entries }: { name: string; entries: string[] }) {
  if (entries.length === 0) return null;
  return (
    <Fact name={name}>
      <ul>
        {entries.map((entry, index) => (
          <li key={index} dir="auto">
            {entry}
          </li>
        ))}
      </ul>
    </Fact>
  );
}
