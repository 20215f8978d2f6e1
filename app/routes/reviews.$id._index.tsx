import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { publicMeta } from "~/ui/meta.server";
import { replyPath, reviewPath, tourPath } from "~/ui/paths";
import { ReplyForm, WithdrawReply } from "~/reviews/replies/reply";
import { authorName, OwnReviewLinks, RemovedReply, Review } from "~/reviews/list/review";
import { MeanRating, reviewsInWords } from "~/ui/stars";
import { editDeadline } from "~/ui/time";
import { TourLink } from "~/ui/tour-link";
import { cacheable } from "~/server/cached-pages.server";
import { currentUser } from "~/server/current-user.server";
import { errorPage } from "~/server/pages.server";
import { env } from "~/config/env.server";
import { ServiceError } from "~/lib/errors.server";
import { isolated } from "~/lib/text";
import { findRemovedReply } from "~/reviews/replies/reply.server";
import { REMOVED, RemovedPage } from "~/reviews/removed-page";
import { getCacheableReview } from "~/reviews/read.server";
import { findRemovedReview } from "~/tours/removed-review.server";
import { unlisted } from "~/ui/site";
import { replyTag } from "~/reviews/replies/replies.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const id = params.id ?? "";
  const found = await getCacheableReview(id).catch(async (error: unknown) => {
    const removed = await findRemovedReview(id);
    if (removed) return { removed };
    throw error instanceof ServiceError ? errorPage(error) : error;
  });
  if ("removed" in found) return data({ ...found, meta: unlisted(REMOVED) }, { status: 410 });
  const { review, tour, timeZone } = cacheable(found);
  const user = await currentUser(request);
  const answers = user !== null && user.id === tour?.createdById;
  const title = `${isolated(authorName(review))}’s review of ${isolated(tour?.title ?? "a former tour")}`;
  const stars = review.rating === null ? "" : `${review.rating} out of 5 stars. `;
  return {
    review,
    tour,
    timeZone,
    meta: publicMeta({
      title,
      description: stars + isolated(review.comment ?? "") || title,
      url: env().appUrl + reviewPath(review.id),
      seed: review.tourId,
      type: "article",
    }),
    own: user?.id === review.userId ? { deadline: editDeadline(review.createdAt) } : null,
    answers,
    removedReply: answers && review.reply === null ? await findRemovedReply(review.id) : null,
    replyTag: review.reply && replyTag(review.reply),
    removed: null,
  };
}

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export default function ReviewPage() {
  const shown = useLoaderData<typeof loader>();
  if (shown.removed) return <RemovedPage {...shown.removed} />;
  const { review, tour, timeZone, own, answers, removedReply, replyTag } = shown;
  const repliedBy = (review.reply ?? removedReply)?.userId;
  const isOwnReply = repliedBy === tour?.createdById;
  return (
    <div className="narrow stack-l">
      <div className="stack">
        <p className="muted">A review of</p>
        <h1>{tour ? <TourLink {...tour} /> : "A former tour"}</h1>
        {tour && <MeanRating mean={tour.avgRating} count={tour.reviewCount} />}
      </div>
      <div className="card">
        <Review review={review} timeZone={timeZone} whole isOwn={own !== null}>
          {own && (
            <OwnReviewLinks reviewId={review.id} deadline={own.deadline} timeZone={timeZone} />
          )}
        </Review>
      </div>
      {answers && (
        <section className="stack no-print" aria-labelledby="your-reply">
          <h2 id="your-reply">
            {!repliedBy
              ? "Reply as the guide"
              : isOwnReply
                ? "Your reply"
                : "The reply of the guide before you"}
          </h2>
          {review.reply && replyTag ? (
            <div className="row">
              {isOwnReply && (
                <Link className="button button-quiet button-small" to={replyPath(review.id)}>
                  Change it
                </Link>
              )}
              <WithdrawReply reviewId={review.id} tag={replyTag} />
            </div>
          ) : removedReply && tour ? (
            <RemovedReply removed={removedReply} guideId={tour.createdById} timeZone={timeZone} />
          ) : (
            <ReplyForm key={review.id} reviewId={review.id} reply={null} />
          )}
        </section>
      )}
      {tour && (
        <p>
          <Link className="button" to={`${tourPath(tour.slug)}#reviews`}>
            {tour.reviewCount > 1
              ? `All ${reviewsInWords(tour.reviewCount)} of this tour`
              : "See this tour"}
          </Link>
        </p>
      )}
    </div>
  );
}
