import type { LoaderFunctionArgs } from "@remix-run/node";
import { sharedFile } from "~/server/machine-files.server";
import { withTourPage, withoutPage } from "~/server/pages.server";
import { renderFeed, getFeed } from "~/tours/embeds/embed.server";

export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const embedded = await withTourPage(request, getFeed(params.slug ?? ""));
  return sharedFile(request, renderFeed(embedded), "application/atom+xml");
});
