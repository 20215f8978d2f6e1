import type { Types } from "mongoose";
import {
  Case,
  type CaseDecision,
  type CaseDocument,
  type CaseState,
  type ItemKind,
} from "#models/case";
import { Reply, type ReplyDocument } from "#models/reply";
import { Tour, type TourDocument } from "#models/tour";
import type { Caller } from "~/accounts/caller.server";
import { cutPage, newestFirst, type Order, placeAfter } from "~/db/cursor.server";
import { toObjectId } from "~/db/ids.server";
import { findAuthors } from "~/db/people.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { findTours } from "~/tours/named-tour.server";
import { actionInWords } from "~/ui/labels";
import { findReports } from "./case-reports.server";
import { actionsFor, decisionBlocker, requireCase } from "./decide.server";
import { isOperator, requireDecider } from "./operators.server";
import { findReportedContent, isChanged, type Item, tagOfAll } from "./reported-content.server";

/** How many cases or earlier decisions stand on a page. */
const PER_PAGE = 20;

/** Not its words, of which there may be many. */
const LISTED = "kind state rank reasons reports since tourId";

const WAITING: CaseState[] = ["open", "appealed"];

/** A case has its rank where a review has its stars. */
const byUrgency: Order = (a, b) => (a.rating ?? 0) - (b.rating ?? 0) || newestFirst(b, a);

export type WaitingCases = Awaited<ReturnType<typeof waitingCases>>;

/**
 * Returns a page of the cases that wait, after the one that the cursor names: danger to life first, then those that
 * have waited longest. A malformed cursor is the first page.
 */
export async function waitingCases(after: string | null = null) {
  const place = placeAfter(after);
  const found: CaseDocument[] = [];
  const [firstRank, since] = place ? [place.rating ?? 0, new Date(place.time)] : [0, new Date(0)];
  for (const rank of [0, 1] as const) {
    if (rank < firstRank) continue;
    // A query for each state and part of the order, so that each is one range of the index.
    const ranges =
      place && rank === firstRank
        ? [{ since, _id: { $gt: toObjectId(place.id) } }, { since: { $gt: since } }]
        : [{}];
    const queries = WAITING.flatMap((state) =>
      ranges.map((range) =>
        Case.find({ state, rank, ...range }, LISTED)
          .sort({ since: 1, _id: 1 })
          .limit(PER_PAGE + 1)
          .lean<CaseDocument[]>(),
      ),
    );
    found.push(...(await Promise.all(queries)).flat());
    if (found.length > PER_PAGE) break;
  }
  const rows = found.map((one) => ({ ...one, createdAt: one.since, rating: one.rank }));
  const page = cutPage(rows, { place, size: PER_PAGE, order: byUrgency });
  const tours = await findTours(page.rows.map(({ tourId }) => tourId));
  return {
    items: page.rows.map((row) => ({
      ...toListed(row),
      tourTitle: tours.get(row.tourId.toString())?.title ?? "A former tour",
    })),
    next: page.next,
  };
}

/** More waiting cases than these are not counted. */
const MOST_COUNTED = 100;

/** Returns how many cases wait for an operator, up to 100; null for everybody else. */
export async function countWaitingCases(user: Caller): Promise<number | null> {
  if (!(await isOperator(user))) return null;
  const [open, appealed] = await Promise.all(
    WAITING.map((state) => Case.countDocuments({ state }).limit(MOST_COUNTED)),
  );
  return Math.min(MOST_COUNTED, open! + appealed!);
}

const toListed = ({ _id, kind, state, rank, reasons, reports, since }: CaseDocument) => ({
  id: _id.toString(),
  kind,
  state,
  reasons,
  reports,
  isUrgent: rank === 0,
  since,
});

export type PublicDecision = ReturnType<typeof toPublicDecision>;

/** Returns a decision as pages show it, without who made it. */
export const toPublicDecision = (
  { _id, operatorId: _, ...decision }: CaseDecision,
  kind: ItemKind,
) => ({
  ...decision,
  id: _id.toString(),
  done: actionInWords(decision.action, kind),
});

export type OperatorCase = Awaited<ReturnType<typeof getCase>>;

/** Returns a case for its page, with the reports after the cursor; throws `ServiceError` 404, and 403 for no operator. */
export async function getCase(
  operator: Caller,
  caseId: string,
  { after = null }: { after?: string | null } = {},
) {
  const decider = await requireDecider(operator);
  const found = await requireCase(caseId);
  const { _id, tourId, authorId, snapshot, version, openedAt, appeals } = found;
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
      // Empty for a former account.
      operator: nameOf(decision.operatorId),
    }));
  return {
    ...toListed(found),
    version,
    openedAt,
    appeals,
    snapshot,
    /** As it is now; null when it is gone. */
    item: item && { ...item.snapshot, state: item.state, changed: isChanged(item, found) },
    tag: await tagOfAll(found, item),
    beside: await findBeside(found, item),
    author: nameOf(authorId),
    tour: tour && { title: tour.title, slug: tour.slug },
    timeZone: zoneOf(tour),
    reported,
    decisions: decisionsOf(found),
    earlierOfAuthor: others.flatMap(decisionsOf),
    actions: actionsFor(item, found),
    /** Why this operator may not decide; null if they may. */
    refusal: await decisionBlocker(decider, found, { item, tour }),
  };
}

/** Returns the reply to a review, or the review that a reply answers. */
async function findBeside(found: CaseDocument, item: Item | null) {
  if (found.kind === "reply")
    return item?.review ? { rating: item.review.rating, text: item.review.comment } : null;
  const reply = await Reply.findById(found.reviewId).lean<ReplyDocument>();
  return reply?.text ? { rating: null, text: reply.text } : null;
}
