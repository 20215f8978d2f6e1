import type { LoaderFunctionArgs } from "@remix-run/node";
import { selectionOf } from "~/tours/tour-address";
import { withErrorPage, withoutPage } from "~/server/pages.server";
import { getReviewPage } from "~/tours/tours.server";

/** "More reviews" adds it below those that are shown. */
export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const { searchParams } = new URL(request.url);
  const selection = { ...selectionOf(searchParams), after: searchParams.get("after") };
  return Response.json(await withErrorPage(getReviewPage(params.slug ?? "", selection)));
});
