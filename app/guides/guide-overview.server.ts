import { Review } from "#models/review";
import { type RatingCounts, STARS, Tour, type TourDocument } from "#models/tour";
import { type Clock, systemClock } from "~/infra/clock";
import { toObjectId } from "~/db/ids.server";
import type { Caller } from "~/accounts/caller.server";
import { batches, BATCH } from "~/db/batches";
import { pageOf } from "~/infra/numbered-pages";
import { recentCompletions } from "~/guides/departures/completions.server";
import { isAnyOpen, pagesOfDepartures } from "~/guides/departures/guide-departures.server";
import type { ListedReview } from "~/reviews/list/listed-review.server";
import { pageOfToursReviews } from "~/reviews/list/page.server";
import { findRemovedReplies, replyTag } from "~/reviews/replies/replies.server";
import { pageUnansweredFirst } from "~/reviews/replies/unanswered.server";
import { type NamedTour, namedTour } from "~/tours/named-tour.server";
import { TOURS_PER_PAGE } from "~/tours/tours.server";
import type { GuideQuery } from "./guide-address";
import { readTrends } from "./rating-trend.server";

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const TOURS_TO_CHOOSE = 500;

export type GuideOverview = Awaited<ReturnType<typeof guideOverview>>;
export type GuideReview = GuideOverview["reviews"]["items"][number];

/** Returns what `/guide` shows. The cost grows with the tours and their bookings. */
export async function guideOverview(
  guide: Caller,
  asked: GuideQuery,
  { clock = systemClock }: { clock?: Clock } = {},
) {
  const now = clock();
  const led = await findTours(guide);
  const { items, ...place } = pageOf(led, asked.tours, TOURS_PER_PAGE);
  const filter = filterOf(led, asked);
  const [ofLastWeek, completions, trendOf, reviews, departures] = await Promise.all([
    countSince(led, new Date(now.getTime() - WEEK_MS)),
    recentCompletions(led, now),
    readTrends(items, now),
    pageOfReviews(led, { ...asked, tour: filter.tour }),
    pagesOfDepartures(led, asked, now),
  ]);
  const tours = items.map((tour) => ({
    id: tour._id.toString(),
    title: tour.title,
    slug: tour.slug,
    avgRating: tour.avgRating,
    reviewCount: tour.reviewCount,
    isClosed: tour.closedHereAt !== null,
    ...trendOf(tour),
  }));
  return {
    tours: { ...place, items: tours },
    reviews,
    filter,
    ofLastWeek,
    departures,
    completions,
  };
}

/** Whether the guide has departures to complete. */
export const hasOpenDepartures = async (guide: Caller): Promise<boolean> =>
  isAnyOpen(await findTours(guide), new Date());

const findTours = (guide: Caller) =>
  Tour.find(
    { createdById: toObjectId(guide.id) },
    "title slug date timeZone avgRating reviewCount ratingCounts closedHereAt lastChange",
  )
    .sort({ title: 1, _id: 1 })
    .lean<TourDocument[]>();

async function countSince(tours: TourDocument[], since: Date): Promise<number> {
  let count = 0;
  for (const some of batches(tours, BATCH)) {
    const tourId = { $in: some.map(({ _id }) => _id) };
    count += await Review.countDocuments({ tourId, createdAt: { $gt: since } });
  }
  return count;
}

/**
 * By what the reviews are filtered, and by what they can be. A tour that is not one of the guide's is left out; the
 * numbers are those of the chosen tour, or of all.
 */
function filterOf(tours: TourDocument[], { tour, stars }: GuideQuery) {
  const chosen = tours.filter(({ _id }) => _id.toString() === tour);
  const sum = (count: (tour: TourDocument) => number) =>
    (chosen.length > 0 ? chosen : tours).reduce((total, one) => total + count(one), 0);
  const byStars = {} as RatingCounts;
  for (const value of STARS) byStars[value] = sum(({ ratingCounts }) => ratingCounts[value]);
  const offered = new Set([...tours.slice(0, TOURS_TO_CHOOSE), ...chosen]);
  return {
    tour: chosen[0]?._id.toString() ?? null,
    stars,
    byStars,
    all: sum(({ reviewCount }) => reviewCount),
    tours: [...offered].map(({ _id, title }) => ({ id: _id.toString(), title })),
  };
}

export interface ReviewOfTour extends ListedReview {
  tour: NamedTour;
}

/** A page of the reviews of the tour of that id, or of all; `searched` as in `UnansweredPage`. */
async function pageOfReviews(
  tours: TourDocument[],
  { tour, stars, sort, after, reply: stays }: GuideQuery,
) {
  const byId = new Map(tours.map((one) => [one._id.toString(), one]));
  const tourIds = (tour === null ? tours : [byId.get(tour)!]).map(({ _id }) => _id);
  const page =
    sort === "unanswered"
      ? await pageUnansweredFirst(tourIds, { stars, after, stays })
      : await pageOfToursReviews(tourIds, { stars, sort, after });
  const { reviews, next, searched } = { searched: null, ...page };
  const removed = await findRemovedReplies(
    reviews.filter(({ reply }) => !reply).map(({ id }) => toObjectId(id)!),
  );
  const items = reviews.flatMap((review) => {
    const of = byId.get(review.tourId);
    const removedReply = removed.get(review.id) ?? null;
    const tag = review.reply ? replyTag(review.reply) : "";
    return of ? [{ ...review, removedReply, replyTag: tag, tour: namedTour(of) }] : [];
  });
  return { items, next, searched };
}
