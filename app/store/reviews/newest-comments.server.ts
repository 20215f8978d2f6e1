import type { TourDocument } from "../../../models/tour";
import { cached } from "../../infra/cache.server";
import { toObjectId } from "../../infra/ids.server";
import { shortened } from "../../infra/shortened.server";
import { type Author, findAuthors } from "../people.server";
import { hasComment } from "./commented.server";
import { newestReviews } from "./newest-reviews.server";
import { REVIEWS_PER_PAGE } from "./page.server";

/** As many as on the tour's page, so that both read alike. */
const LOOKED_AT = REVIEWS_PER_PAGE + 1;
const LENGTH = 140;
/** How long a write past this service goes unseen, because it changes no version, in milliseconds. */
const REMEMBERED_MS = 5 * 60_000;

export interface CommentLine {
  text: string;
  /** Null when a platform's review has none. */
  rating: number | null;
  user: Author;
}

/** Without its author, who is kept elsewhere. */
type Line = Omit<CommentLine, "user"> & { userId: string };

const remembered = cached<{ line: Line | null }>({
  name: "newest comments",
  ttl: REMEMBERED_MS,
  maxBytes: 8 * 1024 * 1024,
  load: async (key) => ({ line: await readLine(key.split(" ")[0]!) }),
});

/**
 * Null where the newest reviews of a tour have none. A tour whose reviews have not changed since costs no query,
 * another one a small one.
 */
export async function newestLines(
  tours: readonly Pick<TourDocument, "_id" | "reviewCount" | "ratingsVersion">[],
): Promise<Map<string, CommentLine | null>> {
  const lines = await Promise.all(
    tours.map(async ({ _id, reviewCount, ratingsVersion }) => {
      const id = _id.toString();
      const found = reviewCount > 0 ? await remembered.fetch(`${id} ${ratingsVersion}`) : undefined;
      return [id, found?.line ?? null] as const;
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

async function readLine(tourId: string): Promise<Line | null> {
  const newest = await newestReviews(
    { tourId: toObjectId(tourId)! },
    { limit: LOOKED_AT, after: null },
  );
  const review = newest.find(hasComment);
  return review
    ? {
        text: shortened(review.comment!, LENGTH),
        rating: review.rating,
        userId: review.userId.toString(),
      }
    : null;
}
