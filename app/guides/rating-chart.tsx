import { isolated } from "~/infra/text";
import { shortMonth } from "~/infra/zones";
import { CLOSED } from "~/tours/closed";
import { Rating, reviewsInWords, shownMean } from "~/ui/stars";
import { TourLink } from "~/ui/tour-link";
import { ListPages } from "./guide-address";
import type { GuideOverview } from "./guide-overview.server";
import type { PeriodRating, RatingTrend } from "./rating-trend.server";

const WIDTH = 320;
const HEIGHT = 128;
const LEFT = 18;
const TOP = 10;
const RIGHT = 8;
const BOTTOM = 36;

/** Reviews from which on a mean is compared with others: that of fewer changes with each one. */
const ENOUGH = 5;

const isEnough = ({ count }: PeriodRating) => count >= ENOUGH;

/** "2026-05" as "May 2026". */
function monthInWords(month: string): string {
  const [year, number] = month.split("-");
  return `${shortMonth(Number(number))} ${year}`;
}

interface Point {
  index: number;
  x: number;
  y: number;
}

/** Lines through points whose months follow one another. */
function polylines(points: Point[], className: string) {
  const lines: Point[][] = [];
  for (const point of points)
    if (lines.at(-1)?.at(-1)?.index === point.index - 1) lines.at(-1)!.push(point);
    else lines.push([point]);
  return lines
    .filter(({ length }) => length > 1)
    .map((line) => (
      <polyline
        key={line[0]!.index}
        className={className}
        points={line.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")}
      />
    ));
}

const y = (stars: number) => TOP + ((5 - stars) / 4) * (HEIGHT - TOP - BOTTOM);

/** A tour's mean rating month by month: a line chart, and the same as a table for screen readers. */
export function RatingChart({ tour }: { tour: RatingTrend & { id: string; title: string } }) {
  const { title, months } = tour;
  const id = `chart-${tour.id}`;
  const x = (index: number) => LEFT + (index / (months.length - 1)) * (WIDTH - LEFT - RIGHT);
  const points = months.flatMap(({ mean, ...month }, index) =>
    mean === null ? [] : [{ ...month, mean, index, x: x(index), y: y(mean) }],
  );
  if (points.length === 0)
    return <p className="muted small">{`No reviews in the last ${months.length} months.`}</p>;
  const sure = points.filter(isEnough);
  const shown = months.flatMap(({ atEnd }, index) =>
    atEnd === null ? [] : [{ index, x: x(index), y: y(atEnd) }],
  );
  const comparison = comparisonOf(tour.recent);
  return (
    <div className="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
        <title id={`${id}-title`}>{`Rating of ${isolated(title)} over the last 12 months`}</title>
        <desc id={`${id}-desc`}>{descriptionOf(sure)}</desc>
        {[5, 3, 1].map((stars) => (
          <g key={stars} className="chart-grid">
            <path d={`M${LEFT} ${y(stars)}H${WIDTH - RIGHT}`} />
            <text x={0} y={y(stars) + 4}>
              {stars}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 3}>
          {monthInWords(months[0]!.month)}
        </text>
        <text x={WIDTH - RIGHT} y={HEIGHT - 3} textAnchor="end">
          {monthInWords(months.at(-1)!.month)}
        </text>
        {polylines(shown, "chart-shown")}
        {polylines(sure, "chart-line")}
        {points.map(({ month, count, x, y }) => (
          <g key={month}>
            <text className="chart-count" x={x.toFixed(1)} y={HEIGHT - 18}>
              {count}
            </text>
            <circle className="chart-dot" cx={x.toFixed(1)} cy={y.toFixed(1)} r={3.5} />
          </g>
        ))}
      </svg>
      {comparison && <p className="small">{comparison}</p>}
      <div className="visually-hidden">
        <table>
          <caption>
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
      </div>
    </div>
  );
}

const outOfFive = (mean: number | null) => (mean === null ? "none" : `${shownMean(mean)} out of 5`);

/** The first and the last of the months with enough reviews. */
function descriptionOf(months: { month: string; mean: number }[]): string {
  const [first, last] = [months[0], months.at(-1)];
  if (!first || !last) return "Fewer than five reviews a month";
  const begin = `${shownMean(first.mean)} out of 5 in ${monthInWords(first.month)}`;
  return first === last
    ? begin
    : `${begin}, ${shownMean(last.mean)} in ${monthInWords(last.month)}`;
}

/** The last 90 days beside those before; null where either has too few reviews. */
function comparisonOf({ last, before }: RatingTrend["recent"]): string | null {
  if (![last, before].every(isEnough) || last.mean === null || before.mean === null) return null;
  const shown = shownMean(last.mean);
  // Of the numbers as they are shown, so that they add up.
  const change = Number(shown) - Number(shownMean(before.mean));
  const by = Math.abs(change).toFixed(1);
  const direction = by === "0.0" ? "as in" : `${change > 0 ? "up" : "down"} ${by} from`;
  return `Last 90 days: ${shown} out of 5, ${direction} the 90 days before.`;
}

export function RatedTours({ tours }: Pick<GuideOverview, "tours">) {
  return (
    <section aria-labelledby="tours" className="stack">
      <div>
        <h2 id="tours">Tours</h2>
        <p className="muted">
          How they were rated month by month. The numbers below a chart say how many reviews each
          point stands on. A line joins months with five reviews or more. The dashed line is the
          rating that the tour’s page showed at the end of each month; later changes leave it as it
          was.
        </p>
      </div>
      <ul className="tours">
        {tours.items.map((tour) => (
          <li key={tour.id} className="card stack">
            <h3>
              <TourLink {...tour} />
            </h3>
            {tour.isClosed && <p className="muted small">{CLOSED}</p>}
            <p>
              <Rating mean={tour.avgRating} count={tour.reviewCount} />
            </p>
            <RatingChart tour={tour} />
          </li>
        ))}
      </ul>
      <ListPages name="tours" label="Pages of tours" list={tours} />
    </section>
  );
}
