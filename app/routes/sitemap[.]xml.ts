import { notYet, sitemapIndex } from "~/http/machine-files.server";
import { sitemapParts } from "~/services/tours/sitemap.server";

/** Where the parts of the list of all public pages are. */
export async function loader() {
  const parts = await sitemapParts();
  return parts === null ? notYet() : sitemapIndex(parts);
}
