import { isolated } from "~/lib/text";
import { shortMonth } from "~/config/zones";
import { reviewsInWords, shownMean } from "~/ui/stars";
import type { PeriodRating, RatingTrend } from "./rating-trend.server";

const WIDTH = 320;
const HEIGHT = 128;
const SIDE = 4;
const TOP = 18;
const BOTTOM = 36;
const BASE = HEIGHT - BOTTOM;

/** Fewest reviews for a chart of a tour or a comparison of means: a mean of fewer changes with each one. */
const ENOUGH = 5;

const isEnough = ({ count }: PeriodRating) => count >= ENOUGH;

type ChartedTour = RatingTrend & { id: string; title: string; reviewCount: number };

/** "2026-05" as "May 2026". */
function monthInWords(month: string): string {
  const [year, number] = month.split("-");
  return `${shortMonth(Number(number))} ${year}`;
}

/** A tour's reviews month by month, with their mean: bars, and the same as a table. None of a tour with few reviews. */
export function RatingChart({ tour }: { tour: ChartedTour }) {
  const { title, months } = tour;
  if (tour.reviewCount < ENOUGH) return null;
  const id = `chart-${tour.id}`;
  const total = months.reduce((sum, { count }) => sum + count, 0);
  if (total === 0)
    return <p className="muted small">{`No reviews in the last ${months.length} months.`}</p>;
  const [first] = months;
  const last = months.at(-1);
  const step = (WIDTH - 2 * SIDE) / months.length;
  const most = Math.max(...months.map(({ count }) => count));
  const bars = months.map(({ month, count, mean }, index) => ({
    month,
    count,
    mean,
    x: SIDE + index * step,
    height: (count / most) * (HEIGHT - TOP - BOTTOM),
  }));
  const comparison = comparisonInWords(tour.recent);
  return (
    <div className="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
        <title id={`${id}-title`}>{`Reviews of ${isolated(title)} over the last 12 months`}</title>
        <desc id={`${id}-desc`}>{chartDescription(months)}</desc>
        <path className="chart-base" d={`M${SIDE} ${BASE}H${WIDTH - SIDE}`} />
        {bars
          .filter(({ count }) => count > 0)
          .map(({ month, count, mean, x, height }) => (
            <g key={month}>
              <rect
                className="chart-bar"
                x={(x + 3).toFixed(1)}
                y={(BASE - height).toFixed(1)}
                width={(step - 6).toFixed(1)}
                height={height.toFixed(1)}
                rx={2}
              />
              <text
                className="chart-mean"
                x={(x + step / 2).toFixed(1)}
                y={(BASE - height - 5).toFixed(1)}
              >
                {mean === null ? "" : shownMean(mean)}
              </text>
              <text className="chart-count" x={(x + step / 2).toFixed(1)} y={BASE + 13}>
                {count}
              </text>
            </g>
          ))}
        <text x={SIDE} y={HEIGHT - 3}>
          {first && monthInWords(first.month)}
        </text>
        <text x={WIDTH - SIDE} y={HEIGHT - 3} textAnchor="end">
          {last && monthInWords(last.month)}
        </text>
      </svg>
      {comparison && <p className="small">{comparison}</p>}
      <details className="fold">
        <summary>As a table</summary>
        <table className="small">
          <caption className="visually-hidden">
            Rating of <bdi>{title}</bdi> by month
          </caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Average</th>
              <th scope="col">Reviews</th>
              <th scope="col">Rating at the end</th>
            </tr>
          </thead>
          <tbody>
            {/* Without the months that have nothing to tell, which would be most of a new tour's. */}
            {months
              .filter(({ count, atEnd }) => count > 0 || atEnd !== null)
              .map(({ month, mean, count, atEnd }) => (
                <tr key={month}>
                  <th scope="row">{monthInWords(month)}</th>
                  <td>{outOfFive(mean)}</td>
                  <td>{reviewsInWords(count)}</td>
                  <td>{outOfFive(atEnd)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

const outOfFive = (mean: number | null) => (mean === null ? "none" : `${shownMean(mean)} out of 5`);

/** How many reviews, and the first and the last of the months with any. */
function chartDescription(months: RatingTrend["months"]): string {
  const rated = months.flatMap(({ month, mean }) => (mean === null ? [] : [{ month, mean }]));
  const total = reviewsInWords(months.reduce((sum, { count }) => sum + count, 0));
  const first = rated[0];
  const last = rated.at(-1);
  if (!first || !last) return total;
  const begin = `${total}: ${shownMean(first.mean)} out of 5 in ${monthInWords(first.month)}`;
  return first === last
    ? begin
    : `${begin}, ${shownMean(last.mean)} in ${monthInWords(last.month)}`;
}

/** The last 90 days beside those before; null where either has too few reviews. */
function comparisonInWords(recent: RatingTrend["recent"]): string | null {
  const change = meanChangeInWords(recent);
  const { mean } = recent.last;
  if (change === null || mean === null) return null;
  return `Last 90 days: ${shownMean(mean)} out of 5, ${change || "as in"} ${change && "from "}the 90 days before.`;
}

/** "up 0.2", or empty without a change, of the numbers as they are shown, so that they add up; null for too few. */
export function meanChangeInWords({ last, before }: RatingTrend["recent"]): string | null {
  if (![last, before].every(isEnough) || last.mean === null || before.mean === null) return null;
  const change = Number(shownMean(last.mean)) - Number(shownMean(before.mean));
  const by = Math.abs(change).toFixed(1);
  return by === "0.0" ? "" : `${change > 0 ? "up" : "down"} ${by}`;
}

export const HowCharted = () => (
  <>
    <p className="muted">
      Each bar is a month: above it the average of its reviews, below it how many they were.
    </p>
    <details className="fold">
      <summary>How this is counted</summary>
      <div className="stack">
        <p>
          A tour has bars from five reviews on, and a comparison where both the last 90 days and the
          90 days before have five. Months are those of the tour’s own clocks.
        </p>
        <p>
          The table also has the rating that the tour’s page showed at the end of each month. Later
          changes leave it as it was.
        </p>
      </div>
    </details>
  </>
);
