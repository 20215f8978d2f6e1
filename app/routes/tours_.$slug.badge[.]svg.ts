import type { LoaderFunctionArgs } from "@remix-run/node";
import { PICTURE_POLICY, sharedFile } from "~/server/machine-files.server";
import { withTourPage, withoutPage } from "~/server/pages.server";
import { renderBadge } from "~/tours/embeds/badge.server";
import { getStoredTour, toPublicTour } from "~/tours/tours.server";

export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const tour = await withTourPage(request, getStoredTour(params.slug ?? ""));
  const isClosed = tour.closedHereAt !== null;
  const headers = { "Content-Security-Policy": PICTURE_POLICY };
  return sharedFile(
    request,
    renderBadge(toPublicTour(tour), { isClosed }),
    "image/svg+xml",
    headers,
  );
});
