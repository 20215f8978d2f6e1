import { notYet, sitemapIndex } from "~/server/machine-files.server";
import { withoutPage } from "~/server/pages.server";
import { sitemapParts } from "~/tours/sitemap.server";

export const loader = withoutPage(async () => {
  const parts = await sitemapParts();
  return parts === null ? notYet() : sitemapIndex(parts);
});
