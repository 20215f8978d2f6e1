import type { Types } from "mongoose";
import { type RatingCounts, STARS, Tour, type TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import type { Caller } from "~/accounts/caller.server";
import { numberedPage } from "~/lib/numbered-pages";
import { objectionsTo } from "~/guides/departures/objections.server";
import { recentCompletions } from "~/guides/departures/completions.server";
import { isAnyOpen, pagesOfDepartures } from "~/guides/departures/guide-departures.server";
import type { ListedReview } from "~/reviews/list/listed-review.server";
import { getReviewPageOfTours } from "~/reviews/list/page.server";
import { countAnswers, findRemovedReplies, replyTag } from "~/reviews/replies/replies.server";
import { participationOfTours } from "~/requests/participation.server";
import { getUnansweredFirst } from "~/reviews/replies/unanswered.server";
import { type NamedTour, namedTour } from "~/tours/named-tour.server";
import { TOURS_PER_PAGE } from "~/tours/tours.server";
import type { GuideQuery } from "./guide-address";
import { readTrends } from "./chart/rating-trend.server";

const TOURS_TO_CHOOSE = 500;

export type GuideOverview = Awaited<ReturnType<typeof guideOverview>>;
export type GuideReview = GuideOverview["reviews"]["items"][number];

/** Returns what `/guide` shows. The cost grows with the tours and their bookings. */
export async function guideOverview(guide: Caller, asked: GuideQuery) {
  const now = new Date();
  const led = await listOwnTours(guide);
  const { items, ...place } = numberedPage(led, asked.tours, TOURS_PER_PAGE);
  const filter = reviewFilter(led, asked);
  const [
    participation,
    completions,
    objections,
    trends,
    { waiting, ...reviews },
    { next, ...departures },
  ] = await Promise.all([
    participationOfTours(items),
    recentCompletions(led, now),
    objectionsTo(guide, led, now),
    readTrends(led, items, now),
    getGuideReviews(led, { ...asked, tour: filter.tour }),
    pagesOfDepartures(led, asked, now),
  ]);
  const tours = items.map((tour) => ({
    id: tour._id.toString(),
    title: tour.title,
    slug: tour.slug,
    avgRating: tour.avgRating,
    reviewCount: tour.reviewCount,
    isClosed: tour.closedHereAt !== null,
    participation: participation.get(tour._id.toString())!,
    ...trends.of(tour),
  }));
  return {
    tours: { ...place, items: tours },
    reviews,
    filter,
    figures: {
      ...trends.ofAll,
      unanswered:
        waiting ?? Math.max(0, totalReviews(led) - (await countAnswers(led.map(({ _id }) => _id)))),
      open: departures.open.total,
      next,
    },
    departures,
    completions,
    objections,
  };
}

const totalReviews = (tours: TourDocument[]) =>
  tours.reduce((total, { reviewCount }) => total + reviewCount, 0);

/** Whether the guide has departures to complete. */
export const hasOpenDepartures = async (guide: Caller): Promise<boolean> =>
  isAnyOpen(await listOwnTours(guide), new Date());

const listOwnTours = (guide: Caller) =>
  Tour.find(
    { createdById: toObjectId(guide.id) },
    "title slug date timeZone avgRating reviewCount ratingCounts closedHereAt lastChange ratingsVersion",
  )
    .sort({ title: 1, _id: 1 })
    .batchSize(TOURS_TO_CHOOSE + 1)
    .lean<TourDocument[]>();

/**
 * By what the reviews are filtered, and by what they can be. A tour that is not one of the guide's is left out; the
 * numbers are those of the chosen tour, or of all.
 */
function reviewFilter(tours: TourDocument[], { tour, stars }: GuideQuery) {
  const chosen = tours.filter(({ _id }) => _id.toString() === tour);
  const sumOverTours = (count: (tour: TourDocument) => number) =>
    (chosen.length > 0 ? chosen : tours).reduce((total, one) => total + count(one), 0);
  const byStars = {} as RatingCounts;
  for (const value of STARS)
    byStars[value] = sumOverTours(({ ratingCounts }) => ratingCounts[value]);
  const offered = new Set([...tours.slice(0, TOURS_TO_CHOOSE), ...chosen]);
  return {
    tour: chosen[0]?._id.toString() ?? null,
    stars,
    byStars,
    all: sumOverTours(({ reviewCount }) => reviewCount),
    tours: [...offered].map(({ _id, title }) => ({ id: _id.toString(), title })),
  };
}

export interface ReviewOfTour extends ListedReview {
  tour: NamedTour;
}

/** A page of the reviews of the tour of that id, or of all; `searched` as in `UnansweredPage`. */
async function getGuideReviews(
  tours: TourDocument[],
  { tour, stars, sort, after, reply: stays }: GuideQuery,
) {
  const byId = new Map(tours.map((one) => [one._id.toString(), one]));
  const chosen = tour === null ? tours : tours.filter(({ _id }) => _id.toString() === tour);
  const tourIds = chosen.map(({ _id }) => _id);
  const { reviews, next, searched, removed, waiting } =
    sort === "unanswered"
      ? await getUnansweredFirst(tourIds, { stars, after, stays })
      : await getNewestFirst(tourIds, { stars, after });
  const items = reviews.flatMap((review) => {
    const of = byId.get(review.tourId);
    const removedReply = removed.get(review.id) ?? null;
    const tag = review.reply ? replyTag(review.reply) : "";
    return of ? [{ ...review, removedReply, replyTag: tag, tour: namedTour(of) }] : [];
  });
  // The number is that of all tours.
  return { items, next, searched, waiting: tour === null ? waiting : null };
}

async function getNewestFirst(
  tourIds: Types.ObjectId[],
  asked: { stars: number | null; after: string | null },
) {
  const page = await getReviewPageOfTours(tourIds, { ...asked, sort: "newest" });
  const removed = await findRemovedReplies(page.reviews.flatMap(({ id }) => toObjectId(id) ?? []));
  return { ...page, searched: null, removed, waiting: null };
}
