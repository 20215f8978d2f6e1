import type { TourDocument } from "#models/tour";
import { zoneOf } from "~/infra/tour-zone.server";
import { pageOfReviews, type ReviewPage } from "~/reviews/list/page.server";
import { findTourBySlug, type PublicTour, toPublicTour } from "~/tours/tours.server";

// A tour's reviews as other sites show them (docs/rules/tours.md, On other pages).

const REVIEWS_IN_FRAME = 5;
const REVIEWS_IN_FEED = 20;

export interface EmbeddedTour {
  tour: PublicTour;
  timeZone: string;
  page: ReviewPage;
}

async function embedded(tour: TourDocument, size: number, after: string | null) {
  const page = await pageOfReviews(tour, {
    sort: "newest",
    stars: null,
    commented: true,
    after,
    size,
  });
  return { tour: toPublicTour(tour), timeZone: zoneOf(tour), page };
}

/** Returns a tour and five of its reviews with a comment. Throws `ServiceError` 404 "Tour not found". */
export const getEmbeddedTour = async (slug: string, after: string | null): Promise<EmbeddedTour> =>
  embedded(await findTourBySlug(slug), REVIEWS_IN_FRAME, after);

/** Returns a tour and its newest reviews for a feed; throws likewise. */
export const getFeed = async (slug: string): Promise<EmbeddedTour> =>
  embedded(await findTourBySlug(slug), REVIEWS_IN_FEED, null);
