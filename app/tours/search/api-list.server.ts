import { z } from "zod";
import { Tour, type TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import { cursorParameter, notPrepared, pageSize, wordsParameter } from "~/db/page-query.server";
import { texts } from "~/lib/refusal-texts";
import { EXAMPLE_TOUR } from "~/reviews/schemas";
import { tourCursor } from "~/search/tour-order.server";
import { type PublicTour, toPublicTour } from "~/tours/tours.server";
import { tourSorts } from "./list-query";
import { currentIndex, readFound } from "./search.server";

const TOURS_ON_PAGE = 20;
const SORTS = tourSorts(true);

/** Query of GET /api/tours (docs/rules/tours.md, Tours): one tour by its slug, or without it a list in pages. */
export const ToursQuery = z
  .object({
    slug: z
      .string()
      .optional()
      .meta({
        description: "The part of its page's address that names the tour. Without it, a list.",
        examples: ["old-town-walk"],
      }),
    q: wordsParameter.meta({
      description: "Only the tours that a search for these words finds on the site.",
      examples: ["boat"],
    }),
    sort: z
      .enum(SORTS, { error: `sort must be one of ${SORTS.join(", ")}` })
      .optional()
      .meta({
        description: "Their order: without it `match`, how well they match `q`, and then `best`.",
        examples: ["best"],
      }),
    limit: pageSize,
    after: cursorParameter(tourCursor),
  })
  .refine(({ slug, ...paging }) => slug || Object.values(paging).some((one) => one !== undefined), {
    error: texts.slugRequired,
    path: ["slug"],
  });

/**
 * Returns a page of the tours that the site's list or its search finds, and the cursor of the next one. Throws
 * `RateLimitError` 503 while this process does not know the tours yet.
 */
export async function listToursInPages({
  q = "",
  sort = "match",
  limit: size = TOURS_ON_PAGE,
  after,
}: z.output<typeof ToursQuery>): Promise<{ tours: PublicTour[]; next: string | null }> {
  for (let read = 1; ; read++) {
    const index = await currentIndex();
    if (!index) throw notPrepared();
    const words = index.readWords(q);
    const { ids, next } = index.findAfter({ words, sort, size, after: tourCursor.decode(after) });
    const tours = await readFound(index, ids, read);
    if (tours) return { tours: tours.map(toPublicTour), next };
  }
}

const MOST_RATED = 100;

/** Query of GET /api/ratings (docs/rules/tours.md, Tours). */
export const RatingsQuery = z.object({
  tourIds: z
    .string({ error: texts.badTourIds })
    .meta({
      description: `The ids of 1 to ${MOST_RATED} tours, separated by commas.`,
      examples: [EXAMPLE_TOUR],
    })
    .transform((value) => [...new Set(value.split(",").filter(Boolean))])
    .refine(({ length }) => length >= 1 && length <= MOST_RATED, { error: texts.badTourIds }),
});

export type TourRatings = Pick<PublicTour, "avgRating" | "reviewCount" | "ratingCounts"> & {
  tourId: string;
};

/** Returns the ratings of these tours in that order; an unknown one is absent. */
export async function ratingsOfTours(tourIds: readonly string[]): Promise<TourRatings[]> {
  const ids = tourIds.flatMap((id) => toObjectId(id) ?? []);
  const tours = await Tour.find({ _id: { $in: ids } }).lean<TourDocument[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), toPublicTour(tour)]));
  return ids.flatMap((id) => {
    const tour = byId.get(id.toString());
    if (!tour) return [];
    const { avgRating, reviewCount, ratingCounts } = tour;
    return { tourId: tour.id, avgRating, reviewCount, ratingCounts };
  });
}
