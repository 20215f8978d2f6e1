import { Form, Link, useSearchParams } from "@remix-run/react";
import { SubmitButton } from "~/ui/forms";
import { useGuideAddress } from "~/guides/guide-address";
import type { Intent } from "~/guides/guide-intents";
import {
  Bookings,
  DepartureHead,
  Explorer,
  type Lists,
  namedByHead,
  numbered,
  Pages,
} from "./departures";
import type { Departure } from "./guide-departures.server";

const SHOWN = 12;

interface Props {
  departures: Lists;
  /** Whether guides complete departures, and not the platform alone. */
  completedHere: boolean;
  /** The bookings that were ticked in a form that was refused. */
  ticked: string[];
}

export function OpenDepartures({ departures: { open }, completedHere, ticked }: Props) {
  if (open.items.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="open">
      <h2 id="open">To be completed</h2>
      <p className="hint">
        Explorers with a confirmed booking can review a tour once it is completed.{" "}
        <span>
          {completedHere
            ? "If you don’t mark it as completed, we do it automatically after 24 hours."
            : "The platform where they booked marks departures as completed."}
        </span>
      </p>
      <ul className="tours">
        {open.items.map((departure) => (
          <OpenDeparture
            key={departure.key}
            departure={departure}
            completedHere={completedHere}
            ticked={ticked}
          />
        ))}
      </ul>
      <Pages state="open" label="Pages of departures to be completed" list={open} />
    </section>
  );
}

function OpenDeparture({
  departure,
  completedHere,
  ticked,
}: Omit<Props, "departures"> & { departure: Departure }) {
  const { tour, date, counts, bookings } = departure;
  const id = `open-${tour.id}-${date ? Date.parse(date) : "undated"}`;
  return (
    <li className="card stack" id={id}>
      <DepartureHead id={id} tour={tour} date={date} counts={counts} />
      {completedHere ? (
        <Form method="post" action="/guide" className="stack">
          <input type="hidden" name="intent" value={"complete" satisfies Intent} />
          <input type="hidden" name="tourId" value={tour.id} />
          <NotCome departure={departure} anchor={id} ticked={ticked} />
          <Bookings
            counts={counts.filter((one) => !isConfirmed(one))}
            bookings={bookings.filter((one) => !isConfirmed(one))}
          />
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

const isConfirmed = ({ status }: { status: string }) => status === "CONFIRMED";

const CONSEQUENCE =
  "They cannot review the tour. We ask them by e-mail, and if they say that they were there, they can.";

/** Asks which explorers did not come; of many it is folded, since most groups are complete. */
function NotCome({
  departure,
  anchor,
  ticked,
}: Pick<Props, "ticked"> & { departure: Departure; anchor: string }) {
  const [shown] = useSearchParams();
  const named = numbered(departure.bookings.filter(isConfirmed));
  const question = "Tick the explorers who did not come.";
  const isAsked = shown.get("all") === departure.key;
  const list = (
    <fieldset>
      <legend className="small">
        {named.length > SHOWN ? CONSEQUENCE : `${question} ${CONSEQUENCE}`}
      </legend>
      <NamedOfAll departure={departure} named={named.length} isAsked={isAsked} anchor={anchor} />
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
  if (named.length <= SHOWN) return list;
  return (
    <details className="fold" open={isAsked || named.some(({ id }) => ticked.includes(id))}>
      <summary>{question}</summary>
      {list}
    </details>
  );
}

/** Says when not all explorers of a departure are named, and leads to where they are. */
function NamedOfAll({
  departure: { key, counts },
  named,
  isAsked,
  anchor,
}: {
  departure: Departure;
  named: number;
  isAsked: boolean;
  anchor: string;
}) {
  const address = useGuideAddress();
  const total = counts.find(isConfirmed)?.count ?? 0;
  if (named >= total) return null;
  return (
    <p className="hint">
      <span>{`${named} of ${total} are named here. `}</span>
      {!isAsked && <Link to={address({ all: key }, anchor)}>Name all of them</Link>}
    </p>
  );
}
