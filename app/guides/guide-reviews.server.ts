import type { TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import type { ListedReview } from "~/reviews/list/listed-review.server";
import { pageOfToursReviews } from "~/reviews/list/page.server";
import { findRemovedReplies, replyTag } from "~/reviews/replies/replies.server";
import { pageUnansweredFirst } from "~/reviews/replies/unanswered.server";
import { type NamedTour, namedTour } from "~/tours/named-tour.server";
import type { GuideQuery } from "./guide-address";

export interface ReviewOfTour extends ListedReview {
  tour: NamedTour;
}

export type GuideReviews = Awaited<ReturnType<typeof pageOfReviews>>;
export type GuideReview = GuideReviews["items"][number];

/** A page of the reviews of the tour of that id, or of all; `searched` as in `UnansweredPage`. */
export async function pageOfReviews(
  tours: TourDocument[],
  {
    tour,
    stars,
    sort,
    after,
    reply: stays,
  }: Pick<GuideQuery, "tour" | "stars" | "sort" | "after" | "reply">,
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
