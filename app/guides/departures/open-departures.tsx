import { Form, Link, useSearchParams } from "@remix-run/react";
import type { NumberedPage } from "~/lib/numbered-pages";
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

interface FormState {
  /** Whether guides complete departures, and not the platform alone. */
  completedHere: boolean;
  /** The bookings that were ticked in a form that was refused. */
  ticked: string[];
}

export function OpenDepartures({
  departures,
  ...shown
}: FormState & { departures: NumberedPage<Departure> }) {
  if (departures.items.length === 0) return null;
  return (
    <Section id="open" title="Departures to confirm">
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
      <ListPages name="open" label="Pages of departures to confirm" list={departures} />
    </Section>
  );
}

type WithStatus = Pick<Departure["counts"][number], "status">;

const isConfirmed = ({ status }: WithStatus) => status === "CONFIRMED";
const isOther = (one: WithStatus) => !isConfirmed(one);

function OpenDeparture({ departure, completedHere, ticked }: FormState & { departure: Departure }) {
  const { key, tour, date, counts, bookings } = departure;
  const id = `open-${key}`;
  const total = counts.find(isConfirmed)?.count ?? 0;
  const guests = total === 1 ? "1 guest" : `${total.toLocaleString("en-GB")} guests`;
  if (!completedHere)
    return (
      <li className="card stack" id={id}>
        <DepartureHead id={id} tour={tour} date={date} counts={counts} />
        <details className="fold">
          <summary>Names</summary>
          <Bookings counts={counts} bookings={bookings} />
        </details>
      </li>
    );
  return (
    <li className="card stack" id={id}>
      <DepartureHead id={id} tour={tour} date={date} counts={counts.filter(isOther)} />
      <Form method="post" action="/guide" className="stack">
        <input type="hidden" name="intent" value={"complete" satisfies Intent} />
        <input type="hidden" name="tourId" value={tour.id} />
        <div className="row">
          <span>{`${guests}, all came?`}</span>
          <SubmitButton action="/guide" name="date" value={date ?? ""} {...namedByHead(id)}>
            Mark as completed
          </SubmitButton>
        </div>
        <NotCome departure={departure} anchor={id} ticked={ticked} />
      </Form>
    </li>
  );
}

const CONSEQUENCE =
  "Tick anyone who didn’t come, then mark it as completed. We’ll e-mail them; unless they say they were there, they can’t review the tour.";

interface NotComeProps {
  departure: Departure;
  anchor: string;
  ticked: string[];
}

/** Asks which explorers did not come, folded, since most groups are complete. */
function NotCome({ departure, anchor, ticked }: NotComeProps) {
  const { key, counts, bookings } = departure;
  const [shown] = useSearchParams();
  const address = useGuideAddress();
  const named = numbered(bookings.filter(isConfirmed));
  const total = counts.find(isConfirmed)?.count ?? 0;
  const isAsked = shown.get("all") === key;
  return (
    <details className="fold" open={isAsked || named.some(({ id }) => ticked.includes(id))}>
      <summary>Some did not come</summary>
      <fieldset>
        <legend className="small">{CONSEQUENCE}</legend>
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
      <Bookings counts={counts.filter(isOther)} bookings={bookings.filter(isOther)} />
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
              Made a mistake? You can undo this until{" "}
              <Time at={undoUntil} now={now} zone={departure.tour.timeZone} form="deadline" />.
              Reviews posted in the meantime stay.
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
