import { env } from "~/config/env.server";
import { authorName } from "~/reviews/list/review";
import { reviewPath, tourPath } from "~/ui/paths";
import { starsInWords } from "~/ui/stars";
import { isolated } from "~/lib/text";
import { tourTimeZone } from "~/lib/tour-zone.server";
import { getReviewPage, type ReviewPage } from "~/reviews/list/page.server";
import { getStoredTour, type PublicTour, toPublicTour } from "~/tours/tours.server";

// A tour's reviews as other sites show them (docs/rules/tours.md, On other pages).

const REVIEWS_IN_FRAME = 5;
const REVIEWS_IN_FEED = 20;

export interface EmbeddedTour {
  tour: PublicTour;
  timeZone: string;
  isClosed: boolean;
  page: ReviewPage;
}

async function getTourWithReviews(
  slug: string,
  size: number,
  after: string | null,
): Promise<EmbeddedTour> {
  const tour = await getStoredTour(slug);
  const page = await getReviewPage(tour, {
    sort: "newest",
    stars: null,
    commented: true,
    after,
    size,
  });
  const isClosed = tour.closedHereAt !== null;
  return { tour: toPublicTour(tour), timeZone: tourTimeZone(tour), isClosed, page };
}

/** Returns a tour and five of its reviews with a comment. Throws `ServiceError` 404 "Tour not found". */
export const getEmbeddedTour = (slug: string, after: string | null) =>
  getTourWithReviews(slug, REVIEWS_IN_FRAME, after);

/** Returns a tour and its newest reviews for a feed; throws likewise. */
export const getFeed = (slug: string) => getTourWithReviews(slug, REVIEWS_IN_FEED, null);

/** No control character, and no other that XML 1.0 forbids, whoever wrote it. */
const FORBIDDEN = /[^\t\n\r\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) =>
  text.replace(FORBIDDEN, "").replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** Returns the newest reviews of a tour as an Atom feed (RFC 4287). */
export function renderFeed({ tour, page: { reviews } }: EmbeddedTour): string {
  const address = env().appUrl + tourPath(tour.slug);
  const changedAt = reviews.map(({ createdAt, editedAt }) => editedAt ?? createdAt);
  const entries = reviews.map((review, n) => {
    const { id, rating, comment, createdAt, language } = review;
    const link = env().appUrl + reviewPath(id);
    const title = `${rating === null ? "A review" : starsInWords(rating)} by ${isolated(authorName(review))}`;
    return `<entry><id>${link}</id><title>${escaped(title)}</title><link href="${link}"/><author><name>${escaped(authorName(review))}</name></author><published>${createdAt}</published><updated>${changedAt[n]}</updated><content type="text"${language ? ` xml:lang="${language}"` : ""}>${escaped(comment ?? "")}</content></entry>\n`;
  });
  const updated = [...changedAt].sort().at(-1) ?? new Date(0).toISOString();
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${address}</id><title>${escaped(`Reviews of ${isolated(tour.title)}`)}</title><link href="${address}"/><link rel="self" href="${address}/reviews.atom"/><updated>${updated}</updated>
${entries.join("")}</feed>
`;
}
