import type { LoaderFunctionArgs } from "@remix-run/node";
import { PICTURE_POLICY, sharedFile } from "~/server/machine-files.server";
import { withErrorPage, withoutPage } from "~/server/pages.server";
import { badgeOf } from "~/tours/elsewhere/badge.server";
import { getTourBySlug } from "~/tours/tours.server";

export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const tour = await withErrorPage(getTourBySlug(params.slug ?? ""));
  const headers = { "Content-Security-Policy": PICTURE_POLICY };
  return sharedFile(request, badgeOf(tour), "image/svg+xml", headers);
});
