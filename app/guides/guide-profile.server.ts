import { Types } from "mongoose";
import type { ReviewDocument } from "#models/review";
import { NO_ID } from "#models/reading";
import { readTour, Tour, type TourDocument } from "#models/tour";
import { ServiceError } from "~/lib/errors.server";
import { toObjectId } from "~/db/ids.server";
import { findAuthors } from "~/accounts/people.server";
import { cachedFor } from "~/reviews/list/cached-by-version.server";
import { readRows } from "~/reviews/list/page.server";
import {
  authorIds,
  type ListedReview,
  toListedReviews,
  withAuthors,
} from "~/reviews/list/listed-review.server";
import { numberedPage } from "~/lib/numbered-pages";
import { withDifferentCovers } from "~/tours/cover-theme.server";
import { nextDeparture } from "~/tours/departures.server";
import { namedTour } from "~/tours/named-tour.server";
import { guideName, TOURS_PER_PAGE, toTourPage } from "~/tours/tours.server";
import { guideTexts } from "~/guides/refusal-texts";

export const GUIDE_REVIEWS = 5;
/** Newest reviews are read from those tours that have the most. */
export const REVIEWED_TOURS = 20;

/** The cache of pages adds its own time: together the half minute of docs/rules/tours.md, Guides. */
const KEPT_MS = 20_000;

export type GuideProfile = Awaited<ReturnType<typeof guideProfile>>;

type LedTour = Pick<TourDocument, "_id" | "avgRating" | "reviewCount">;

/** A page past the end is the last one. Throws `ServiceError` 404 for who leads no tour. */
export async function guideProfile(guideId: string, page: number) {
  const _id = toObjectId(guideId);
  const notFound = new ServiceError(404, guideTexts.guideNotFound);
  if (!_id || _id.equals(NO_ID)) throw notFound;
  const id = _id.toString();
  const led = await cachedFor(`guide ${id}`, KEPT_MS, () => listRatedTours(_id));
  if (led.length === 0) throw notFound;
  const { items, ...place } = numberedPage(led, page, TOURS_PER_PAGE);
  const wanted = [...items, ...led.slice(0, REVIEWED_TOURS)].map(({ _id }) => _id);
  const found = await Tour.find({ _id: { $in: wanted } }).lean<TourDocument[]>();
  const byId = new Map(found.map((tour) => [tour._id.toString(), tour]));
  // Tours that were just read replace those from the cache.
  const tours = led.map((tour) => byId.get(tour._id.toString()) ?? tour);
  const newest = await cachedNewestReviews(
    led.slice(0, REVIEWED_TOURS).flatMap(({ _id }) => byId.get(_id.toString()) ?? []),
  );
  const people = await findAuthors([id, ...authorIds(newest)]);
  const guide = people.get(id);
  return {
    dependsOn: found,
    id,
    name: guideName(guide),
    image: guide.image,
    tourCount: tours.length,
    ...combinedRatings(tours),
    tours: {
      ...place,
      items: withDifferentCovers(
        items.flatMap(({ _id }) => {
          const tour = byId.get(_id.toString());
          return tour ? [{ ...toTourPage(tour, guide), nextDate: nextDate(tour) }] : [];
        }),
      ),
    },
    reviews: newest.flatMap((review) => {
      const tour = byId.get(review.tourId);
      return tour ? [{ ...withAuthors(review, people), tour: namedTour(tour) }] : [];
    }),
  };
}

function nextDate(tour: TourDocument): string | null {
  if (tour.closedHereAt) return null;
  const next = nextDeparture(tour, Date.now());
  return Number.isFinite(next) ? new Date(next).toISOString() : null;
}

/** A platform may have stored the guide's id as text. */
async function listRatedTours(guideId: Types.ObjectId): Promise<LedTour[]> {
  const tours = await Tour.aggregate<LedTour>([
    { $match: { createdById: { $in: [guideId, guideId.toString()] } } },
    { $project: { avgRating: 1, reviewCount: 1 } },
  ]);
  // A tour whose id is no ObjectId has no page.
  const listed = tours.filter(({ _id }) => _id instanceof Types.ObjectId);
  for (const tour of listed) readTour(tour, (field) => field in { avgRating: 0, reviewCount: 0 });
  return listed.sort(
    (a, b) => b.reviewCount - a.reviewCount || (String(a._id) < String(b._id) ? 1 : -1),
  );
}

/** Read once for these versions of the tours. */
function cachedNewestReviews(tours: TourDocument[]): Promise<ListedReview[]> {
  const versions = tours.map(({ _id, ratingsVersion }) => `${_id.toString()} ${ratingsVersion}`);
  return cachedFor(`newest of ${versions.join(", ")}`, KEPT_MS, async () =>
    toListedReviews(await findNewestReviews(tours)),
  );
}

async function findNewestReviews(tours: LedTour[]): Promise<ReviewDocument[]> {
  const reviewed = tours.filter(({ reviewCount }) => reviewCount).map(({ _id }) => _id);
  const newest = { sort: "newest", stars: null, after: null, size: GUIDE_REVIEWS } as const;
  return (await readRows(reviewed, newest)).rows;
}

/** Each tour's mean counts as often as the tour has reviews. */
function combinedRatings(tours: LedTour[]) {
  let stars = 0;
  let rated = 0;
  let reviewCount = 0;
  for (const tour of tours) {
    reviewCount += tour.reviewCount;
    // A mean of 0 is that of reviews without a rating.
    if (!tour.avgRating) continue;
    stars += tour.avgRating * tour.reviewCount;
    rated += tour.reviewCount;
  }
  return { reviewCount, avgRating: rated && stars / rated };
}
