import { Form, Link, useSearchParams } from "@remix-run/react";
import type { NumberedPage } from "~/infra/numbered-pages";
import { SubmitButton } from "~/ui/forms";
import { ListPages, useGuideAddress } from "~/guides/guide-address";
import { Time } from "~/ui/time";
import { Section } from "~/ui/section";
import type { RecentCompletion } from "./completions.server";
import {
  Bookings,
  DepartureHead,
  Explorer,
  type Intent,
  namedByHead,
  numbered,
} from "./departures";
import type { Departure } from "./guide-departures.server";

const SHOWN = 12;

interface Shown {
  /** Whether guides complete departures, and not the platform alone. */
  completedHere: boolean;
  /** The bookings that were ticked in a form that was refused. */
  ticked: string[];
}

export function OpenDepartures({
  departures,
  ...shown
}: Shown & { departures: NumberedPage<Departure> }) {
  if (departures.items.length === 0) return null;
  return (
    <Section id="open" title="To be completed">
      <p className="hint">
        Explorers with a confirmed booking can review a tour once it is completed.{" "}
        <span>
          {shown.completedHere
            ? "If you don’t mark it as completed, we do it automatically after 24 hours."
            : "The platform where they booked marks departures as completed."}
        </span>
      </p>
      <ul className="tours">
        {departures.items.map((departure) => (
          <OpenDeparture key={departure.key} departure={departure} {...shown} />
        ))}
      </ul>
      <ListPages name="open" label="Pages of departures to be completed" list={departures} />
    </Section>
  );
}

const isConfirmed = ({ status }: { status: string }) => status === "CONFIRMED";

function OpenDeparture({ departure, completedHere, ticked }: Shown & { departure: Departure }) {
  const { key, tour, date, counts, bookings } = departure;
  const id = `open-${key}`;
  const isOther = (one: { status: string }) => !isConfirmed(one);
  return (
    <li className="card stack" id={id}>
      <DepartureHead id={id} tour={tour} date={date} counts={counts} />
      {completedHere ? (
        <Form method="post" action="/guide" className="stack">
          <input type="hidden" name="intent" value={"complete" satisfies Intent} />
          <input type="hidden" name="tourId" value={tour.id} />
          <NotCome departure={departure} anchor={id} ticked={ticked} />
          <Bookings counts={counts.filter(isOther)} bookings={bookings.filter(isOther)} />
          <SubmitButton action="/guide" name="date" value={date ?? ""} {...namedByHead(id)}>
            Mark as completed
          </SubmitButton>
        </Form>
      ) : (
        <Bookings counts={counts} bookings={bookings} />
      )}
    </li>
  );
}

const QUESTION = "Tick the explorers who did not come.";
const CONSEQUENCE =
  "They cannot review the tour. We ask them by e-mail, and if they say that they were there, they can.";

/** Asks which explorers did not come; of many it is folded, since most groups are complete. */
function NotCome({
  departure: { key, counts, bookings },
  anchor,
  ticked,
}: {
  departure: Departure;
  anchor: string;
  ticked: string[];
}) {
  const [shown] = useSearchParams();
  const address = useGuideAddress();
  const named = numbered(bookings.filter(isConfirmed));
  const total = counts.find(isConfirmed)?.count ?? 0;
  const isAsked = shown.get("all") === key;
  const isFolded = named.length > SHOWN;
  const list = (
    <fieldset>
      <legend className="small">{isFolded ? CONSEQUENCE : `${QUESTION} ${CONSEQUENCE}`}</legend>
      {named.length < total && (
        <p className="hint">
          <span>{`${named.length} of ${total} are named here. `}</span>
          {!isAsked && <Link to={address({ all: key }, anchor)}>Name all of them</Link>}
        </p>
      )}
      <ul className="bookings">
        {named.map(({ id, ...explorer }) => (
          <li key={id}>
            <label>
              <Explorer {...explorer} />
              <span className="absent">
                <span className="muted small">did not come</span>
                <input
                  type="checkbox"
                  name="absent"
                  value={id}
                  defaultChecked={ticked.includes(id)}
                />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
  if (!isFolded) return list;
  return (
    <details className="fold" open={isAsked || named.some(({ id }) => ticked.includes(id))}>
      <summary>{QUESTION}</summary>
      {list}
    </details>
  );
}

export function JustCompleted({
  completions,
  now,
}: {
  completions: RecentCompletion[];
  now: string;
}) {
  if (completions.length === 0) return null;
  return (
    <Section id="just-completed" title="Just completed">
      <ul className="tours">
        {completions.map(({ id, undoUntil, ...departure }) => (
          <li key={id} className="card stack">
            <DepartureHead id={id} {...departure} />
            <p className="hint">
              Something is wrong? You can undo this until{" "}
              <Time at={undoUntil} now={now} zone={departure.tour.timeZone} form="deadline" />.
              Reviews that were written meanwhile stay.
            </p>
            <Form method="post" action="/guide">
              <input type="hidden" name="intent" value={"undo" satisfies Intent} />
              <SubmitButton
                action="/guide"
                className="button-quiet"
                name="completion"
                value={id}
                {...namedByHead(id)}
              >
                Undo
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </Section>
  );
}
