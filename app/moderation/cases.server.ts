import { Types } from "mongoose";
import {
  type Action,
  Case,
  type CaseDocument,
  type CaseState,
  type ItemKind,
  type Party,
  type Reason,
} from "#models/case";
import { Reply, type ReplyDocument } from "#models/reply";
import { Tour, type TourDocument } from "#models/tour";
import { toObjectId } from "~/db/ids.server";
import type { CursorPage } from "~/db/cursor.server";
import { findAuthors } from "~/db/people.server";
import type { Caller } from "~/accounts/caller.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { type CaseReport, findReports } from "./case-reports.server";
import { actionsFor, requireCase, decisionBlocker } from "./decide.server";
import { findReportedContent, isChanged, type Item, tagOfAll } from "./reported-content.server";
import { isOperator, requireDecider } from "./operators.server";
import { type PublicDecision, toPublicDecision } from "./public-decision.server";

/** How many cases or earlier decisions stand on a page. */
const PER_PAGE = 20;

/** A case in the queue. */
export interface ListedCase {
  id: string;
  kind: ItemKind;
  state: CaseState;
  isUrgent: boolean;
  reasons: Reason[];
  reports: number;
  /** ISO 8601, UTC. */
  since: string;
  tourTitle: string;
}

/** What a case in the queue needs: not its words, of which there may be many. */
const LISTED = "kind state rank reasons reports since tourId";

/** Which states wait, in no order of theirs. */
const WAITING: CaseState[] = ["open", "appealed"];

/**
 * A page of the cases that wait: danger to life first, then those that have waited longest; after the one that the
 * cursor names. A malformed cursor is the first page.
 */
export async function waitingCases(after: string | null = null): Promise<CursorPage<ListedCase>> {
  const [, rank, time, id] = /^([01])_(\d{1,15})_([0-9a-f]{24})$/.exec(after ?? "") ?? [];
  const place = id ? { rank: Number(rank), since: new Date(Number(time)), id } : null;
  const found: CaseDocument[] = [];
  for (const level of [0, 1] as const) {
    if (place && level < place.rank) continue;
    const from = place?.rank === level ? place : null;
    // A query for each state and part of the order, so that each is one range of the index.
    const ranges = from
      ? [{ since: from.since, _id: { $gt: toObjectId(from.id) } }, { since: { $gt: from.since } }]
      : [{}];
    const queries = WAITING.flatMap((state) =>
      ranges.map((range) =>
        Case.find({ state, rank: level, ...range }, LISTED)
          .sort({ since: 1, _id: 1 })
          .limit(PER_PAGE + 1)
          .lean<CaseDocument[]>(),
      ),
    );
    const ofLevel = (await Promise.all(queries)).flat();
    found.push(...ofLevel.sort((a, b) => a.since.getTime() - b.since.getTime() || compare(a, b)));
    if (found.length > PER_PAGE) break;
  }
  const page = found.slice(0, PER_PAGE);
  const last = page.at(-1);
  return {
    items: await withTours(page),
    next:
      last && found.length > PER_PAGE
        ? `${last.rank}_${last.since.getTime()}_${last._id.toString()}`
        : null,
  };
}

/** More waiting cases than these are not counted. */
const MOST_COUNTED = 100;

/** How many cases wait for an operator, up to 100; null for everybody else. */
export async function countWaitingCases(user: Caller): Promise<number | null> {
  if (!(await isOperator(user))) return null;
  const counts = await Promise.all(
    WAITING.map((state) => Case.countDocuments({ state }).limit(MOST_COUNTED)),
  );
  return Math.min(
    MOST_COUNTED,
    counts.reduce((sum, count) => sum + count),
  );
}

const compare = (a: CaseDocument, b: CaseDocument) =>
  a._id.toString() < b._id.toString() ? -1 : 1;

async function withTours(cases: CaseDocument[]): Promise<ListedCase[]> {
  const tours = await Tour.find({ _id: { $in: cases.map(({ tourId }) => tourId) } }, "title").lean<
    TourDocument[]
  >();
  const titles = new Map(tours.map(({ _id, title }) => [_id.toString(), title]));
  return cases.map((found) => ({
    ...toListed(found),
    tourTitle: titles.get(found.tourId.toString()) ?? "A former tour",
  }));
}

