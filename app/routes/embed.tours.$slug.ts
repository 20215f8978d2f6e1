import type { LoaderFunctionArgs } from "@remix-run/node";
import { sharedFile } from "~/server/machine-files.server";
import { withTourPage, withoutPage } from "~/server/pages.server";
import { getEmbeddedTour } from "~/tours/embeds/embed.server";
import { FRAME_HEADERS, renderFrame } from "~/tours/embeds/frame.server";

export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const after = new URL(request.url).searchParams.get("after");
  const embedded = await withTourPage(request, getEmbeddedTour(params.slug ?? "", after));
  return sharedFile(request, renderFrame(embedded), "text/html", FRAME_HEADERS);
});
