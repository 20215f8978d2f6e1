import { Link } from "@remix-run/react";
import type { PublicChange } from "~/reviews/record-changes.server";
import { CursorLinks } from "~/ui/page-links";
import { tourPath } from "~/ui/paths";
import { Section } from "~/ui/section";
import { MeanRating, shownMean } from "~/ui/stars";
import { Time } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import { Replay } from "./replay";
import type { getTourChanges, EntryRow } from "./tour-changes.server";

type Props = Awaited<ReturnType<typeof getTourChanges>>;
type Sums = NonNullable<Props["sums"]>;

export function TourChanges({ tour, last, sums, rows, next, site }: Props) {
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <p className="muted">
          <TourLink {...tour} />
        </p>
        <h1>Rating history</h1>
        {sums && last && <p className="lead">{sumsInWords(sums, last.version)}</p>}
        {sums && sums.means.length > 1 && <Means means={sums.means} />}
      </div>
      {sums && last && (
        <Section id="gone" title="Removed and deleted">
          {sums.gone.length === 0 ? (
            <p key="none">No review was removed or deleted.</p>
          ) : (
            <ul key="some" className="plain-list card">
              {sums.gone.map((change) => (
                <ChangeRow key={change.version} change={change} zone={tour.timeZone} />
              ))}
            </ul>
          )}
          {sums.allGone > sums.gone.length && (
            <p className="muted small">{`And ${sums.allGone - sums.gone.length} before.`}</p>
          )}
        </Section>
      )}
      <Section id="changes" title="All changes">
        {rows.length === 0 ? (
          <p key="none" className="empty">
            No changes have been recorded yet.
          </p>
        ) : (
          <ol key="some" className="plain-list card">
            {rows.map((row) => (
              <ChangeRow key={row.version} change={row} zone={tour.timeZone} />
            ))}
          </ol>
        )}
        <CursorLinks
          param="before"
          next={next}
          hash="changes"
          newest="Newest changes"
          older="Older changes"
        />
      </Section>
      {last && (
        <Section id="check" title="Check it yourself">
          <p>
            Each entry contains the hash of the one before, so a changed or missing entry shows.
            Replayed, the entries give the rating, so nothing else has moved it. Keep the last
            entry’s hash (or <a href="/changes/checkpoint">our signed list of all tours</a>) and you
            can detect any later change.
          </p>
          <Replay key={last.version} tourId={tour.id} last={last} />
          <p className="muted small">
            Hash of the last entry: <code>{last.hash}</code>
          </p>
          <p className="small">
            For all tours, from our source code: <code>{`npm run verify -- ${site}`}</code>. For
            programs: <a href={`/api/tours/${tour.id}/changes`}>the entries as JSON</a>.
          </p>
          <p className="muted small">
            This cannot show reviews that were never accepted, and nothing before the first entry.
          </p>
        </Section>
      )}
      <p>
        <Link to={tourPath(tour.slug)}>Back to the tour</Link>
      </p>
    </div>
  );
}

const DONE: [type: PublicChange["type"], words: string][] = [
  ["imported", "imported"],
  ["created", "posted"],
  ["edited", "edited by their authors"],
  ["deleted", "deleted by their authors"],
  ["removed", "removed by us"],
  ["redacted", "without their words, removed by us"],
  ["restored", "restored by us"],
  ["platform", "counted anew after the platform’s own changes"],
  ["rebuilt", "counted anew"],
  ["checkpoint", "counted at the start"],
];

/** "61 changes: 60 imported, 1 removed by us." */
function sumsInWords({ entryCount, byType }: Sums, all: number): string {
  const counts = DONE.flatMap(([type, words]) =>
    byType[type] ? `${byType[type].toLocaleString("en-GB")} ${words}` : [],
  );
  const changes = `${all.toLocaleString("en-GB")} ${all === 1 ? "change" : "changes"}`;
  const which =
    entryCount < all ? `The last ${entryCount.toLocaleString("en-GB")} of ${changes}` : changes;
  return `${which}: ${counts.join(", ")}.`;
}

const WIDTH = 300;
const HEIGHT = 60;

/** The mean over the entries, between one star and five. */
function Means({ means }: { means: number[] }) {
  const at = (mean: number, n: number) =>
    `${((n * WIDTH) / (means.length - 1)).toFixed(1)},${(HEIGHT - ((Math.max(mean, 1) - 1) / 4) * HEIGHT).toFixed(1)}`;
  const inStars = (mean: number | undefined) => (mean ? shownMean(mean) : "none");
  const first = inStars(means[0]);
  const end = inStars(means.at(-1));
  return (
    <figure className="means">
      <svg
        viewBox={`-2 -4 ${WIDTH + 4} ${HEIGHT + 8}`}
        role="img"
        aria-label="The average over time"
      >
        <path d={`M0 0H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} className="means-edges" />
        <polyline points={means.map(at).join(" ")} />
      </svg>
      <figcaption className="muted small">
        {`Average from ${first} to ${end}; the upper edge is 5 stars, the lower one 1.`}
      </figcaption>
    </figure>
  );
}

function ChangeRow({ change, zone }: { change: PublicChange & Partial<EntryRow>; zone: string }) {
  const { version, time, mean, count, entryCount = 1 } = change;
  return (
    <li>
      <p>
        {entryCount > 1
          ? `${entryCount.toLocaleString("en-GB")} reviews imported.`
          : entryInWords(change)}
      </p>
      <p className="row small">
        <span className="muted">
          <span>{`${version}\u00A0· `}</span>
          <Time at={time} zone={zone} form="moment" />
        </span>
        <MeanRating mean={mean} count={count} />
      </p>
    </li>
  );
}

/** 0 is a rating that does not count. */
const reviewInWords = (stars: number) =>
  stars === 0 ? "review whose rating does not count" : `${stars}-star review`;
const rated = (stars: number | null) => (stars ? String(stars) : "no");

function entryInWords({ type, before, stars }: PublicChange): string {
  const review = reviewInWords(stars ?? before ?? 0);
  const Review = review.charAt(0).toUpperCase() + review.slice(1);
  switch (type) {
    case "created":
      return `${Review} posted.`;
    case "edited":
      return before === stars
        ? `Words of a ${review} changed by its author.`
        : `Review changed from ${rated(before)} to ${rated(stars)} stars by its author.`;
    case "deleted":
      return `${Review} deleted by its author.`;
    case "removed":
      return `${Review} removed by our team.`;
    case "redacted":
      return `Words of a ${review} removed by our team.`;
    case "restored":
      return before === null
        ? `${Review} restored by our team.`
        : `Words of a ${review} restored by our team.`;
    case "imported":
      return stars === null
        ? `${Review} moved to another tour by an import.`
        : before === null
          ? `${Review} imported.`
          : `Review changed from ${rated(before)} to ${rated(stars)} stars by an import.`;
    case "checkpoint":
      return "The history begins with the reviews that were there.";
    case "platform":
    case "rebuilt":
      return "The platform changed reviews past this service; all were counted anew.";
  }
}
