import { renderToStaticMarkup } from "react-dom/server";
import { env } from "~/infra/env.server";
import { reviewsInWords, shownMean, Stars } from "~/ui/stars";
import type { PublicTour } from "~/tours/tours.server";

export const BADGE_WIDTH = 260;
export const BADGE_HEIGHT = 64;

const STYLES = `text{font-family:system-ui,sans-serif;fill:#1c2723}.small{font-size:12px;fill:#56635d}.box{fill:#fff;stroke:#ddd7c9}.stars-off{fill:#ddd7c9}.stars-on{fill:#c06a07}
@media(prefers-color-scheme:dark){text{fill:#e9eeeb}.small{fill:#a7b4ae}.box{fill:#1a221f;stroke:#333f3a}.stars-off{fill:#333f3a}.stars-on{fill:#f3b94d}}`;

/** Returns a picture of a tour's rating, as SVG. */
export function badgeOf({ avgRating, reviewCount }: PublicTour): string {
  const count = reviewsInWords(reviewCount);
  const mean = avgRating > 0 ? shownMean(avgRating) : null;
  const title = mean ? `Rated ${mean} out of 5 in ${count}` : count;
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
      <text x="16" y="43" fontSize="30" fontWeight="600">
        {mean ?? "–"}
      </text>
      <g transform="translate(80 12)">
        <svg width="108" height="20">
          <Stars value={avgRating} />
        </svg>
      </g>
      <text className="small" x="80" y="50">
        {`${count} · ${env().siteName}`}
      </text>
    </svg>,
  );
}
