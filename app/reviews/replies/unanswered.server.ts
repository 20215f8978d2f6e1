import { uniqBy } from "es-toolkit";
import type { Types } from "mongoose";
import type { ReplyDocument } from "#models/reply";
import type { ReviewDocument } from "#models/review";
import { reviewCursor, reviewPlace } from "~/db/cursor.server";
import { hasComment } from "~/reviews/list/commented.server";
import { toListedReviews } from "~/reviews/list/listed-review.server";
import {
  namingAuthors,
  readRows,
  type ReviewPage,
  REVIEWS_PER_PAGE,
} from "~/reviews/list/page.server";
import { findAnswers, type RemovedReply, removedReplies } from "./replies.server";

/** How many of the newest reviews are read for a first page. */
const NEWEST = 1_000;
/** How many are read behind a cursor, or among those with a comment. */
const FURTHER = 500;

// The parts of the order, one behind the other, by what a cursor into them begins with.
const COMMENTED = "";
const WORDLESS = "wordless_";
const ANSWERED = "answered_";
const PARTS = [COMMENTED, WORDLESS, ANSWERED];

interface UnansweredQuery {
  stars: number | null;
  after: string | null;
  /** The id of a review that stays where it was before it was answered. */
  stays?: string | null;
}

export interface UnansweredPage extends ReviewPage {
  /** How many reviews were read when the search ended before the page was full; null if it did not. */
  searched: number | null;
  /** The replies that operators have removed, by their reviews' ids. */
  removed: Map<string, RemovedReply>;
  /** How many reviews wait for a reply; null where not all were read. */
  waiting: number | null;
}

/** Reviews one behind the other by their time, the newest first. */
interface RowPage {
  rows: AnsweredRow[];
  /** The cursor behind the last of them; null where there are no more. */
  next: string | null;
}

interface AnsweredRow {
  review: ReviewDocument;
  /** A reply that is there to be read, or that an operator has removed. */
  answer: ReplyDocument | null;
  part: string;
}

/**
 * Those without a reply and with a comment, then those without either, then those with a reply, or whose reply an
 * operator has removed; each newest first. Where those that were read are of other parts, it ends there, and the
 * cursor goes on from there.
 */
export async function getUnansweredFirst(
  tourIds: Types.ObjectId[],
  asked: UnansweredQuery,
): Promise<UnansweredPage> {
  let newest: RowPage | undefined;
  const readPart = async (part: string, after: string | null): Promise<RowPage> => {
    if (after === null) {
      newest ??= await readRowPage(tourIds, asked, { after, commented: false });
      // The newest of all fill the page of most guides.
      const areTooFew = newest.next !== null && rowsInPart(newest, part).length <= REVIEWS_PER_PAGE;
      if (part !== COMMENTED || !areTooFew) return newest;
    }
    return readRowPage(tourIds, asked, { after, commented: part === COMMENTED });
  };
  let found: AnsweredRow[] = [];
  let end: string | null = null;
  let searched = 0;
  const from = PARTS.findLast((part) => asked.after?.startsWith(part)) ?? COMMENTED;
  let after = asked.after?.slice(from.length) ?? null;
  for (const part of PARTS.slice(PARTS.indexOf(from))) {
    const page = await readPart(part, after);
    // Somebody may write a comment or withdraw a reply between two queries.
    found = uniqBy([...found, ...rowsInPart(page, part)], ({ review }) => review._id.toString());
    if (found.length > REVIEWS_PER_PAGE) break;
    if (page.next !== null) {
      searched = page.rows.length;
      end = part + page.next;
      break;
    }
    after = null;
  }
  const shown = found.slice(0, REVIEWS_PER_PAGE);
  const last = shown.at(-1);
  return namingAuthors({
    ...(await toShown(shown)),
    next: last && found.length > shown.length ? cursorBehind(last) : end,
    searched: end !== null && shown.length < REVIEWS_PER_PAGE ? searched : null,
    waiting: asked.stars === null ? countWaiting(newest) : null,
  });
}

const rowsInPart = ({ rows }: RowPage, part: string) => rows.filter((row) => row.part === part);

const countWaiting = (page: RowPage | undefined) =>
  page?.next === null ? page.rows.filter(({ part }) => part !== ANSWERED).length : null;

const cursorBehind = ({ review, part }: AnsweredRow) =>
  part + reviewCursor.encode(reviewPlace(review));

/** Reads the reviews behind a cursor, of which the index has those with a comment by themselves. */
async function readRowPage(
  tourIds: Types.ObjectId[],
  { stars, stays }: UnansweredQuery,
  where: { after: string | null; commented: boolean },
): Promise<RowPage> {
  const size = where.after === null && !where.commented ? NEWEST : FURTHER;
  const query = { ...where, stars, sort: "newest", size } as const;
  const { rows, next } = await readRows(tourIds, query);
  const answers = await findAnswers(rows.map(({ _id }) => _id));
  return {
    next,
    rows: rows.map((review) => {
      const answer = answers.get(review._id.toString()) ?? null;
      return { review, answer, part: toPart(review, answer, stays) };
    }),
  };
}

function toPart(review: ReviewDocument, answer: ReplyDocument | null, stays?: string | null) {
  if (answer && review._id.toString() !== stays) return ANSWERED;
  return hasComment(review) ? COMMENTED : WORDLESS;
}

async function toShown(rows: AnsweredRow[]) {
  const answers = rows.flatMap(({ answer }) => answer ?? []);
  const replies = new Map(answers.map((answer) => [answer._id.toString(), answer]));
  const reviews = rows.map(({ review }) => review);
  return { reviews: await toListedReviews(reviews, { replies }), removed: removedReplies(answers) };
}
