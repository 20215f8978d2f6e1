import { AsyncResource } from "node:async_hooks";
import AsyncLock from "async-lock";
import type { ClientSession, Types } from "mongoose";
import { Gauge } from "prom-client";
import { Notification, type ReviewNotification } from "../../../models/notification";
import { Review, type ReviewDocument } from "../../../models/review";
import { processRegistry } from "../../infra/metrics.server";
import { requestScope } from "../../infra/request-scope.server";
import { inTransaction, throwIfAbandoned } from "../../infra/transaction.server";
import { tourChanged } from "../tour-index/tour-refresh.server";
import { claimTour, recomputeRatings } from "./ratings.server";

/** How many changes of a tour one transaction makes at most. */
export const TOGETHER = 16;

// Transactions on one tour queue here, so that this process never conflicts with itself. A change that
// cannot start in time fails, so that the queue does not grow without a bound.
const tourQueue = new AsyncLock({ maxPending: 500, timeout: 10_000 });

/** Changes that wait, by tour. */
const waiting = new Map<string, Change[]>();

new Gauge({
  name: "tour_reviews_changes_waiting",
  help: "Changes of reviews that wait for the transaction before them on their tour.",
  registers: [processRegistry],
  collect() {
    let changes = 0;
    for (const queue of waiting.values()) changes += queue.length;
    this.set(changes);
  },
});

/** What a change inserts, beside what it has written itself, and what it answers once that is committed. */
export interface Prepared<Answer> {
  review?: ReviewDocument & { rating: number };
  notifications?: ReviewNotification[];
  answer: Answer;
}

/** Writes a change in a transaction. One that inserts and answers nothing returns nothing. */
type Prepare<Answer> = (session: ClientSession) => Promise<Prepared<Answer> | void>;

interface Options {
  /** Leaves the tour's review count as it is (docs/rules.md, Editing). */
  keepCount?: boolean;
  /** Leaves all aggregates of the tour as they are: no review changes, only what is shown with one. */
  keepRatings?: boolean;
  /** The bound of the change's transaction in milliseconds, which it then has for itself. */
  timeoutMs?: number;
}

interface Change extends Options {
  prepare: Prepare<unknown>;
  throwIfAbandoned: () => void;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * The one way in which a tour's reviews change: claim the tour, `prepare`, insert what that returns, recompute
 * the tour's aggregates, all in one transaction (docs/decisions/001-one-transaction-a-change.md). Returns the
 * prepared answer. Changes that wait for the same tour share a transaction; when it fails because of one of
 * them, each `prepare` runs again in one of its own (docs/decisions/018-shared-transactions.md).
 */
export function changeReviews<Answer = void>(
  tourId: Types.ObjectId,
  prepare: Prepare<Answer>,
  options: Options = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const change: Change = {
      ...options,
      // Bound, so that log lines and deadline are those of the change's own request.
      prepare: AsyncResource.bind(prepare),
      throwIfAbandoned: AsyncResource.bind(throwIfAbandoned),
      resolve: (answer) => resolve(answer as Answer),
      reject,
    };
    const key = tourId.toString();
    const queue = waiting.get(key) ?? [];
    waiting.set(key, queue);
    queue.push(change);
    const makeNext = () => makeTogether(tourId, takeNext(key));
    // Does nothing when another transaction has made the change: it must not begin a transaction of its own.
    const begin = async () => {
      if (queue.includes(change)) await requestScope.exit(makeNext);
    };
    tourQueue.acquire(key, begin).catch((error: Error) => {
      // The change has waited too long, unless another transaction has made it.
      const index = queue.indexOf(change);
      if (index < 0) return;
      queue.splice(index, 1);
      if (queue.length === 0) waiting.delete(key);
      reject(error);
    });
  });
}

/** Takes the next changes from the queue. */
function takeNext(key: string): Change[] {
  const queue = waiting.get(key) ?? [];
  const alone = queue.findIndex(({ timeoutMs }) => timeoutMs !== undefined);
  const count = alone === 0 ? 1 : alone === -1 ? TOGETHER : Math.min(TOGETHER, alone);
  const changes = queue.splice(0, count);
  if (queue.length === 0) waiting.delete(key);
  return changes;
}

/** Makes the changes in one transaction, or each in its own when one of them fails. Never rejects. */
async function makeTogether(tourId: Types.ObjectId, changes: Change[]): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const { timeoutMs } = first;
  const keepCount = changes.every((change) => change.keepCount || change.keepRatings);
  const keepRatings = changes.every((change) => change.keepRatings);
  let failure: unknown;
  const work = async (session: ClientSession) => {
    try {
      const exists = await claimTour(tourId, session, changes.length);
      const answers = await write(changes, session);
      const recomputes = exists && !keepRatings;
      const ratings = recomputes ? await recomputeRatings(tourId, session, { keepCount }) : null;
      for (const change of changes) change.throwIfAbandoned();
      return { answers, ratings };
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    const { answers, ratings } = await inTransaction(work, { timeoutMs });
    if (ratings) tourChanged(tourId.toString(), ratings);
    for (const [index, change] of changes.entries()) change.resolve(answers[index]);
  } catch (error) {
    // Only then is it certain that nothing was stored: the answer to a commit may have been lost.
    if (changes.length > 1 && error === failure)
      for (const change of changes) await makeTogether(tourId, [change]);
    else for (const change of changes) change.reject(error);
  }
}

/** Writes the changes, with what they insert into a collection by one command; returns their answers. */
async function write(changes: Change[], session: ClientSession): Promise<unknown[]> {
  const prepared: Partial<Prepared<unknown>>[] = [];
  for (const change of changes) {
    change.throwIfAbandoned();
    prepared.push((await change.prepare(session)) ?? {});
  }
  const reviews = prepared.flatMap(({ review }) => review ?? []);
  const notifications = prepared.flatMap(({ notifications = [] }) => notifications);
  // By the driver: Mongoose would take longer to make its documents than the database to store them. For a single
  // review, the error names the unique index that has refused it.
  if (reviews.length === 1) await Review.collection.insertOne(reviews[0]!, { session });
  else if (reviews.length > 1) await Review.collection.insertMany(reviews, { session });
  if (notifications.length > 0)
    await Notification.collection.insertMany(notifications, { session });
  return prepared.map(({ answer }) => answer);
}
