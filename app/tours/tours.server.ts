import { FormerSlug } from "#models/former-slug";
import { formsOfSlug, type RatingCounts, Tour, type TourDocument } from "#models/tour";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { type Author, findAuthors, NOBODY } from "~/accounts/people.server";
import { texts } from "~/lib/refusal-texts";
import { tourTimeZone } from "~/lib/tour-zone.server";
import type { CurrentUser } from "~/accounts/users.server";
import { participationInWords, cachedParticipation } from "~/requests/participation.server";
import { commentCounts } from "~/reviews/list/commented.server";
import { isSearch, getReviewPage, type ReviewPage } from "~/reviews/list/page.server";
import { cachedByVersion } from "~/reviews/list/cached-by-version.server";
import { authorName } from "~/reviews/list/review";
import { reviewEligibility } from "~/reviews/may-review.server";
import { reviewWords } from "~/reviews/words/find-reviews.server";
import { storedRatings } from "~/reviews/ratings.server";
import { languageName } from "~/search/language.server";
import { countForStars } from "~/ui/stars";
import { chooseCover } from "./cover-theme.server";
import { toShownFacts, type Price, toPrice, type ShownFacts } from "./facts.server";
import {
  findBookingUrl,
  departuresToCome,
  nearestDeparture,
  NONE_TO_COME,
} from "./departures.server";
import { toShownPictures, type ShownPicture } from "./pictures.server";
import { type Selection, readSelection } from "./tour-address";
import { structuredData, tourMeta } from "./tour-meta.server";

export const TOURS_PER_PAGE = 12;

/** Maximum age of frequent words, which are counted in the background, some seconds after a change. */
const WORDS_KEPT_MS = 10_000;

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

export interface TourInShort extends Omit<PublicTour, "createdById" | "ratingCounts"> {
  location: string | null;
  durationMinutes: number | null;
  timeZone: string;
  picture: ShownPicture | null;
  price: Price | null;
  cover: string;
  guide: { name: string; image: string | null };
}

export interface TourPage extends TourInShort, PublicTour {
  description: string;
  /** The next departure to come, or else the last one, in ISO 8601, UTC. */
  departure: string | null;
  gallery: ShownPicture[];
  /** Where the platform shows its dates and takes bookings; null where nothing says. */
  bookingUrl: string | null;
  facts: ShownFacts;
  /** Whether its platform no longer offers it. */
  isClosed: boolean;
}

/** Throws `ServiceError` 404 "Tour not found". */
export const getTour = async (tourId: string): Promise<PublicTour> =>
  toPublicTour(await getTourDocument(tourId));

export async function getTourDocument(tourId: string): Promise<TourDocument> {
  const id = toObjectId(tourId);
  const tour = id && (await Tour.findById(id).lean<TourDocument>());
  if (!tour) throw new ServiceError(404, texts.tourNotFound);
  return tour;
}

export async function getTourBySlug(slug: string): Promise<PublicTour> {
  return toPublicTour(await getStoredTour(slug));
}

/** Returns the structured data of a tour for a page of its platform. Throws `ServiceError` 404 "Tour not found". */
export async function getStructuredData(tourId: string) {
  const found = await getTourDocument(tourId);
  const guideId = found.createdById.toString();
  const newest = { sort: "newest", stars: null, after: null } as const;
  const [guides, page] = await Promise.all([findAuthors([guideId]), getReviewPage(found, newest)]);
  const tour = toTourPage(found, guides.get(guideId));
  return tour.avgRating > 0 || tour.price ? structuredData(tour, page.reviews) : null;
}

/**
 * Returns the tour of that slug as its page shows it, with the reviews that the address asks for, and whether the user
 * can review it. Throws `ServiceError` 404 "Tour not found".
 */
