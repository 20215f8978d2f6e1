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
  /** Null when a platform's review has none. */
  rating: number | null;
  user: Author;
}

/** Without its author, who is kept elsewhere. */
type Line = Omit<CommentLine, "user"> & { userId: string };

/**
 * Null where the newest reviews of a tour have none. A tour whose reviews have not changed since costs no query,
 * another one a small one.
 */
export async function newestLines(
  tours: readonly Pick<TourDocument, "_id" | "reviewCount" | "ratingsVersion">[],
): Promise<Map<string, CommentLine | null>> {
  const lines = await Promise.all(
    tours.map(async (tour) => {
      const read = async () => ({ line: await readLine(tour._id) });
      const { line } =
        tour.reviewCount > 0 ? await keptByVersion(tour, "line", KEPT_MS, read) : { line: null };
      return [tour._id.toString(), line] as const;
    }),
  );
  const authors = await findAuthors(lines.flatMap(([, line]) => line?.userId ?? []));
  return new Map(
    lines.map(([id, line]) => {
      if (!line) return [id, null];
      const { userId, ...shown } = line;
      return [id, { ...shown, user: authors.get(userId)! }];
    }),
  );
}

async function readLine(tourId: Types.ObjectId): Promise<Line | null> {
  const newest = await newestReviews({ tourId }, { limit: LOOKED_AT, after: null });
  const review = newest.find(hasComment);
  return review
    ? {
        text: shortened(review.comment!, LENGTH),
        rating: review.rating,
        userId: review.userId.toString(),
      }
    : null;
}
