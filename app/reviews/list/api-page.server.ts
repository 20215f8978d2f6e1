import { z } from "zod";
import { Tour, type TourDocument } from "#models/tour";
import { reviewCursor } from "~/db/cursor.server";
import { toObjectId } from "~/db/ids.server";
import {
  cursorParameter,
  notPrepared,
  pageSize,
  queryNumber,
  wordsParameter,
} from "~/db/page-query.server";
import { texts } from "~/lib/refusal-texts";
import { REVIEW_SORTS } from "~/lib/review-limits";
import { EXAMPLE_TOUR, type Review } from "~/reviews/schemas";
import type { PublicReply } from "~/reviews/replies/replies.server";
import type { ListedReview } from "./listed-review.server";
import { getReviewPage } from "./page.server";

const INCLUDED = ["reply", "verified", "editedAt", "visitedAt"] as const;
type Included = (typeof INCLUDED)[number];

const isIncluded = (name: string): name is Included => INCLUDED.some((known) => known === name);

const languageError = { error: "lang must be a language tag such as en" };

/** Query of GET /api/reviews (docs/rules/reviews.md, Listing): all but `tourId` ask for the list in pages. */
export const ListReviewsQuery = z
  .object({
    tourId: z
      .string({ error: texts.tourIdRequired })
      .min(1, { error: texts.tourIdRequired })
      .meta({
        description: "The tour's id. An unknown tour has no reviews.",
        examples: [EXAMPLE_TOUR],
      }),
    limit: pageSize,
    after: cursorParameter(reviewCursor),
    rating: queryNumber("rating", 1, 5)
      .optional()
      .meta({ description: "Only those of so many stars.", examples: [5] }),
    lang: z
      .string()
      .regex(/^[a-z]{2,3}$/, languageError)
      .optional()
      .meta({
        description: "Only those with a comment in that language, as it was recognised.",
        examples: ["en"],
      }),
    q: wordsParameter.meta({
      description: "Only those with all of these words, in any form.",
      examples: ["boat"],
    }),
    withText: z
      .enum(["true", "false"], { error: "withText must be true or false" })
      .optional()
      .meta({ description: "`true`: only those with a comment.", examples: ["true"] }),
    sort: z
      .enum(REVIEW_SORTS, { error: `sort must be one of ${REVIEW_SORTS.join(", ")}` })
      .optional()
      .meta({ description: "Their order: `newest` without it.", examples: ["highest"] }),
    include: z
      .string()
      .refine((value) => value.split(",").every(isIncluded), {
        error: `include must be some of ${INCLUDED.join(", ")}, separated by commas`,
      })
      .optional()
      .meta({
        description:
          "Adds to each review its guide's `reply`, whether it is `verified`, `editedAt`, and `visitedAt`, when its author last took part before.",
        examples: ["reply,verified"],
      }),
  })
  .refine(({ sort, after }) => !after || hasPlaceIn(sort, after), {
    error: texts.badCursor,
    path: ["after"],
  });

type ListReviewsQuery = z.output<typeof ListReviewsQuery>;

const hasPlaceIn = (sort: string | undefined, after: string) =>
  sort !== "telling" || reviewCursor.decode(after)?.telling !== undefined;

/** Returns whether a query asks for a page, and not for the whole list. */
export const asksForPage = ({ tourId: _, ...paging }: ListReviewsQuery): boolean =>
  Object.values(paging).some((value) => value !== undefined);

export type IncludingReview = z.output<typeof Review>;

/**
 * Returns a page of a tour's reviews and the cursor of the next one. An unknown tour has none. Throws `RateLimitError`
 * 503 while a search has to wait until the tour's many reviews have been read.
 */
export async function listReviewsInPages(
  query: ListReviewsQuery,
): Promise<{ reviews: IncludingReview[]; next: string | null }> {
  const id = toObjectId(query.tourId);
  const tour = id && (await Tour.findById(id, "ratingsVersion").lean<TourDocument>());
  if (!tour) return { reviews: [], next: null };
  const { reviews, next, preparing } = await getReviewPage(tour, {
    sort: query.sort ?? "newest",
    stars: query.rating ?? null,
    commented: query.withText === "true",
    words: query.q?.trim() ?? "",
    language: query.lang ?? null,
    after: query.after ?? null,
    size: query.limit,
  });
  if (preparing) throw notPrepared();
  const included = query.include?.split(",").filter(isIncluded) ?? [];
  return { reviews: reviews.map((review) => including(review, included)), next };
}

/** Returns a review as the API shows it, with these fields beyond those that all have. */
export function including(review: ListedReview, included: readonly Included[] = INCLUDED) {
  const { id, tourId, userId, rating, comment, createdAt, user } = review;
  const shown: IncludingReview = { id, tourId, userId, rating, comment, createdAt, user };
  const { reply, verified, editedAt, visitedAt } = review;
  const more = { reply: reply && withoutRest(reply), verified, editedAt, visitedAt };
  return Object.assign(shown, ...included.map((name) => ({ [name]: more[name] }))) as typeof shown;
}

const withoutRest = ({ text, createdAt, editedAt, user }: PublicReply): PublicReply => ({
  text,
  createdAt,
  editedAt,
  user,
});
