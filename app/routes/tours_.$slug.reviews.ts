import type { LoaderFunctionArgs } from "@remix-run/node";
import { withTourPage, withoutPage } from "~/server/pages.server";
import { getTourReviews } from "~/tours/tours.server";

/** "More reviews" adds it below those that are shown. */
export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const { searchParams } = new URL(request.url);
  return Response.json(
    await withTourPage(request, getTourReviews(params.slug ?? "", searchParams)),
  );
});
