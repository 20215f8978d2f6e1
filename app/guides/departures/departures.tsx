import type { NumberedPage } from "~/infra/numbered-pages";
import { isolated } from "~/infra/text";
import { Avatar } from "~/ui/avatar";
import { PageLinks } from "~/ui/page-links";
import { Time } from "~/ui/time";
import { pageParam, useGuideAddress } from "~/guides/guide-address";
import type { Departure, DepartureBooking, DepartureState } from "./guide-departures.server";

export type Lists = Record<DepartureState, NumberedPage<Departure>>;

const NEXT = 5;

export function Departures({ departures: { open, upcoming, past } }: { departures: Lists }) {
  const isEmpty = [open, upcoming, past].every(({ items }) => items.length === 0);
  const later = upcoming.items.slice(NEXT);
  const pages = <Pages state="upcoming" label="Pages of upcoming departures" list={upcoming} />;
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
              <div className="stack">
                <DepartureList departures={later} />
                {pages}
              </div>
            </details>
          )}
          {later.length === 0 && pages}
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

export function Pages({ state, label, list }: PagesProps) {
  const address = useGuideAddress();
  return (
    <PageLinks
      {...list}
      label={label}
      to={(page) => address({ [state]: pageParam(page) }, state)}
    />
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
const statusInWords = (status: string) => STATUSES[status] ?? isolated(status.trim() || "Unknown");

/** The known ones in the order above, then the others. */
const place = (status: string) => Object.keys({ ...STATUSES, [status]: "" }).indexOf(status);

/** The same order wherever statuses are shown; what has the same one stays as it is. */
export const inOrder = <Item extends { status: string }>(items: Item[]) =>
  [...items].sort((a, b) => place(a.status) - place(b.status));

/** "5 confirmed, 1 pending"; no line ends behind a number. */
const countInWords = (counts: Departure["counts"]) =>
  inOrder(counts)
    .map(({ status, count }) => `${count}\u00a0${statusInWords(status).toLowerCase()}`)
    .join(", ");

const When = ({ date, tour }: { date: string | null; tour: { timeZone: string } }) =>
  date ? <Time at={date} zone={tour.timeZone} form="departure" /> : <span>No date</span>;

/** The tour and the time of a departure, as the heading of what can be done with it; `id` is the departure's. */
export function DepartureHead({
  id,
  tour,
  date,
  counts,
}: Pick<Departure, "date" | "counts"> & {
  id: string;
  tour: { title: string; timeZone: string };
}) {
  return (
    <div>
      <h3 id={`${id}-tour`}>
        <bdi>{tour.title}</bdi>
      </h3>
      <p className="muted small">
        <span id={`${id}-when`}>
          <When date={date} tour={tour} />
        </span>{" "}
        · <span>{countInWords(counts)}</span>
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
  return (
    <ul className="departures">
      {departures.map((departure) => (
        <li key={departure.key}>
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

export interface NamedBooking {
  id: string;
  status: string;
  name: string;
  image: string | null;
  /** Which one this is of several with the same name, such as "2 of 3"; null for the only one. */
  number: string | null;
}

/** The bookings with the names that are shown; those with the same name are told apart by their order. */
export function numbered(bookings: DepartureBooking[]): NamedBooking[] {
  const named = bookings.map(({ id, status, explorer: { name, image } }) => ({
    id,
    status,
    name: name || "An explorer",
    image,
  }));
  const totals = new Map<string, number>();
  for (const { name } of named) totals.set(name, (totals.get(name) ?? 0) + 1);
  const seen = new Map<string, number>();
  return named.map((booking) => {
    const { name } = booking;
    const [place, total] = [(seen.get(name) ?? 0) + 1, totals.get(name)!];
    seen.set(name, place);
    return { ...booking, number: total > 1 ? `${place}\u00a0of\u00a0${total}` : null };
  });
}

export function Explorer({ name, image, number }: Pick<NamedBooking, "name" | "image" | "number">) {
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
