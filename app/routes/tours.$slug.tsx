import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/node";
import { useActionData, useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import { sendReview } from "~/ui/browser/drafts";
import { useErrorTitle } from "~/ui/browser/error-title";
import { tourPath } from "~/ui/paths";
import { nameOf } from "~/reviews/list/review";
import { editDeadline } from "~/ui/time";
import { selectionOf } from "~/tours/tour-address";
import { Description, TourHead } from "~/tours/head";
import { tourMeta } from "~/tours/tour-meta.server";
import { thanksFor } from "~/tours/thanks.server";
import { useReviewElsewhere } from "~/tours/review-elsewhere";
import { countOf } from "~/ui/stars";
import { ReviewList } from "~/tours/review-list";
import { Order, Summary } from "~/tours/summary";
import { Verified } from "~/reviews/list/verified";
import { WriteReview } from "~/tours/write-review";
import { requireAuthor, takeCarriedReview } from "~/server/carried-review.server";
import { currentUser } from "~/server/current-user.server";
import { refusedForm, text } from "~/server/form-data.server";
import { env } from "~/infra/env.server";
import { redirectToPosted, withErrorPage } from "~/server/pages.server";
import { toFormErrors, reviewForm } from "~/server/review-form.server";
import { takeFlash } from "~/server/session.server";
import { reviewEligibility } from "~/reviews/may-review.server";
import { nextTourToReview } from "~/me/my-reviews.server";
import { findSameReview } from "~/reviews/own-review.server";
import { postReview } from "~/reviews/post.server";
import { getTourBySlug, getTourPage } from "~/tours/tours.server";

export { headers } from "~/server/retry-after.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { tour, readReviews, countComments } = await withErrorPage(getTourPage(params.slug ?? ""));
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after");
  const shown = { ...selectionOf(searchParams), isFirstPage: after === null };
  const { stars, commented, sort } = shown;
  const user = await currentUser(request);
  const [page, eligibility, counts] = await Promise.all([
    readReviews({ stars, commented, sort, after }),
    reviewEligibility(user, tour),
    commented ? countComments() : tour,
  ]);
  const waiting = await takeCarriedReview(request);
  const posted = await takeFlash(request, "posted");
  const departed = tour.date !== null && new Date(tour.date) < new Date();
  const thanks = posted === null ? null : thanksFor(tour, page, posted);
  const own =
    eligibility.kind === "alreadyReviewed"
      ? { id: eligibility.reviewId, deadline: editDeadline(eligibility.createdAt) }
      : null;
  return {
    tour,
    meta: tourMeta({
      tour,
      url: env().appUrl + tourPath(tour.slug),
      ...shown,
      reviews: page.reviews,
      departed,
    }),
    page,
    total: stars ? countOf(counts.ratingCounts, stars) : counts.reviewCount,
    ...shown,
    eligibility,
    author: nameOf({ user: { name: user?.name ?? "" } }),
    own,
    posted: thanks !== null && user ? { thanks, next: await nextTourToReview(user) } : null,
    departed,
    completedHere: env().bookingCompletion === "automatic",
    // As the stars of /me ask for.
    rating: Number(/^[1-5]$/.exec(searchParams.get("rating") ?? "")?.[0]) || null,
    waiting,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireAuthor(request, "#write");
  const tour = await withErrorPage(getTourBySlug(params.slug ?? ""));
  const form = await request.formData();
  const body = { ...reviewForm(form), tourId: tour.id };
  const posted = (id: string) => redirectToPosted(request, tourPath(tour.slug), id);
  try {
    return await posted((await postReview(user, body)).review.id);
  } catch (error) {
    const input = { rating: Number(text(form, "rating")), comment: text(form, "comment") };
    const refused = refusedForm(toFormErrors(error, body), { input });
    // The same form was sent twice: the first one has succeeded.
    const duplicate = await findSameReview(user, body);
    return duplicate ? posted(duplicate) : refused;
  }
}

export const clientAction = sendReview;

/**
 * The page as it is now says what to do instead of a review that is refused for what has changed meanwhile. Not where
 * no answer came, since none would come to that either.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  actionStatus = 200,
  defaultShouldRevalidate,
}) => actionStatus === 400 || (actionStatus < 400 && defaultShouldRevalidate);

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data?.meta ?? [{ title: "Tour Reviews" }];

export default function Tour() {
  const shown = useLoaderData<typeof loader>();
  const { tour, page, total, stars, commented, sort, completedHere } = shown;
  const refused = useActionData<typeof action>();
  const selection = { stars, commented, sort };
  useReviewElsewhere();
  // Also where the refused form is gone.
  useErrorTitle(refused !== undefined);
  return (
    <div className="stack-l">
      <TourHead tour={tour} departed={shown.departed} standing={shown.eligibility.kind} />
      <div className="tour-page">
        {tour.description && <Description text={tour.description} />}
        <div className="stack-l tour-side">
          {tour.reviewCount > 0 && <Summary tour={tour} {...selection} />}
          <section className="stack no-print" aria-labelledby="write">
            <WriteReview key={tour.id} {...shown} refused={refused} />
          </section>
        </div>
        <section className="stack" aria-labelledby="reviews">
          <h2 id="reviews">Reviews</h2>
          {tour.reviewCount > 0 && (
            <Order tour={tour} shown={page.reviews.length} total={total} {...selection} />
          )}
          <ReviewList {...shown} />
          {tour.reviewCount > 0 && <Verified completedHere={completedHere} />}
        </section>
      </div>
    </div>
  );
}
