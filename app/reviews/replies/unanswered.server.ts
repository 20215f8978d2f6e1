import type { QueryFilter, Types } from "mongoose";
import { Reply, type ReplyDocument } from "#models/reply";
import { Review, type ReviewDocument } from "#models/review";
import { batches } from "~/db/batches";
import { toObjectId } from "~/db/ids.server";
import {
  cursorOf,
  cutPage,
  newestFirst,
  type Place,
  placeAfter,
  placeOf,
} from "~/db/cursor.server";
import { hasComment, WITH_COMMENT } from "~/reviews/list/commented.server";
import { toListedReviews } from "~/reviews/list/listed-review.server";
import { findMalformedReviews, ofStars, type OneOrMore } from "~/reviews/list/malformed.server";
import { newestReviews } from "~/reviews/list/newest-reviews.server";
import {
  hasStars,
  namingAuthors,
  REVIEWS_PER_PAGE,
  type ReviewPage,
  TOURS_AT_ONCE,
} from "~/reviews/list/page.server";
import { inLots, inTurn, merged, type Source } from "./merged.server";
import { findAnswered, isFinal } from "./replies.server";

/** After so many reviews that were looked at in vain, a page is shown as it is. */
const MOST_SEARCHED = 1_000;

/**
 * A cursor begins with one: into reviews without a reply and with a comment, those without either, and the answered.
 */
const WITHOUT_COMMENT = "wordless_";
const ANSWERED = "answered_";
const PARTS = ["", WITHOUT_COMMENT, ANSWERED];

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

/** A place that was looked at, and the review that was found there; null for none that is to be shown. */
interface Candidate {
  cursor: string;
  review: ReviewDocument | null;
}

/**
 * Those without a reply and with a comment, then those without either, then those with a reply, or whose reply an
 * operator has removed; each newest first. Where a thousand reviews that would come first are not for the page, it
 * ends there, and the cursor goes on from there.
 */
export async function pageUnansweredFirst(
  tourIds: Types.ObjectId[],
  asked: Asked,
): Promise<UnansweredPage> {
  const found: { cursor: string; review: ReviewDocument }[] = [];
  let searched = 0;
  let last: string | null = null;
  const isFull = () => found.length > REVIEWS_PER_PAGE;
  for await (const lot of candidates(tourIds, asked)) {
    for (const { cursor, review } of lot) if (review) found.push({ cursor, review });
    searched += lot.length;
    if (searched >= MOST_SEARCHED) last = lot.at(-1)!.cursor;
    if (isFull() || last) break;
  }
  const shown = found.slice(0, REVIEWS_PER_PAGE);
  const next = isFull() ? shown.at(-1)!.cursor : last;
  return namingAuthors({
    reviews: await toListedReviews(shown.map(({ review }) => review)),
    next,
    searched: next && shown.length < REVIEWS_PER_PAGE ? searched : null,
  });
}

/** All reviews that may be on the page, in its order, as many at a time as one query asks for the replies of. */
async function* candidates(
  tourIds: Types.ObjectId[],
  { stars, after, stays = null }: Asked,
): AsyncGenerator<Candidate[]> {
  const from = PARTS.findLast((part) => after?.startsWith(part)) ?? "";
  const place = placeAfter(after?.slice(from.length) ?? null);
  for (const part of ["", WITHOUT_COMMENT]) {
    if (PARTS.indexOf(part) < PARTS.indexOf(from)) continue;
    const commented = part === "";
    const reviews = newest(tourIds, { stars, commented, after: part === from ? place : null });
    for await (const lot of inLots(reviews, REVIEWS_PER_PAGE + 1)) {
      const here = lot.filter((review) => hasComment(review) === commented);
      const answered = await findAnswered(here.map(({ _id }) => _id));
      answered.delete(stays ?? "");
      const waiting = new Set(here.filter(({ _id }) => !answered.has(_id.toString())));
      yield lot.map((review) => ({
        cursor: part + cursorOf(placeOf(review)),
        review: waiting.has(review) ? review : null,
      }));
    }
  }
  const own = new Set(tourIds.map(String));
  const replies = newestReplies(tourIds, from === ANSWERED ? place : null);
  for await (const lot of inLots(replies, REVIEWS_PER_PAGE + 1)) {
    const ids = lot.map(({ _id }) => _id).filter((_id) => _id.toString() !== stays);
    const found = await Review.find({ _id: { $in: ids } }).lean<ReviewDocument[]>();
    // A platform may have moved one to a tour of another guide.
    const wanted = found.filter((one) => hasStars(one, stars) && own.has(one.tourId.toString()));
    const reviews = new Map(wanted.map((review) => [review._id.toString(), review]));
    yield lot.map((reply) => ({
      cursor: ANSWERED + cursorOf(placeOfReply(reply)),
      review: (isFinal(reply) && reviews.get(reply._id.toString())) || null,
    }));
  }
}

