import type { Types } from "mongoose";
import type { ReviewDocument } from "#models/review";
import { cursorOf, placeAfter, placeOf } from "~/db/cursor.server";
import { hasComment } from "~/reviews/list/commented.server";
import { toListedReviews } from "~/reviews/list/listed-review.server";
import { namingAuthors, REVIEWS_PER_PAGE, type ReviewPage } from "~/reviews/list/page.server";
import { newestInLots } from "./newest-in-lots.server";
import { findAnswered } from "./replies.server";

/** After so many reviews that were looked at, a page is shown as it is. */
const MOST_SEARCHED = 1_000;

// The parts of the order, one behind the other, by what a cursor into them begins with.
const COMMENTED = "";
const WORDLESS = "wordless_";
const ANSWERED = "answered_";
const PARTS = [COMMENTED, WORDLESS, ANSWERED];

interface Asked {
  stars: number | null;
  after: string | null;
  /** The id of a review that stays where it was before it was answered. */
  stays?: string | null;
}

export interface UnansweredPage extends ReviewPage {
  /** How many reviews were looked at when the search ended before the page was full; null if it did not. */
  searched: number | null;
}

interface Candidate {
  review: ReviewDocument;
  cursor: string;
  /** Whether the part that is being read is the review's own. */
  isHere: boolean;
}

/**
 * Those without a reply and with a comment, then those without either, then those with a reply, or whose reply an
 * operator has removed; each newest first. Where a thousand reviews that were looked at are of other parts, it ends
 * there, and the cursor goes on from there.
 */
export async function pageUnansweredFirst(
  tourIds: Types.ObjectId[],
  asked: Asked,
): Promise<UnansweredPage> {
  // By id, because a malformed review may come twice.
  const found = new Map<string, Candidate>();
  let searched = 0;
  let last: string | null = null;
  for await (const lot of candidates(tourIds, asked)) {
    for (const one of lot) if (one.isHere) found.set(one.review._id.toString(), one);
    searched += lot.length;
    if (searched >= MOST_SEARCHED) last = lot.at(-1)!.cursor;
    if (last || found.size > REVIEWS_PER_PAGE) break;
  }
  const shown = [...found.values()].slice(0, REVIEWS_PER_PAGE);
  const next = found.size > REVIEWS_PER_PAGE ? shown.at(-1)!.cursor : last;
  return namingAuthors({
    reviews: await toListedReviews(shown.map(({ review }) => review)),
    next,
    searched: next && shown.length < REVIEWS_PER_PAGE ? searched : null,
  });
}

/** Reads each part through all reviews that may be in it. */
async function* candidates(
  tourIds: Types.ObjectId[],
  { stars, after, stays = null }: Asked,
): AsyncGenerator<Candidate[]> {
  const from = PARTS.findLast((part) => after?.startsWith(part)) ?? COMMENTED;
  let place = placeAfter(after?.slice(from.length) ?? null);
  for (const part of PARTS.slice(PARTS.indexOf(from))) {
    const commented = part === COMMENTED;
    for await (const lot of newestInLots(tourIds, { stars, commented, after: place })) {
      const answered = await findAnswered(lot.map(({ _id }) => _id));
      const partOf = (review: ReviewDocument) => {
        const id = review._id.toString();
        if (id !== stays && answered.has(id)) return ANSWERED;
        return hasComment(review) ? COMMENTED : WORDLESS;
      };
      yield lot.map((review) => ({
        review,
        cursor: part + cursorOf(placeOf(review)),
        isHere: partOf(review) === part,
      }));
    }
    place = null;
  }
}
