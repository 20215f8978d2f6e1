import { z } from "zod";
import { formsOfSlug, type RatingCounts, Tour, type TourDocument } from "#models/tour";
import { env } from "~/infra/env.server";
import { ServiceError } from "~/infra/errors.server";
import { toObjectId } from "~/db/ids.server";
import { type Author, findAuthors, NOBODY } from "~/db/people.server";
import { type CommentCounts, commentCounts } from "~/reviews/list/commented.server";
import { type PageSelection, pageOfReviews, type ReviewPage } from "~/reviews/list/page.server";
import { storedRatings } from "~/reviews/ratings.server";
import { texts } from "~/infra/refusal-texts";
import { zoneOf } from "~/infra/tour-zone.server";
import { coverOf } from "./cover-theme.server";

export const TOURS_PER_PAGE = 12;

/** Query of GET /api/tours (docs/rules/tours.md, Tours). */
export const FindTourQuery = z.object({
  slug: z
    .string({ error: texts.slugRequired })
    .min(1, { error: texts.slugRequired })
    .meta({
      description: "The part of its page's address that names the tour.",
      examples: ["old-town-walk"],
    }),
});

/** (docs/rules/tours.md, Tours) */
export interface PublicTour {
  id: string;
  title: string;
  slug: string;
  createdById: string;
  avgRating: number;
  reviewCount: number;
  ratingCounts: RatingCounts;
}

export interface TourPage extends PublicTour {
  description: string;
  location: string | null;
  durationMinutes: number | null;
  /** ISO 8601, UTC. */
  date: string | null;
  timeZone: string;
  image: string | null;
  /** Where the platform shows its dates and takes bookings; null where nothing says. */
  bookingUrl: string | null;
  cover: string;
  guide: { name: string; image: string | null };
}

/** Throws `ServiceError` 404 "Tour not found". */
export async function getTour(tourId: string): Promise<PublicTour> {
  const id = toObjectId(tourId);
  const tour = id && (await Tour.findById(id).lean<TourDocument>());
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  return toPublicTour(tour);
}

export async function getTourBySlug(slug: string): Promise<PublicTour> {
  return toPublicTour(await findBySlug(slug));
}

interface TourAndReviews {
  tour: TourPage;
  readReviews: (selection: PageSelection) => Promise<ReviewPage>;
  countComments: () => Promise<CommentCounts>;
}

/** The tour of that slug, for its page; throws `ServiceError` 404 "Tour not found". */
export async function getTourPage(slug: string): Promise<TourAndReviews> {
  const tour = await findBySlug(slug);
  const guideId = tour.createdById.toString();
  const guide = (await findAuthors([guideId])).get(guideId)!;
  return {
    tour: toTourPage(tour, guide),
    readReviews: (selection) => pageOfReviews(tour, selection),
    countComments: () => commentCounts(tour),
  };
}

/** Throws `ServiceError` 404 "Tour not found". */
export async function getReviewPage(slug: string, selection: PageSelection): Promise<ReviewPage> {
  return pageOfReviews(await findBySlug(slug), selection);
}

async function findBySlug(slug: string): Promise<TourDocument> {
  // One form after the other, so that of a platform's twins each has its own page.
  for (const form of formsOfSlug(slug)) {
    const tour = await Tour.findOne({ slug: form }).lean<TourDocument>();
    if (tour) return tour;
  }
  const tour = await withoutSlug(slug);
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  return tour;
}

/** A tour without a slug of its own is called by its id. */
async function withoutSlug(slug: string): Promise<TourDocument | null> {
  const id = toObjectId(slug);
  const tour = id && (await Tour.findById(id).lean<TourDocument>());
  return tour?.slug === slug ? tour : null;
}

export const leadsTours = async (userId: string): Promise<boolean> =>
  (await Tour.exists({ createdById: toObjectId(userId) })) !== null;

export const guideName = (guide: Author) =>
  guide === NOBODY ? "A former guide" : guide.name || "Guide";

export function toTourPage(tour: TourDocument, guide: Author): TourPage {
  const shown = toPublicTour(tour);
  const { description, location, durationMinutes, image } = tour;
  return {
    ...shown,
    description,
    location,
    durationMinutes,
    date: tour.date?.toISOString() ?? null,
    timeZone: zoneOf(tour),
    image,
    bookingUrl: tour.bookingUrl ?? bookingUrlOf(shown.slug),
    cover: coverOf({ id: shown.id, title: shown.title, location, description }),
    guide: {
      name: guideName(guide),
      image: guide.image,
    },
  };
}

const bookingUrlOf = (slug: string) =>
  env().bookingUrl?.replaceAll("{slug}", () => encodeURIComponent(slug)) ?? null;

function toPublicTour(tour: TourDocument): PublicTour {
  return {
    id: tour._id.toString(),
    title: tour.title,
    slug: tour.slug,
    createdById: tour.createdById.toString(),
    ...storedRatings(tour),
  };
}
