import { Time } from "~/ui/time";
import type { DeparturesToCome } from "./departures.server";

/** The next departures of a tour, and more behind a fold. */
export function Departures({ zone, next, folded, later }: DeparturesToCome & { zone: string }) {
  return (
    <>
      <List zone={zone} departures={next} />
      {folded.length > 0 && (
        <details className="hint no-print">
          <summary>{`${folded.length} more`}</summary>
          <List zone={zone} departures={folded} />
          {later > 0 && <p className="muted small">{`And ${later} later`}</p>}
        </details>
      )}
    </>
  );
}

function List({ zone, departures }: { zone: string; departures: DeparturesToCome["next"] }) {
  return (
    <ul className="dates">
      {departures.map(({ at, bookingUrl }) => (
        <li key={at}>
          <Time at={at} zone={zone} form="departure" />
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
