import { notYet, sitemapIndex } from "~/http/machine-files.server";
import { withoutPage } from "~/http/pages.server";
import { sitemapParts } from "~/services/tours/sitemap.server";

/** Where the parts of the list of all public pages are. */
export const loader = withoutPage(async () => {
  const parts = await sitemapParts();
  return parts === null ? notYet() : sitemapIndex(parts);
});
