import { Link, useSearchParams } from "@remix-run/react";
import { isolated } from "~/lib/text";
import { Avatar } from "~/ui/avatar";
import { Time } from "~/ui/time";
import { Section } from "~/ui/section";
import { ListPages, useGuideAddress } from "~/guides/guide-address";
import type { Departure, DeparturePages } from "./guide-departures.server";

/** The values of the field `intent` in the forms of the guide's page. */
export const INTENTS = ["complete", "undo"] as const;
export type Intent = (typeof INTENTS)[number];

const NEXT = 5;

export function Departures({
  departures: { open, upcoming, past },
}: {
  departures: Omit<DeparturePages, "next">;
}) {
  const isEmpty = [open, upcoming, past].every(({ items }) => items.length === 0);
  const later = upcoming.items.slice(NEXT);
  const pages = <ListPages name="upcoming" label="Pages of upcoming departures" list={upcoming} />;
  return (
    <Section id="departures" title="Departures" className="stack-l">
      {isEmpty && <p className="empty">There are no bookings for upcoming or recent departures.</p>}
      {upcoming.items.length > 0 && (
        <div className="stack">
          <h3 id="upcoming">Upcoming</h3>
          <DepartureList departures={upcoming.items.slice(0, NEXT)} />
          {later.length > 0 ? (
            // A guide who opens another page wants to see it unfolded.
            <details className="fold" open={upcoming.page > 1}>
              <summary>Later departures</summary>
              <div className="stack">
                <DepartureList departures={later} />
                {pages}
              </div>
            </details>
          ) : (
            pages
          )}
        </div>
      )}
      {past.items.length > 0 && (
        <details className="fold" open={past.page > 1}>
          <summary>
            <h3 id="past">Last 30 days</h3>
          </summary>
          <div className="stack">
            <DepartureList departures={past.items} />
            <ListPages name="past" label="Pages of past departures" list={past} />
          </div>
        </details>
      )}
    </Section>
  );
}

/** The words for the known statuses; any other status of a platform is shown as it is stored. */
const STATUSES: Record<string, string> = {
  CONFIRMED: "Confirmed",
  PENDING: "Pending",
  COMPLETED: "Completed",
  NO_SHOW: "Did not come",
  CANCELLED: "Cancelled",
};
const statusInWords = (status: string) => STATUSES[status] ?? isolated(status || "Unknown");

/** The known ones in the order above, then the others. */
const place = (status: string) => Object.keys({ ...STATUSES, [status]: "" }).indexOf(status);

/** Puts statuses in the same order wherever they are shown; items with the same one stay as they are. */
const inOrder = <Item extends { status: string }>(items: Item[]) =>
  [...items].sort((a, b) => place(a.status) - place(b.status));

type Head = Pick<Departure, "date" | "counts"> & { tour: { title: string; timeZone: string } };

const When = ({ date, tour }: Omit<Head, "counts">) =>
  date ? <Time at={date} zone={tour.timeZone} form="departure" /> : <span>No date</span>;

/** "5 confirmed, 1 pending"; no line ends behind a number. */
const countInWords = (counts: Head["counts"]) =>
  inOrder(counts)
    .map(({ status, count }) => `${count}\u00a0${statusInWords(status).toLowerCase()}`)
    .join(", ");

/** The tour and the time of a departure, as the heading of what can be done with it; `id` is the departure's. */
export function DepartureHead({ id, tour, date, counts }: Head & { id: string }) {
  return (
    <div>
      <h3 id={`${id}-tour`}>
        <bdi>{tour.title}</bdi>
      </h3>
      <p className="muted small">
        <span id={`${id}-when`}>
          <When date={date} tour={tour} />
        </span>
        <span>{counts.length > 0 && `\u00A0· ${countInWords(counts)}`}</span>
      </p>
    </div>
  );
}

/** The name of a button among those of other departures: what it says, then the tour and the time of that head. */
export const namedByHead = (id: string) => ({
  id: `${id}-button`,
  "aria-labelledby": `${id}-button ${id}-tour ${id}-when`,
});

function DepartureList({ departures }: { departures: Departure[] }) {
  const [shown] = useSearchParams();
  return (
    <ul className="departures">
      {departures.map((departure) => (
        <li key={departure.key} id={`departure-${departure.key}`}>
          <details open={shown.get("all") === departure.key || undefined}>
            <summary>
              <strong>
                <bdi>{departure.tour.title}</bdi>
              </strong>
              <span className="muted small">
                <When {...departure} />
                <span>{"\u00A0· "}</span>
                <span>{countInWords(departure.counts)}</span>
              </span>
            </summary>
            <Bookings {...departure} />
            <AllNames departure={departure} />
          </details>
        </li>
      ))}
    </ul>
  );
}

/** Leads to the names that the page has left out, as far as it can show them. */
function AllNames({ departure: { key, counts, bookings } }: { departure: Departure }) {
  const [shown] = useSearchParams();
  const address = useGuideAddress();
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (bookings.length >= total || shown.get("all") === key) return null;
  return (
    <p>
      <Link to={address({ all: key }, `departure-${key}`)}>
        {bookings.length === 0 ? "Name them" : "Name all of them"}
      </Link>
    </p>
  );
}

export function Bookings({ counts, bookings }: Pick<Departure, "counts" | "bookings">) {
  const more = counts.reduce((sum, { count }) => sum + count, 0) - bookings.length;
  if (bookings.length === 0) return null;
  return (
    <ul className="bookings">
      {inOrder(numbered(bookings)).map(({ id, status, ...explorer }) => (
        <li key={id}>
          <Explorer {...explorer} />
          <span className="badge badge-quiet">{statusInWords(status)}</span>
        </li>
      ))}
      {more > 0 && <li className="muted">{`and ${more} more`}</li>}
    </ul>
  );
}

/** Gives the bookings the names that are shown; those with the same name get a number, such as "2 of 3". */
export function numbered(bookings: Departure["bookings"]) {
  const seen = new Map<string, number>();
  const named = bookings.map(({ name: given, ...booking }) => {
    const name = given || "An explorer";
    const place = (seen.get(name) ?? 0) + 1;
    seen.set(name, place);
    return { ...booking, name, place };
  });
  return named.map(({ place, ...booking }) => {
    const total = seen.get(booking.name) ?? 0;
    return { ...booking, number: total > 1 ? `${place}\u00a0of\u00a0${total}` : null };
  });
}

type Numbered = Omit<ReturnType<typeof numbered>[number], "id" | "status">;

export function Explorer({ name, image, number }: Numbered) {
  return (
    <>
      <Avatar name={name} image={image} small />
      <span>
        <bdi translate="no">{name}</bdi>
        {number && <span className="muted small">{` (${number})`}</span>}
      </span>
    </>
  );
}
