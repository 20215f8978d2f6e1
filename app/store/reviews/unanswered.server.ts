import type { QueryFilter, Types } from "mongoose";
import { Reply, type ReplyDocument } from "../../../models/reply";
import { Review, type ReviewDocument } from "../../../models/review";
import { batches } from "../../infra/batches";
import { toObjectId } from "../../infra/ids.server";
import {
  cursorOf,
  cutPage,
  lowestFirst,
  newestFirst,
  type Place,
  placeAfter,
  placeOf,
} from "../cursor.server";
import { toListedReviews } from "./listed-review.server";
import { findMalformedReviews, ofStars, type OneOrMore } from "./malformed.server";
import { inLots, inTurn, merged, type Source } from "./merged.server";
import { newestReviews } from "./newest-reviews.server";
import {
  hasStars,
  namingAuthors,
  REVIEWS_PER_PAGE,
  type ReviewPage,
  TOURS_AT_ONCE,
} from "./page.server";
import { findAnswered, isFinal } from "./replies.server";

/** After so many reviews that were looked at in vain, a page is shown as it is. */
const MOST_SEARCHED = 1_000;

/** One number more than there are stars: the place of reviews without a rating. */
const WITHOUT_STARS = 6;

/** What a cursor into the answered reviews begins with. */
const ANSWERED = "answered_";

/** Which page of several tours' reviews, those without a reply first. */
interface Asked {
  stars: number | null;
  after: string | null;
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
 * One page of several tours' reviews: those without a reply, few stars before many and newest first; then those with
 * one, or whose reply an operator has removed, newest first. Its cost depends on the page and the number of tours.
 * Where a guide has answered a thousand reviews that would come first, the page ends there, and the cursor goes on from
 * there.
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
  { stars, after }: Asked,
): AsyncGenerator<Candidate[]> {
  const goesOn = after?.startsWith(ANSWERED) ?? false;
  const place = placeAfter(goesOn ? after!.slice(ANSWERED.length) : after);
  if (!goesOn)
    for await (const reviews of inLots(byStars(tourIds, stars, place), REVIEWS_PER_PAGE + 1)) {
      const answered = await findAnswered(reviews.map(({ _id }) => _id));
      yield reviews.map((review) => ({
        cursor: cursorOf(placeOf(review)),
        review: answered.has(review._id.toString()) ? null : review,
      }));
    }
  const own = new Set(tourIds.map(String));
  const replies = newestReplies(tourIds, goesOn ? place : null);
  for await (const lot of inLots(replies, REVIEWS_PER_PAGE + 1)) {
    const ids = lot.map(({ _id }) => _id);
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

/** The tours' reviews after the place, few stars before many and newest first, read while they are taken. */
async function* byStars(
  tourIds: Types.ObjectId[],
  stars: number | null,
  after: Place | null,
): AsyncGenerator<ReviewDocument> {
  const groups: { tourId: OneOrMore; malformed: Set<string> }[] = [];
  const found: ReviewDocument[] = [];
  for (const tourId of groupsOf(tourIds)) {
    const malformed = await findMalformedReviews({ tourId });
    groups.push({ tourId, malformed: new Set(malformed.map(({ _id }) => _id.toString())) });
    found.push(...malformed.filter((review) => hasStars(review, stars)));
  }
  const inOrder = { place: after, size: found.length, order: lowestFirst };
  let malformed = cutPage(found, inOrder).rows;
  const reached = after === null ? 0 : (after.rating ?? WITHOUT_STARS);
  for (const level of [...(stars ? [stars] : [1, 2, 3, 4, 5]), WITHOUT_STARS]) {
    const isHere = ({ rating }: ReviewDocument) => (rating ?? WITHOUT_STARS) <= level;
    const sources: Source<ReviewDocument>[] = [malformed.filter(isHere).values()];
    malformed = malformed.filter((review) => !isHere(review));
    if (level >= reached && level < WITHOUT_STARS)
      for (const group of groups) {
        const selection = ofStars(group.tourId, level, group.malformed.size > 0);
        // Those that are not in their place in the index come after all others of the same stars.
        const read = async (limit: number, place: Place | null) =>
          (await newestReviews(selection, { limit, after: place })).filter(
            ({ _id }) => !group.malformed.has(_id.toString()),
          );
        const start = level === reached ? after : null;
        sources.push(inTurn(read, placeOf, { after: start, size: REVIEWS_PER_PAGE + 1 }));
      }
    yield* merged(sources, (a, b) => lowestFirst(placeOf(a), placeOf(b)));
  }
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
