import type { LoaderFunctionArgs } from "@remix-run/node";
import { selectionOf } from "~/components/tour/address";
import { withErrorPage, withoutPage } from "~/http/pages.server";
import { pageOfReviews } from "~/store/reviews/page.server";
import { getTourBySlug } from "~/services/tours/tours.server";

/** A page of a tour's reviews as JSON, which "More reviews" adds below those that are shown. */
export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const tour = await withErrorPage(getTourBySlug(params.slug ?? ""));
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after");
  return Response.json(await pageOfReviews(tour.id, { ...selectionOf(searchParams), after }));
});
