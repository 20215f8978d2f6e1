import { NO_ID } from "#models/reading";
import { Tour, type TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import { batches, BATCH } from "~/db/batches";
import { cachedFor } from "~/reviews/list/cached-by-version.server";
import { tourRefresh } from "~/search/tour-refresh.server";

/** With their guides, fewer addresses than the 50,000 that a part may have. */
export const TOURS_PER_PART = 10_000;
/** Search engines read no more of an address, in characters. */
const LONGEST_ADDRESS = 2_000;
/** (docs/rules/tours.md, Search engines and link previews) */
const KEPT_MS = 600_000;

export interface SitemapPart {
  slugs: string[];
  guides: string[];
}

/** How many parts the sitemap has, at least 1; null while this process does not know the tours yet. */
export async function sitemapParts(size = TOURS_PER_PART): Promise<number | null> {
  const part = await newestTourIds(1, size);
  return part && part.pages;
}

/** The part of that number from 1; null as above, and undefined for one that there is not. */
export async function sitemapPart(
  number: number,
  size = TOURS_PER_PART,
): Promise<SitemapPart | null | undefined> {
  const part = await newestTourIds(number, size);
  if (!part) return null;
  if (part.page !== number) return undefined;
  // Another number, or another newest tour, makes another part.
  const { items } = part;
  return cachedFor(`sitemap ${number} ${items.length} ${items[0]}`, KEPT_MS, () => readPart(items));
}

async function newestTourIds(page: number, size: number) {
  const index = await tourRefresh.index();
  return index && index.find({ words: null, sort: "newest", page, size });
}

async function readPart(ids: string[]): Promise<SitemapPart> {
  const slugs: string[] = [];
  const guides = new Set<string>();
  for (const batch of batches(ids, BATCH)) {
    const tours = await Tour.find(
      { _id: { $in: batch.map((id) => toObjectId(id)) } },
      "slug createdById",
    ).lean<TourDocument[]>();
    for (const { slug, createdById } of tours) {
      if (encodeURIComponent(slug).length <= LONGEST_ADDRESS) slugs.push(slug);
      if (!createdById.equals(NO_ID)) guides.add(createdById.toString());
    }
  }
  return { slugs, guides: [...guides] };
}