const toListed = ({ _id, kind, state, rank, reasons, reports, since }: CaseDocument) => ({
  id: _id.toString(),
  kind,
  state,
  reasons,
  reports,
  isUrgent: rank === 0,
  since: since.toISOString(),
});

/** What was decided, as an operator sees it. */
export interface EarlierDecision extends PublicDecision {
  /** Empty for a former account. */
  operator: string;
}

/** A case as an operator sees it before deciding. */
export interface OperatorCase extends Omit<ListedCase, "tourTitle"> {
  version: number;
  openedAt: string;
  reviewId: string;
  /** As it was reported; null once it was removed. */
  snapshot: { rating: number | null; text: string | null } | null;
  /** As it is now; null when it is gone. */
  item: {
    state: Item["state"];
    rating: number | null;
    text: string | null;
    changed: boolean;
  } | null;
  /** The tag that the form carries. */
  tag: string;
  /** What stands beside it: the reply to a review, or the review that a reply answers. */
  beside: { rating: number | null; text: string | null } | null;
  author: string;
  tour: { title: string; slug: string } | null;
  timeZone: string;
  reported: CursorPage<CaseReport>;
  decisions: EarlierDecision[];
  appeals: { by: Party; text: string | null; at: string }[];
  /** What was decided about the author in other cases, latest first. */
  earlierOfAuthor: EarlierDecision[];
  actions: Action[];
  /** Why this operator may not decide; null if they may. */
  refusal: string | null;
}

/** Returns a case for its page, with the reports after the cursor; throws `ServiceError` 404, and 403 for no operator. */
export async function getCase(
  operator: Caller,
  caseId: string,
  { after = null }: { after?: string | null } = {},
): Promise<OperatorCase> {
  const decider = await requireDecider(operator);
  const found = await requireCase(caseId);
  const { _id, reviewId, tourId, authorId, snapshot } = found;
  const [item, tour, reported, others] = await Promise.all([
    findReportedContent(found),
    Tour.findById(tourId).lean<TourDocument>(),
    findReports(_id, after),
    Case.find({ authorId, _id: { $ne: _id } })
      .sort({ openedAt: -1 })
      .limit(PER_PAGE)
      .lean<CaseDocument[]>(),
  ]);
  const operators = [found, ...others].flatMap(({ decisions }) =>
    decisions.map(({ operatorId }) => operatorId.toString()),
  );
  const people = await findAuthors([authorId.toString(), ...operators]);
  const nameOf = (id: Types.ObjectId) => people.get(id.toString())!.name;
  const decisionsOf = (one: CaseDocument) =>
    one.decisions.map((decision) => ({
      ...toPublicDecision(decision, one.kind),
      operator: nameOf(decision.operatorId),
    }));
  return {
    ...toListed(found),
    version: found.version,
    openedAt: found.openedAt.toISOString(),
    reviewId: reviewId.toString(),
    snapshot: snapshot && { rating: snapshot.rating, text: snapshot.text },
    item: item && {
      state: item.state,
      rating: item.snapshot.rating,
      text: item.snapshot.text,
      changed: isChanged(item, found),
    },
    tag: await tagOfAll(found, item),
    beside: await findBeside(found, item),
    author: nameOf(authorId),
    tour: tour && { title: tour.title, slug: tour.slug },
    timeZone: zoneOf(tour),
    reported,
    decisions: decisionsOf(found),
    appeals: found.appeals.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
    earlierOfAuthor: others.flatMap(decisionsOf),
    actions: actionsFor(item, found),
    refusal: await decisionBlocker(decider, found, { item, tour }),
  };
}

async function findBeside(found: CaseDocument, item: Item | null): Promise<OperatorCase["beside"]> {
  if (found.kind === "reply")
    return item?.review ? { rating: item.review.rating, text: item.review.comment } : null;
  const reply = await Reply.findById(found.reviewId).lean<ReplyDocument>();
  return reply?.text ? { rating: null, text: reply.text } : null;
}
