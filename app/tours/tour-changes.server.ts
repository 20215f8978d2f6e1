import { env } from "~/infra/env.server";
import { isolated } from "~/infra/text";
import { changesUpTo } from "~/reviews/list-changes.server";
import { publicMeta } from "~/ui/meta.server";
import { tourChangesPath } from "~/ui/paths";
import { namedTour } from "./named-tour.server";
import { findTourBySlug } from "./tours.server";

const CHANGES_PER_PAGE = 50;

/**
 * Returns changes of a tour's reviews, the newest first: those before that version, or the last ones. Throws
 * `ServiceError` 404 "Tour not found".
 */
export async function getTourChanges(slug: string, before: string | null) {
  const tour = await findTourBySlug(slug);
  const last = tour.lastChange?.version ?? 0;
  const end = before && /^[1-9]\d{0,14}$/.test(before) ? Math.min(Number(before) - 1, last) : last;
  const changes = await changesUpTo(tour._id, end, CHANGES_PER_PAGE);
  const from = end - CHANGES_PER_PAGE;
  const title = `Every change of the rating of ${isolated(tour.title)}`;
  return {
    tour: { ...namedTour(tour), id: tour._id.toString() },
    changes,
    next: from > 0 ? String(from + 1) : null,
    hash: end === last ? (tour.lastChange?.hash ?? null) : null,
    meta: publicMeta({
      title,
      description: `${title}: each review that was posted, changed or removed, and the average after it.`,
      url: env().appUrl + tourChangesPath(tour.slug),
      seed: tour._id.toString(),
    }),
  };
}
