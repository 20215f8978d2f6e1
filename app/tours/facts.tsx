import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { withoutControls } from "~/lib/text";
import { Avatar } from "~/ui/avatar";
import { guidePath } from "~/ui/paths";
import { hoursInWords, Time } from "~/ui/time";
import type { DeparturesToCome } from "./departures.server";
import type { TourPage } from "./tours.server";

const SIGNS = {
  duration: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  languages: "M4 5h16v11h-9l-4.5 4v-4H4zM8 9h8M8 12h5",
  group:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.4c2.2.8 3.5 2.7 3.5 5.6",
  age: "M12 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 21.5v-6l-1.5-1v-2.5c0-1 1-2 2-2h7c1 0 2 1 2 2v2.5l-1.5 1v6z",
  when: "M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4",
  where:
    "M12 21s7-6.5 7-11.5a7 7 0 0 0-14 0C5 14.5 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  meeting: "M6 21.5v-18h11.5l-2.5 4 2.5 4H6",
};

interface Departing {
  tour: TourPage;
  departed: boolean;
  toCome: DeparturesToCome;
}

/** The tour's facts: its kind, date, place and guide. */
export function Facts({ tour, departed, toCome }: Departing) {
  const { durationMinutes, departure, location, facts, timeZone } = tour;
  const { inShort, meetingPoint } = facts;
  return (
    <dl className="facts signed">
      {durationMinutes !== null && (
        <Fact sign="duration" name="Duration">
          <span>{hoursInWords(durationMinutes)}</span>
        </Fact>
      )}
      {inShort.map(({ sign, name, words }) => (
        <Fact key={name} sign={sign} name={name}>
          <span>{words}</span>
        </Fact>
      ))}
      {toCome.next.length > 1 ? (
        <Fact key="several" sign="when" name="Next departures">
          <Departures zone={timeZone} {...toCome} />
        </Fact>
      ) : (
        departure && (
          <Fact key="one" sign="when" name={departed ? "Last departure" : "Next departure"}>
            <Time at={departure} zone={timeZone} form="toCome" />
          </Fact>
        )
      )}
      {location && (
        <Fact sign="where" name="Where">
          <bdi>{location}</bdi>
        </Fact>
      )}
      {meetingPoint && (
        <Fact sign="meeting" name="Meeting point">
          {meetingPoint.text !== null && <p dir="auto">{meetingPoint.text}</p>}
          {meetingPoint.map !== null && (
            <a href={meetingPoint.map} rel="external noopener">
              Map on OpenStreetMap
            </a>
          )}
        </Fact>
      )}
      <div>
        <dt>Your guide</dt>
        <dd>
          <Avatar name={tour.guide.name} image={tour.guide.image} small />
          <GuideLink tour={tour} />
        </dd>
      </div>
    </dl>
  );
}

interface FactProps {
  sign?: keyof typeof SIGNS;
  name: string;
  children: ReactNode;
}

function Fact({ sign, name, children }: FactProps) {
  return (
    <div>
      <dt>
        {sign && (
          <svg viewBox="0 0 24 24" className="sign" aria-hidden="true">
            <path d={SIGNS[sign]} />
          </svg>
        )}
        <span>{name}</span>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function GuideLink({ tour: { createdById, guide } }: { tour: TourPage }) {
  const path = guidePath(createdById);
  const name = <bdi translate="no">{guide.name}</bdi>;
  return path ? <Link to={path}>{name}</Link> : name;
}

/** The next departures of a tour, and more behind a fold. */
function Departures({ zone, next, folded, later }: DeparturesToCome & { zone: string }) {
  return (
    <>
      <Dates zone={zone} departures={next} />
      {folded.length > 0 && (
        <details className="hint no-print">
          <summary>{`${folded.length} more`}</summary>
          <Dates zone={zone} departures={folded} />
          {later > 0 && <p className="muted small">{`And ${later} later`}</p>}
        </details>
      )}
    </>
  );
}

function Dates({ zone, departures }: { zone: string; departures: DeparturesToCome["next"] }) {
  return (
    <ul className="dates">
      {departures.map(({ at, bookingUrl }, n) => (
        <li key={at}>
          <Time at={at} zone={zone} form={n === 0 ? "toCome" : "alsoToCome"} />
          {bookingUrl && (
            <a href={bookingUrl} rel="external noopener" className="no-print">
              Book
            </a>
          )}
        </li>
      ))}
    </ul>
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
          <List name="What to bring" entries={facts.bring} />
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
