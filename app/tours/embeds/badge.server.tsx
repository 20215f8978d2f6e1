import { renderToStaticMarkup } from "react-dom/server";
import { env } from "~/config/env.server";
import { reviewsInWords, shownMean, Stars } from "~/ui/stars";
import { CLOSED } from "~/tours/closed";
import type { PublicTour } from "~/tours/tours.server";

export const BADGE_WIDTH = 260;
export const BADGE_HEIGHT = 64;

const STYLES = `text{font-family:system-ui,sans-serif;fill:#1c2723}.small{font-size:12px;fill:#56635d}.box{fill:#fff;stroke:#ddd7c9}.stars-off{fill:#ddd7c9}.stars-on{fill:#c06a07}
@media(prefers-color-scheme:dark){text{fill:#e9eeeb}.small{fill:#a7b4ae}.box{fill:#1a221f;stroke:#333f3a}.stars-off{fill:#333f3a}.stars-on{fill:#f3b94d}}`;

const MARGIN = 16;
const NAME_WIDTH = BADGE_WIDTH - 2 * MARGIN;

/** Largest width of a letter in the fonts of systems, in pixels. */
const letterWidth = (letter: string) => (/[a-z\d .'-]/.test(letter) ? 7.5 : 12);

/** Squeezes a name that is perhaps too long. Visitors' fonts are not known here. */
const fitted = (name: string) =>
  [...name].reduce((width, letter) => width + letterWidth(letter), 0) > NAME_WIDTH
    ? { textLength: NAME_WIDTH, lengthAdjust: "spacingAndGlyphs" }
    : {};

/** "Rated 4.6 out of 5 in 88 reviews", or only their number. */
export function ratingInWords({ avgRating, reviewCount }: PublicTour): string {
  const count = reviewsInWords(reviewCount);
  return avgRating > 0 ? `Rated ${shownMean(avgRating)} out of 5 in ${count}` : count;
}

/** Returns a picture of a tour's rating, as SVG. Its title says where the tour is closed. */
export function renderBadge(tour: PublicTour, { isClosed }: { isClosed: boolean }): string {
  const { avgRating, reviewCount } = tour;
  const { siteName } = env();
  const title = isClosed ? `${ratingInWords(tour)}. ${CLOSED}` : ratingInWords(tour);
  return renderToStaticMarkup(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={BADGE_WIDTH}
      height={BADGE_HEIGHT}
      viewBox={`0 0 ${BADGE_WIDTH} ${BADGE_HEIGHT}`}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLES }} />
      <rect className="box" x="0.5" y="0.5" width="259" height="63" rx="10" />
      <text x={MARGIN} y="34" fontSize="28" fontWeight="600">
        {avgRating > 0 ? shownMean(avgRating) : "–"}
      </text>
      <g transform="translate(80 6)">
        <svg width="108" height="20">
          <Stars value={avgRating} />
        </svg>
      </g>
      <text className="small" x="80" y="39">
        {reviewsInWords(reviewCount)}
      </text>
      <text className="small" x={MARGIN} y="56" {...fitted(siteName)}>
        {siteName}
      </text>
    </svg>,
  );
}
