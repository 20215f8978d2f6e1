import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from "@remix-run/react";
import {
  cacheable,
  countWrite,
  currentUser,
  findSameReview,
  getTourBySlug,
  getTourPage,
  nextTourToReview,
  postReview,
  redirectToPosted,
  refusedForm,
  requireAuthor,
  reviewBody,
  takeCarriedReview,
  takeFlash,
  thanksFor,
  toReviewFormError,
  typedContent,
  withTourPage,
} from "~/server/for-routes.server";
import { TourAndReviews } from "~/tours/tour-and-reviews";
import { sendReview } from "~/ui/browser/drafts";
import { tourPath } from "~/ui/paths";

export { headers } from "~/server/for-routes.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const user = await currentUser(request);
  const shown = await withTourPage(request, getTourPage(params.slug ?? "", searchParams, user));
  const waiting = await takeCarriedReview(request);
  const posted = await takeFlash(request, "posted");
  const thanks = posted && thanksFor(shown.tour, shown.page, posted);
  return {
    ...cacheable(shown),
    posted: thanks && user ? { thanks, next: await nextTourToReview(user) } : null,
    // As the stars of /me ask for.
    rating: Number(/^[1-5]$/.exec(searchParams.get("rating") ?? "")?.[0]) || null,
    waiting,
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const user = await requireAuthor(request, "#write");
  const tour = await withTourPage(request, getTourBySlug(params.slug ?? ""));
  const form = await request.formData();
  const input = typedContent(form);
  const body = { ...reviewBody(form), tourId: tour.id };
  const posted = (id: string) => redirectToPosted(request, tourPath(tour.slug), id);
  try {
    const { review } = await postReview(user, body, { counted: countWrite(user) });
    return await posted(review.id);
  } catch (error) {
    const refused = refusedForm(toReviewFormError(error, body), { input });
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

export { loadedMeta as meta } from "~/ui/site";

export const handle = { hydrate: false };

export default function Tour() {
  return (
    <TourAndReviews {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>()} />
  );
}
