import type { LoaderFunctionArgs } from "@remix-run/node";
import { cardPicture, cardVersion } from "~/components/share-card.server";
import { withErrorPage, withoutPage } from "~/http/pages.server";
import { isKnown } from "~/http/reviews.server";
import { getTourPage } from "~/services/tours/tours.server";

/** The picture of a tour for previews of links to it, as it is now; the address of its version never changes. */
export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const { tour } = await withErrorPage(getTourPage(params.slug ?? ""));
  const version = cardVersion(tour);
  const isNamed = new URL(request.url).searchParams.get("v") === version;
  const headers = {
    "Content-Type": "image/png",
    "Cache-Control": isNamed ? "public, max-age=31536000, immutable" : "public, max-age=300",
    ETag: `"${version}"`,
  };
  if (isKnown(request, headers.ETag)) return new Response(null, { status: 304, headers });
  return new Response(await withErrorPage(cardPicture(tour)), { headers });
});
