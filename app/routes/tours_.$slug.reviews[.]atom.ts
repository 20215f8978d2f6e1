import type { LoaderFunctionArgs } from "@remix-run/node";
import { sharedFile } from "~/server/machine-files.server";
import { withErrorPage, withoutPage } from "~/server/pages.server";
import { renderFeed, getFeed } from "~/tours/embeds/embed.server";

export const loader = withoutPage(async ({ request, params }: LoaderFunctionArgs) => {
  const embedded = await withErrorPage(getFeed(params.slug ?? ""));
  return sharedFile(request, renderFeed(embedded), "application/atom+xml");
});
