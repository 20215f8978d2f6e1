import { Form } from "@remix-run/react";
import type { Departure } from "~/services/tours/guide-overview.server";
import { Avatar } from "../avatar";
import { SubmitButton } from "../forms";
import { Time } from "../time";
import type { Intent } from "./intents";

/** The departures of the guide's tours with their bookings: to be completed, upcoming, and recent. */
export function Departures({
  departures,
  completedHere,
}: {
  departures: Departure[];
  /** Whether guides complete departures, and not the platform alone. */
  completedHere: boolean;
}) {
  const [open, upcoming, past] = (["open", "upcoming", "past"] as const).map((state) =>
    departures.filter((departure) => departure.state === state),
  ) as [Departure[], Departure[], Departure[]];
  return (
    <section className="stack-l" aria-labelledby="departures">
      <h2 id="departures">Departures</h2>
      {departures.length === 0 && (
        <p className="empty">There are no bookings for upcoming or recent departures.</p>
      )}
      {open.length > 0 && (
        <div className="stack">
          <h3>To be completed</h3>
          <p className="hint">
            Explorers with a confirmed booking can review a tour once it is completed.{" "}
            {completedHere
              ? "If you do not mark it as completed, this happens automatically 24 hours after the departure."
              : "The platform where they booked marks departures as completed."}
          </p>
          <ul className="tours">
            {open.map((departure) => (
              <OpenDeparture
                key={keyOf(departure)}
                departure={departure}
                completedHere={completedHere}
              />
            ))}
          </ul>
        </div>
      )}
      {upcoming.length > 0 && (
        <div className="stack">
          <h3>Upcoming</h3>
          <DepartureList departures={upcoming} />
        </div>
      )}
      {past.length > 0 && (
        <div className="stack">
          <h3>Last 30 days</h3>
          <DepartureList departures={past} />
        </div>
      )}
    </section>
  );
}

const keyOf = ({ tour, date }: Departure) => `${tour.id} ${date}`;

/** The words for the known statuses; any other status of a platform is shown as it is stored. */
const STATUSES: Record<string, string> = {
  CONFIRMED: "Confirmed",
  PENDING: "Pending",
  COMPLETED: "Completed",
  CANCELLED: "Cancelled",
};
const statusInWords = (status: string) => STATUSES[status] ?? status;

/** "5 confirmed, 1 pending". */
function countInWords(bookings: Departure["bookings"]): string {
  const counts = new Map<string, number>();
  for (const { status } of bookings) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .map(([status, count]) => `${count} ${statusInWords(status).toLowerCase()}`)
    .join(", ");
}

const When = ({ date }: { date: string | null }) =>
  date ? <Time at={date} withTime /> : <>No date</>;

/** A departure that has begun and is not completed yet. */
function OpenDeparture({
  departure: { tour, date, bookings },
  completedHere,
}: {
  departure: Departure;
  completedHere: boolean;
}) {
  return (
    <li className="card stack">
      <div>
        <h4>{tour.title}</h4>
        <p className="muted small">
          <When date={date} /> · {countInWords(bookings)}
        </p>
      </div>
      <Bookings bookings={bookings} />
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
              <strong>{departure.tour.title}</strong>
              <span className="muted small">
                <When date={departure.date} /> · {countInWords(departure.bookings)}
              </span>
            </summary>
            <Bookings bookings={departure.bookings} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Bookings({ bookings }: { bookings: Departure["bookings"] }) {
  return (
    <ul className="bookings">
      {bookings.map(({ id, explorer, status }) => {
        const name = explorer.name || "An explorer";
        return (
          <li key={id}>
            <Avatar name={name} image={explorer.image} small />
            <span>{name}</span>
            <span className="badge badge-quiet">{statusInWords(status)}</span>
          </li>
        );
      })}
    </ul>
  );
}
