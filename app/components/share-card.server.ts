import { createRequire } from "node:module";
import pLimit from "p-limit";
import { cached } from "~/infra/cache.server";
import { entityTag } from "~/infra/digest.server";
import { RateLimitError } from "~/infra/errors.server";
import type { TourPage } from "~/services/tours/tours.server";
import { drawCover } from "./covers/cover-drawing.server";
import { PREVIEW_SIZE } from "./meta.server";
import { tourPath } from "./paths";
import { FIVE_STARS, filledStars, reviewsInWords, shownMean, STARS_WIDTH } from "./stars";

// The picture beside a link to a tour (docs/decisions/027-share-cards.md).

/** The height of the cover; the rest are words. */
const COVER_HEIGHT = 480;

const [PAPER, INK, MUTED, STAR, STAR_OFF] = ["#faf8f3", "#1c2723", "#56635d", "#c06a07", "#d9d3c4"];

/** As in `public/favicon.svg`. */
const LOGO =
  '<rect width="32" height="32" rx="8" fill="#0f5c4a"/><path d="m16 6 3 6.6 7.2.8-5.4 4.9 1.5 7.1L16 21.8l-6.3 3.6 1.5-7.1L5.8 13.4l7.2-.8z" fill="#f6c453"/>';

/** Its words are ours; it has no letters for all titles. */
const FONT = createRequire(import.meta.url).resolve(
  "@expo-google-fonts/fraunces/600SemiBold/Fraunces_600SemiBold.ttf",
);

/** What a card tells of its tour. */
type Told = Pick<TourPage, "cover" | "avgRating" | "reviewCount">;

/** The card of a tour as an SVG document: its cover, mean and number of reviews. */
export function drawCard({ cover, avgRating, reviewCount }: Told): string {
  const text = (x: number, y: number, size: number, fill: string, words: string) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${words}</text>`;
  const stars = (fill: string, width: number) =>
    `<svg width="${width}" height="20"><path fill="${fill}" d="${FIVE_STARS}"/></svg>`;
  const rated = avgRating > 0;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}" font-family="Fraunces" font-weight="600">`,
    drawCover(cover)!.replace(
      "<svg",
      `<svg width="${PREVIEW_SIZE.width}" height="${COVER_HEIGHT}" preserveAspectRatio="xMidYMid slice"`,
    ),
    `<path fill="${PAPER}" d="M0 ${COVER_HEIGHT}h${PREVIEW_SIZE.width}v${PREVIEW_SIZE.height}H0z"/>`,
    rated ? text(60, 598, 116, INK, shownMean(avgRating)) : "",
    rated
      ? `<g transform="translate(272 506) scale(2.4)">${stars(STAR_OFF, STARS_WIDTH)}${stars(STAR, filledStars(avgRating))}</g>`
      : "",
    reviewCount > 0 ? text(rated ? 274 : 60, 598, 36, MUTED, reviewsInWords(reviewCount)) : "",
    `<g transform="translate(776 523) scale(2)">${LOGO}</g>`,
    text(856, 570, 44, INK, "Tour Reviews"),
    "</svg>",
  ].join("");
}

/** Names a card by all that it shows. */
export const cardVersion = (tour: Told) => entityTag(drawCard(tour));

/** The path of a tour's card as it is now. A browser may keep it for ever: another card has another address. */
export const cardPath = (tour: Told & Pick<TourPage, "slug">) =>
  `${tourPath(tour.slug)}/card.png?v=${cardVersion(tour)}`;

/** What the kept cards of this process may take together, in bytes; one takes about 30,000. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** How many cards may wait for their turn. */
const MOST_WAITING = 40;

// One at a time, so that somebody who asks for all of them slows down only the cards.
const turn = pLimit(1);

const cards = cached<Buffer<ArrayBuffer>, Told>({
  name: "share cards",
  maxBytes: KEPT_BYTES,
  bytesOf: (png) => png.length,
  load: async (_version, tour) => {
    if (turn.pendingCount >= MOST_WAITING)
      throw new RateLimitError(503, "Too many pictures are being drawn. Please try again.", 5);
    const font = { fontFiles: [FONT], loadSystemFonts: false };
    return turn(async () => {
      // Only here: on a system for which it is not built, all else works.
      const { renderAsync } = await import("@resvg/resvg-js");
      return Buffer.from((await renderAsync(drawCard(tour), { font })).asPng());
    });
  },
});

/** The card as a PNG; throws `ServiceError` 503 where too many wait to be drawn. */
export const cardPicture = (tour: Told): Promise<Buffer<ArrayBuffer>> =>
  cards.forceFetch(cardVersion(tour), { context: tour });
