import type { TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import type { CursorPage } from "~/db/cursor.server";
import type { ListedReview } from "~/reviews/list/listed-review.server";
import { pageOfToursReviews } from "~/reviews/list/page.server";
import { findRemovedReplies, type RemovedReply, replyTag } from "~/reviews/replies/replies.server";
import { pageUnansweredFirst } from "~/reviews/replies/unanswered.server";
import { zoneOf } from "~/infra/tour-zone.server";

/** Those without a reply first and among them those with a comment; or all newest first. */
export type GuideSort = "unanswered" | "newest";

export interface ReviewOfTour extends ListedReview {
  tour: { title: string; slug: string; timeZone: string };
}

export interface GuideReview extends ReviewOfTour {
  removedReply: RemovedReply | null;
  /** Empty without a reply. */
  replyTag: string;
}

/** A page of reviews; `searched` as in `UnansweredPage`. */
export interface GuideReviews extends CursorPage<GuideReview> {
  searched: number | null;
}

/** Of the tour of that id or of all, with so many stars or any. */
interface Asked {
  tour: string | null;
  stars: number | null;
  sort: GuideSort;
  after: string | null;
  /** The id of a review that stays where it was before it was answered. */
  reply: string | null;
}

export const namedTour = (tour: TourDocument): ReviewOfTour["tour"] => ({
  title: tour.title,
  slug: tour.slug,
  timeZone: zoneOf(tour),
});

export async function pageOfReviews(
  tours: TourDocument[],
  { tour, stars, sort, after, reply: stays }: Asked,
): Promise<GuideReviews> {
  const byId = new Map(tours.map((one) => [one._id.toString(), one]));
  const tourIds = (tour === null ? tours : [byId.get(tour)!]).map(({ _id }) => _id);
  const { reviews, next, searched } =
    sort === "unanswered"
      ? await pageUnansweredFirst(tourIds, { stars, after, stays })
      : {
          ...(await pageOfToursReviews(tourIds, { stars, commented: false, sort, after })),
          searched: null,
        };
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