/** The tours' reviews with or without a comment after the place, newest first, read while they are taken. */
async function* newest(
  tourIds: Types.ObjectId[],
  { stars, after, commented }: { stars: number | null; after: Place | null; commented: boolean },
): AsyncGenerator<ReviewDocument> {
  const sources: Source<ReviewDocument>[] = [];
  for (const tourId of groupsOf(tourIds)) {
    const malformed = await findMalformedReviews({ tourId });
    const wanted = malformed.filter(
      (review) => hasStars(review, stars) && hasComment(review) === commented,
    );
    sources.push(cutPage(wanted, { place: after, size: wanted.length }).rows.values());
    // Those without a time of their own are none of the index's order.
    const only = {
      ...(commented && WITH_COMMENT),
      ...(malformed.length > 0 && { createdAt: { $type: "date" as const } }),
    };
    const read = (filter: QueryFilter<ReviewDocument>) => (limit: number, place: Place | null) =>
      newestReviews(filter, {
        limit,
        after: place,
        only: Object.keys(only).length > 0 ? only : undefined,
      });
    // The index of comments has them by stars.
    for (const rating of stars ? [stars] : commented ? [1, 2, 3, 4, 5] : [null]) {
      const filter = rating ? ofStars(tourId, rating, malformed.length > 0) : { tourId };
      const rows = inTurn(read(filter), placeOf, { after, size: REVIEWS_PER_PAGE + 1 });
      sources.push(without(malformed, rows));
    }
  }
  yield* merged(sources, (a, b) => newestFirst(placeOf(a), placeOf(b)));
}

async function* without(
  left: ReviewDocument[],
  reviews: AsyncIterable<ReviewDocument>,
): AsyncGenerator<ReviewDocument> {
  const ids = new Set(left.map(({ _id }) => _id.toString()));
  for await (const review of reviews) if (!ids.has(review._id.toString())) yield review;
}

/** The replies to the tours' reviews, by when these were written, from the newest on. */
function newestReplies(
  tourIds: Types.ObjectId[],
  after: Place | null,
): AsyncGenerator<ReplyDocument> {
  const sources = groupsOf(tourIds).map((tourId) => {
    const read = async (limit: number, place: Place | null) => {
      const rows: ReplyDocument[] = [];
      const add = async (range: QueryFilter<ReplyDocument>) => {
        const query = Reply.find({ tourId, ...range }).sort({ reviewedAt: -1, _id: -1 });
        const most = limit - rows.length;
        if (most > 0) rows.push(...(await query.limit(most).lean<ReplyDocument[]>()));
      };
      if (!place) await add({});
      else {
        const reviewedAt = new Date(place.time);
        await add({ reviewedAt, _id: { $lt: toObjectId(place.id)! } });
        await add({ reviewedAt: { $lt: reviewedAt } });
      }
      return rows;
    };
    return inTurn(read, placeOfReply, { after, size: REVIEWS_PER_PAGE + 1 });
  });
  return merged(sources, (a, b) => newestFirst(placeOfReply(a), placeOfReply(b)));
}

const placeOfReply = ({ _id, reviewedAt }: ReplyDocument): Place =>
  placeOf({ _id, createdAt: reviewedAt });

const groupsOf = (tourIds: Types.ObjectId[]): OneOrMore[] =>
  [...batches(tourIds, TOURS_AT_ONCE)].map((some) =>
    some.length === 1 ? some[0]! : { $in: some },
  );
