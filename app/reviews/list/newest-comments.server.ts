import type { Types } from "mongoose";
import type { TourDocument } from "#models/tour";
import { shortened } from "~/infra/shortened.server";
import { type Author, findAuthors } from "~/db/people.server";
import { hasComment } from "./commented.server";
import { keptByVersion } from "./kept-by-version.server";
import { newestReviews } from "./newest-reviews.server";
import { REVIEWS_PER_PAGE } from "./page.server";

/** As many as on the tour's page, so that both read alike. */
const LOOKED_AT = REVIEWS_PER_PAGE + 1;
const LENGTH = 140;
const KEPT_MS = 5 * 60_000;

export interface CommentLine {
  text: string;
  rating: number | null;
  user: Author;
}

/**
 * Returns the newest comment of each tour, by its id; null where its newest reviews have none. A tour whose reviews
 * have not changed since costs no query, another one a small one.
 */
export async function newestLines(
  tours: readonly Pick<TourDocument, "_id" | "reviewCount" | "ratingsVersion">[],
): Promise<Map<string, CommentLine | null>> {
  const lines = await Promise.all(
    tours.map(async (tour) => {
      const read = async () => ({ line: await readLine(tour._id) });
      const kept = tour.reviewCount > 0 && (await keptByVersion(tour, "line", KEPT_MS, read));
      return { id: tour._id.toString(), line: kept ? kept.line : null };
    }),
  );
  const authors = await findAuthors(lines.flatMap(({ line }) => line?.userId ?? []));
  return new Map(
    lines.map(({ id, line }) => {
      if (!line) return [id, null];
      const { userId, ...shown } = line;
      return [id, { ...shown, user: authors.get(userId)! }];
    }),
  );
}

/** Without its author, who is kept elsewhere. */
async function readLine(tourId: Types.ObjectId) {
  const newest = await newestReviews({ tourId }, { limit: LOOKED_AT, after: null });
  const review = newest.find(hasComment);
  if (!review) return null;
  const { comment, rating, userId } = review;
  return { text: shortened(comment!, LENGTH), rating, userId: userId.toString() };
}
