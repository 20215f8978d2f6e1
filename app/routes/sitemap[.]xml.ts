import { notYet, sitemapIndex } from "~/http/machine-files.server";
import { withoutPage } from "~/http/pages.server";
import { sitemapParts } from "~/services/tours/sitemap.server";

export const loader = withoutPage(async () => {
  const parts = await sitemapParts();
  return parts === null ? notYet() : sitemapIndex(parts);
});
