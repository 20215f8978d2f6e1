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
import type { CurrentUser } from "~/accounts/users.server";
import { cutPage, newestFirst, type RowOrder, reviewCursor } from "~/db/cursor.server";
import { toObjectId } from "~/db/ids.server";
import { findAuthors } from "~/accounts/people.server";
import { env } from "~/config/env.server";
import { shortened } from "~/lib/shortened.server";
import { findTours } from "~/tours/named-tour.server";
import { actionInWords, SEARCHED_CASES } from "~/moderation/labels";
import { findReports } from "./case-reports.server";
import { actionsFor, decisionBlocker, requireCase } from "./decide.server";
import { requireDecider } from "./operators.server";
import { findReportedContent, isChanged, type Item, tagOfAll } from "./reported-content.server";

/** How many cases or earlier decisions stand on a page. */
const PER_PAGE = 20;

const LISTED = "kind state rank reasons reports since tourId authorId snapshot decisions.action";

/** The longest beginning of a text that a list shows, in characters. */
const LONGEST_BEGINNING = 120;

const WAITING: CaseState[] = ["open", "appealed"];

/** A case has its rank where a review has its stars. */
const byUrgency: RowOrder = (a, b) => (a.rating ?? 0) - (b.rating ?? 0) || newestFirst(b, a);

export type WaitingCases = Awaited<ReturnType<typeof waitingCases>>;

/**
 * Returns a page of the cases that wait, after the one that the cursor names: danger to life first, then those that
 * have waited longest. A malformed cursor is the first page.
 */
export async function waitingCases(after: string | null = null) {
  const place = reviewCursor.decode(after);
  const found: CaseDocument[] = [];
  const firstRank = place?.rating ?? 0;
  const since = new Date(place?.time ?? 0);
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
  return { items: await toListedCases(page.rows), next: page.next };
}

/** Returns the cases that were decided last and have the words: in the tour's title, the author's name or the text. */
export async function decidedCases(words: string, after: string | null = null) {
  const place = reviewCursor.decode(after);
  const search = searchable(words);
  const size = search ? SEARCHED_CASES : PER_PAGE + 1;
  // A query for each rank, so that each is one range of the index.
  const ranges =
    place && !search
      ? [
          { since: new Date(place.time), _id: { $lt: toObjectId(place.id) } },
          { since: { $lt: new Date(place.time) } },
        ]
      : [{}];
  const queries = ([0, 1] as const).flatMap((rank) =>
    ranges.map((range) =>
      Case.find({ state: "decided", rank, ...range }, LISTED)
        .sort({ since: -1, _id: -1 })
        .limit(size)
        .lean<CaseDocument[]>(),
    ),
  );
  const found = (await Promise.all(queries)).flat();
  const rows = found.map((one) => ({ ...one, createdAt: one.since, rating: null }));
  if (!search) {
    const page = cutPage(rows, { place, size: PER_PAGE, order: newestFirst });
    return { items: await toListedCases(page.rows), next: page.next };
  }
  const newest = cutPage(rows, { place: null, size: SEARCHED_CASES, order: newestFirst }).rows;
  const items = (await toListedCases(newest)).filter(({ tourTitle, author }, index) =>
    [tourTitle, author, newest[index]?.snapshot?.text ?? ""].some((text) =>
      searchable(text).includes(search),
    ),
  );
  return { items, next: null };
}

/** Without differences of case and accents. */
const searchable = (text: string) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();

async function toListedCases(rows: CaseDocument[]) {
  const [tours, people] = await Promise.all([
    findTours(rows.map(({ tourId }) => tourId)),
    findAuthors(
      rows.map(({ authorId }) => authorId.toString()),
      { remember: false },
    ),
  ]);
  return rows.map((row) => ({
    ...toListedCase(row),
    tourTitle: tours.get(row.tourId.toString())?.title ?? "A former tour",
    // Empty for a former account.
    author: people.get(row.authorId.toString()).name,
    rating: row.snapshot?.rating ?? null,
    beginning: row.snapshot?.text ? shortened(row.snapshot.text, LONGEST_BEGINNING) : null,
    done: lastActionInWords(row),
  }));
}

/** More waiting cases than these are not counted. */
const MOST_COUNTED = 100;

/** Returns how many cases wait for an operator, up to 100; null for everybody else. */
export async function countWaitingCases({ isOperator }: CurrentUser): Promise<number | null> {
  if (!isOperator) return null;
  const counts = await Promise.all(
    WAITING.map((state) => Case.countDocuments({ state }).limit(MOST_COUNTED)),
  );
  return Math.min(
    MOST_COUNTED,
    counts.reduce((total, count) => total + count, 0),
  );
}

function lastActionInWords({ decisions, kind }: CaseDocument): string | null {
  const last = decisions.at(-1);
  return last ? actionInWords(last.action, kind) : null;
}

const toListedCase = ({ _id, kind, state, rank, reasons, reports, since }: CaseDocument) => ({
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
  const personName = (id: Types.ObjectId) => people.get(id.toString()).name;
  const toPublicDecisions = (one: CaseDocument) =>
    one.decisions.map((decision) => ({
      ...toPublicDecision(decision, one.kind),
      // Empty for a former account.
      operator: personName(decision.operatorId),
    }));
  return {
    ...toListedCase(found),
    version,
    openedAt,
    appeals,
    snapshot,
    /** As it is now; null when it is gone. */
    item: item && { ...item.snapshot, state: item.state, changed: isChanged(item, found) },
    tag: await tagOfAll(found, item),
    beside: await findBeside(found, item),
    author: personName(authorId),
    tour: tour && { title: tour.title, slug: tour.slug },
    // One zone for all times that an operator compares.
    timeZone: env().timeZone,
    reported,
    decisions: toPublicDecisions(found),
    earlierOfAuthor: others.flatMap(toPublicDecisions),
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