export async function getTourPage(
  slug: string,
  search = new URLSearchParams(),
  user: CurrentUser | null = null,
) {
  const found = await getStoredTour(slug);
  const selection = readSelection(search);
  const guideId = found.createdById.toString();
  const tour = toTourPage(found, (await findAuthors([guideId])).get(guideId));
  const after = search.get("after");
  const [page, eligibility, counts, words, participation] = await Promise.all([
    getReviewPage(found, { ...selection, after }),
    reviewEligibility(user, { id: tour.id, date: found.date?.toISOString() ?? null }),
    selection.commented ? commentCounts(found) : tour,
    cachedByVersion(found, "words", WORDS_KEPT_MS, () => reviewWords(found)),
    env().showParticipation ? cachedParticipation(found) : null,
  ]);
  const listed = selection.stars
    ? countForStars(counts.ratingCounts, selection.stars)
    : counts.reviewCount;
  const shown = {
    tour,
    selection,
    page,
    isFirstPage: after === null,
    departed: tour.departure !== null && new Date(tour.departure) < new Date(),
    toCome: found.closedHereAt ? NONE_TO_COME : departuresToCome(found),
  };
  const inLanguage = selection.language && (languageName(selection.language) ?? selection.language);
  return {
    ...shown,
    // A platform that knows no versions writes reviews past them, and so does the index of words.
    dependsOn: found.ratingsVersion > 0 && !isSearch(selection) ? [found] : null,
    meta: tourMeta(shown),
    none: noReviewsText({ ...shown, inLanguage }),
    total: page.total ?? listed,
    languages: words.languages.map((one) => ({ ...one, name: languageName(one.tag) ?? one.tag })),
    inLanguage,
    mentioned: words.mentioned,
    participation: participation && participationInWords(participation),
    eligibility,
    author: authorName({ user: { name: user?.name ?? "" } }),
    completedHere: env().bookingCompletion === "automatic",
  };
}

interface Listed {
  selection: Selection;
  page: ReviewPage;
  isFirstPage: boolean;
  inLanguage: string | null;
}

function noReviewsText({ selection, page, isFirstPage, inLanguage }: Listed): string {
  if (page.preparing)
    return "The search is being prepared. Please load this page again in a moment.";
  if (!isFirstPage) return "No more reviews.";
  const { stars, commented, words } = selection;
  const reviews = `No ${stars ? `${stars}-star ` : ""}reviews`;
  const language = inLanguage ? ` in ${inLanguage}` : "";
  if (words) return `${reviews}${language} mention “${words}”.`;
  return `${reviews}${commented ? " with a comment" : ""}${language} yet.`;
}

/** The part of its reviews that the address asks for. Throws `ServiceError` 404 "Tour not found". */
export async function getTourReviews(slug: string, search: URLSearchParams): Promise<ReviewPage> {
  const selection = { ...readSelection(search), after: search.get("after") };
  return getReviewPage(await getStoredTour(slug), selection);
}

/** A slug that the tour had and nobody has now; the API knows no such tour. */
export class TourMoved extends ServiceError {
  constructor(readonly slug: string) {
    super(404, texts.tourNotFound);
  }
}

/** Throws `ServiceError` 404 "Tour not found", which is `TourMoved` for a former slug. */
export async function getStoredTour(slug: string): Promise<TourDocument> {
  // One form after the other, so that of a platform's twins each has its own page.
  for (const form of formsOfSlug(slug)) {
    const tour = await Tour.findOne({ slug: form }).lean<TourDocument>();
    if (tour) return tour;
  }
  const tour = await withoutSlug(slug);
  if (tour) return tour;
  const former = await FormerSlug.findById(slug.normalize()).lean();
  const moved = former && (await Tour.findById(former.tourId).lean<TourDocument>());
  if (moved) throw new TourMoved(moved.slug);
  throw new ServiceError(404, texts.tourNotFound);
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

/** Returns a tour as lists of tours show it. */
export function toTourInShort(tour: TourDocument, guide: Author): TourInShort {
  const { createdById, ratingCounts, ...shown } = toPublicTour(tour);
  const { location, durationMinutes } = tour;
  return {
    ...shown,
    location,
    durationMinutes,
    timeZone: tourTimeZone(tour),
    picture: toShownPictures(tour)[0] ?? null,
    price: toPrice(tour),
    cover: chooseCover({ ...shown, location }),
    guide: { name: guideName(guide), image: guide.image },
  };
}

export const toTourPage = (tour: TourDocument, guide: Author): TourPage => ({
  ...toTourInShort(tour, guide),
  createdById: tour.createdById.toString(),
  ratingCounts: tour.ratingCounts,
  description: tour.description,
  departure: nearestDeparture(tour)?.toISOString() ?? null,
  gallery: toShownPictures(tour).slice(1),
  bookingUrl: findBookingUrl(tour),
  facts: toShownFacts(tour),
  isClosed: tour.closedHereAt !== null,
  ...(tour.closedHereAt && { bookingUrl: null, price: null }),
});

export function toPublicTour(tour: TourDocument): PublicTour {
  return {
    id: tour._id.toString(),
    title: tour.title,
    slug: tour.slug,
    createdById: tour.createdById.toString(),
    ...storedRatings(tour),
  };
}
