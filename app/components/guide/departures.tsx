import { Form } from "@remix-run/react";
import type { Departure, DepartureState } from "~/services/tours/guide-departures.server";
import type { NumberedPage } from "~/infra/numbered-pages";
import { isolated } from "~/infra/text";
import { Avatar } from "../avatar";
import { SubmitButton } from "../forms";
import { PageLinks } from "../page-links";
import { Time } from "../time";
import { useGuideAddress } from "./address";
import type { Intent } from "./intents";

type Lists = Record<DepartureState, NumberedPage<Departure>>;

/** Departures to come that are seen at once; those behind them are folded. */
const NEXT = 5;

/** What the guide has to do: the departures that have begun and are not completed yet. */
export function OpenDepartures({
  departures: { open },
  completedHere,
}: {
  departures: Lists;
  /** Whether guides complete departures, and not the platform alone. */
  completedHere: boolean;
}) {
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
            key={keyOf(departure)}
            departure={departure}
            completedHere={completedHere}
          />
        ))}
      </ul>
      <Pages state="open" label="Pages of departures to be completed" list={open} />
    </section>
  );
}

/** The departures to come with their bookings, and those of the last 30 days. */
export function Departures({ departures: { open, upcoming, past } }: { departures: Lists }) {
  const isEmpty = [open, upcoming, past].every(({ items }) => items.length === 0);
  const later = upcoming.items.slice(NEXT);
  return (
    <section className="stack-l" aria-labelledby="departures">
      <h2 id="departures">Departures</h2>
      {isEmpty && <p className="empty">There are no bookings for upcoming or recent departures.</p>}
      {upcoming.items.length > 0 && (
        <div className="stack">
          <h3 id="upcoming">Upcoming</h3>
          <DepartureList departures={upcoming.items.slice(0, NEXT)} />
          {later.length > 0 && (
            // A guide who opens another page wants to see it unfolded.
            <details className="fold" open={upcoming.page > 1}>
              <summary>Later departures</summary>
              <DepartureList departures={later} />
            </details>
          )}
          <Pages state="upcoming" label="Pages of upcoming departures" list={upcoming} />
        </div>
      )}
      {past.items.length > 0 && (
        <details className="fold" open={past.page > 1}>
          <summary>
            <h3 id="past">Last 30 days</h3>
          </summary>
          <div className="stack">
            <DepartureList departures={past.items} />
            <Pages state="past" label="Pages of past departures" list={past} />
          </div>
        </details>
      )}
    </section>
  );
}

interface PagesProps {
  state: DepartureState;
  label: string;
  list: NumberedPage<Departure>;
}

function Pages({ state, label, list }: PagesProps) {
  const address = useGuideAddress();
  return <PageLinks {...list} label={label} to={(page) => address(state, page, state)} />;
}

const keyOf = ({ tour, date }: Departure) => `${tour.id} ${date}`;

/** The words for the known statuses; any other status of a platform is shown as it is stored. */
const STATUSES: Record<string, string> = {
  CONFIRMED: "Confirmed",
  PENDING: "Pending",
  COMPLETED: "Completed",
  CANCELLED: "Cancelled",
};
const statusInWords = (status: string) => STATUSES[status] ?? isolated(status.trim() || "Unknown");

/** The known ones in the order above, then the others. */
const place = (status: string) => Object.keys({ ...STATUSES, [status]: "" }).indexOf(status);

/** The same order wherever statuses are shown; what has the same one stays as it is. */
const inOrder = <Item extends { status: string }>(items: Item[]) =>
  [...items].sort((a, b) => place(a.status) - place(b.status));

/** "5 confirmed, 1 pending"; no line ends behind a number. */
const countInWords = (counts: Departure["counts"]) =>
  inOrder(counts)
    .map(({ status, count }) => `${count}\u00a0${statusInWords(status).toLowerCase()}`)
    .join(", ");

const When = ({ date, tour }: Pick<Departure, "date" | "tour">) =>
  date ? <Time at={date} zone={tour.timeZone} form="departure" /> : <span>No date</span>;

/** A departure that has begun and is not completed yet. */
function OpenDeparture({
  departure: { tour, date, counts, bookings },
  completedHere,
}: {
  departure: Departure;
  completedHere: boolean;
}) {
  return (
    <li className="card stack">
      <div>
        <h3>
          <bdi>{tour.title}</bdi>
        </h3>
        <p className="muted small">
          <When date={date} tour={tour} /> · <span>{countInWords(counts)}</span>
        </p>
      </div>
      <Bookings counts={counts} bookings={bookings} />
      {completedHere && (
        <Form method="post" action="/guide">
          <input type="hidden" name="intent" value={"complete" satisfies Intent} />
          <input type="hidden" name="tourId" value={tour.id} />
          <SubmitButton action="/guide" name="date" value={date ?? ""}>
            Mark as completed
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}

function DepartureList({ departures }: { departures: Departure[] }) {
  return (
    <ul className="departures">
      {departures.map((departure) => (
        <li key={keyOf(departure)}>
          <details>
            <summary>
              <strong>
                <bdi>{departure.tour.title}</bdi>
              </strong>
              <span className="muted small">
                <When {...departure} /> · <span>{countInWords(departure.counts)}</span>
              </span>
            </summary>
            <Bookings {...departure} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Bookings({ counts, bookings }: Pick<Departure, "counts" | "bookings">) {
  const more = counts.reduce((sum, { count }) => sum + count, 0) - bookings.length;
  return (
    <ul className="bookings">
      {inOrder(bookings).map(({ id, explorer, status }) => {
        const name = explorer.name || "An explorer";
        return (
          <li key={id}>
            <Avatar name={name} image={explorer.image} small />
            <bdi translate="no">{name}</bdi>
            <span className="badge badge-quiet">{statusInWords(status)}</span>
          </li>
        );
      })}
      {more > 0 && <li className="muted">{`and ${more} more`}</li>}
    </ul>
  );
}
