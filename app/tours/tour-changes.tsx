import { Link } from "@remix-run/react";
import type { PublicChange } from "~/reviews/record-changes.server";
import { CursorLinks } from "~/ui/page-links";
import { tourPath } from "~/ui/paths";
import { Rating, starsInWords } from "~/ui/stars";
import { Time } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import type { getTourChanges } from "./tour-changes.server";

type Props = Awaited<ReturnType<typeof getTourChanges>>;

export function TourChanges({ tour, changes, next, hash }: Props) {
  return (
    <div className="narrow stack">
      <p className="muted">
        <TourLink {...tour} />
      </p>
      <h1>Every change of this rating</h1>
      <p className="lead">
        Each review that was posted, changed or removed is one line here, without words and names.
        Each line has the hash of the line before, so that nobody can change or leave out one
        without being seen.
      </p>
      <p className="muted small">
        This cannot show reviews that were never accepted, and nothing before the first line. Keep
        the hash of the last line, or <a href="/changes/checkpoint">the signed one of all tours</a>:
        with it you see any later change of the lines before. Programs read{" "}
        <a href={`/api/tours/${tour.id}/changes`}>the lines themselves</a>.
      </p>
      {changes.length === 0 ? (
        <p className="empty">No changes have been recorded yet.</p>
      ) : (
        <ol id="changes" className="plain-list card">
          {changes.map((change) => (
            <Line key={change.version} change={change} zone={tour.timeZone} />
          ))}
        </ol>
      )}
      {hash && (
        <p className="muted small">
          Hash of the last line: <code>{hash}</code>
        </p>
      )}
      <CursorLinks
        param="before"
        next={next}
        hash="changes"
        newest="Newest changes"
        older="Older changes"
      />
      <p>
        <Link to={tourPath(tour.slug)}>Back to the tour</Link>
      </p>
    </div>
  );
}

function Line({ change, zone }: { change: PublicChange; zone: string }) {
  const { version, time, mean, count } = change;
  return (
    <li>
      <p>{inWords(change)}</p>
      <p className="row small">
        <span className="muted">
          <span>{`${version} · `}</span>
          <Time at={time} zone={zone} form="moment" />
        </span>
        <Rating mean={mean} count={count} />
      </p>
    </li>
  );
}

/** 0 is a rating that does not count. */
const rated = (stars: number) =>
  stars === 0 ? "a rating that does not count" : starsInWords(stars);

function inWords({ type, before, stars }: PublicChange): string {
  const review = `a review with ${rated(stars ?? before ?? 0)}`;
  switch (type) {
    case "created":
      return `Somebody posted ${review}.`;
    case "edited":
      return before === stars
        ? `The author changed the words of ${review}.`
        : `The author changed a review from ${rated(before ?? 0)} to ${rated(stars ?? 0)}.`;
    case "deleted":
      return `The author deleted ${review}.`;
    case "removed":
      return `An operator removed ${review}.`;
    case "redacted":
      return `An operator removed the words of ${review}.`;
    case "restored":
      return `An operator restored ${before === null ? review : `the words of ${review}`}.`;
    case "imported":
      return stars === null
        ? `An import moved ${review} to another tour.`
        : before === null
          ? `An import brought ${review}.`
          : `An import changed a review from ${rated(before)} to ${rated(stars)}.`;
    case "checkpoint":
      return "The record begins with the reviews that were there.";
    case "platform":
    case "rebuilt":
      return "The platform changed reviews past this service; all were counted anew.";
  }
}
