import { setTimeout as sleep } from "node:timers/promises";
import type { ClientSession, Types } from "mongoose";
import { Gauge } from "prom-client";
import { processRegistry } from "~/lib/metrics.server";
import { BusyError, UncertainError } from "~/lib/errors.server";
import { isAborted, requestScope, type RequestScope } from "~/lib/request-scope.server";
import { inTransaction, timeLeft } from "~/db/transaction.server";
import { afterCommit } from "./after-commit.server";
import { claimTour, recomputeRatings } from "./ratings.server";
import { againAfterEarlierTour } from "./record-changes.server";
import { TourTransaction } from "./tour-transaction.server";

export const MAX_CHANGES_PER_TRANSACTION = 16;
const MAX_WAITING = 500;
/** After this many refused changes in turn, each of the others gets its own transaction, as more might be refused. */
const MOST_REFUSED = 2;
const LONGEST_PAUSE_MS = 250;
interface QueuedChange {
  work: (tx: TourTransaction) => Promise<unknown>;
  request: RequestScope | undefined;
  /** Its deadline, as `performance.now()` counts. */
  until: number;
  /** The longest duration of its own transaction; undefined to share one with other changes. */
  timeoutMs: number | undefined;
  tooLate: NodeJS.Timeout;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

interface Queue {
  tourId: Types.ObjectId;
  changes: QueuedChange[];
  /** Whether another process changes the tour, too. */
  isContended: boolean;
}

/** A tour is here as long as this process changes it. */
const queues = new Map<string, Queue>();

new Gauge({
  name: "tour_reviews_changes_waiting",
  help: "Changes of reviews that wait for the transaction before them on their tour.",
  registers: [processRegistry],
  collect() {
    let waiting = 0;
    for (const { changes } of queues.values()) waiting += changes.length;
    this.set(waiting);
  },
});

/**
 * The one way in which a tour's reviews change: one transaction that claims the tour, does `work`, and recomputes the
 * tour's ratings. `work` may run again, after a conflict or when another change of the same transaction fails
 * (docs/decisions/001-one-transaction-a-change.md). A change with a `timeoutMs` shares none. Rejects with what `work`
 * throws, with `BusyError` when too many wait or its time is over, and as `inTransaction` does.
 */
export function changeTour<Answer>(
  tourId: Types.ObjectId,
  work: (tx: TourTransaction) => Promise<Answer>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const key = tourId.toString();
    const queue = queues.get(key) ?? { tourId, changes: [], isContended: false };
    const { changes } = queue;
    if (changes.length >= MAX_WAITING) throw busy("Too many changes wait for this tour");
    const request = requestScope.getStore();
    const left = timeLeft(request);
    const change: QueuedChange = {
      work,
      request,
      until: performance.now() + left,
      timeoutMs,
      tooLate: setTimeout(() => {
        changes.splice(changes.indexOf(change), 1);
        reject(busy("The changes before this one took too long"));
      }, left),
      resolve: (answer) => resolve(answer as Answer),
      reject,
    };
    changes.push(change);
    if (queues.has(key)) return;
    queues.set(key, queue);
    void requestScope.run(undefined, makeChanges, queue);
  });
}

const busy = (why: string) => new BusyError({ cause: new Error(why) });

/** Makes the changes that wait for a tour, and those that come meanwhile. Never rejects. */
async function makeChanges(queue: Queue): Promise<void> {
  const { tourId, changes } = queue;
  while (changes.length > 0) {
    const alone = changes.findIndex(({ timeoutMs }) => timeoutMs !== undefined);
    const shared = alone === -1 ? MAX_CHANGES_PER_TRANSACTION : alone;
    const next = changes.splice(0, Math.min(shared || 1, MAX_CHANGES_PER_TRANSACTION));
    for (const { tooLate } of next) clearTimeout(tooLate);
    const began = performance.now();
    await makeTogether(queue, next);
    if (queue.isContended && changes.length > 0)
      await sleep(turnOfOthers(performance.now() - began));
  }
  queues.delete(tourId.toString());
}

/** Without a pause this process would claim the tour again before any other one, for as long as changes wait. */
const turnOfOthers = (lastMs: number) => Math.min(lastMs / 2, LONGEST_PAUSE_MS) * Math.random();

/**
 * Makes changes in one transaction, `refused` others having failed before. If it fails, those that were not at fault are
 * made again. Never rejects.
 */
async function makeTogether(queue: Queue, changes: QueuedChange[], refused = 0): Promise<void> {
  const { tourId } = queue;
  let attempts = 0;
  let underWay: QueuedChange | undefined;
  const applyChanges = async (session: ClientSession) => {
    if (++attempts > 1) queue.isContended = true;
    underWay = undefined;
    const exists = await claimTour(tourId, session, changes.length);
    const tx = new TourTransaction(session);
    const answers: unknown[] = [];
    for (const change of changes) {
      underWay = change;
      // So that log lines are those of the change's own request.
      answers.push(await requestScope.run(change.request, change.work, tx));
    }
    underWay = undefined;
    await tx.insertReviews();
    const { now, changes: recorded, lastChange: known, mails, isQuiet } = tx;
    const keepCount = tx.effect === "mean";
    const effects = { now, changes: recorded, known, mails, keepCount, isQuiet };
    const isRated = exists && tx.effect !== "none";
    const ratings = isRated ? await recomputeRatings(tourId, session, effects) : null;
    return { answers, committed: { tourId, ratings, mails } };
  };
  const until = Math.max(...changes.map((change) => change.until));
  const timeoutMs = changes[0]?.timeoutMs ?? until - performance.now();
  const requests = changes.flatMap(({ request }) => request ?? []);
  let made: Awaited<ReturnType<typeof applyChanges>>;
  try {
    made = await againAfterEarlierTour(() => inTransaction(applyChanges, { timeoutMs, requests }));
  } catch (error) {
    // It is certain that nothing was stored, unless the answer to a commit was lost.
    if (changes.length === 1 || error instanceof UncertainError)
      for (const change of changes) change.reject(error);
    else await makeOthersAgain(queue, changes, { error, underWay, refused });
    return;
  }
  for (const [index, change] of changes.entries()) change.resolve(made.answers[index]);
  afterCommit(made.committed);
}

interface Failure {
  error: unknown;
  /** The change that was being made. */
  underWay: QueuedChange | undefined;
  refused: number;
}

/** Makes those of several changes again that were not at fault when their transaction failed. */
async function makeOthersAgain(
  queue: Queue,
  changes: QueuedChange[],
  { error, underWay, refused }: Failure,
): Promise<void> {
  const now = performance.now();
  const isOver = ({ until, request }: QueuedChange) => until <= now || isAborted(request);
  const left = changes.filter((change) => !isOver(change));
  for (const change of changes) if (isOver(change)) change.reject(new BusyError({ cause: error }));
  if (left.length === 0) return;
  const others = left.filter((change) => change !== underWay);
  if (left.length < changes.length) await makeTogether(queue, left, refused);
  else if (!underWay || refused === MOST_REFUSED)
    for (const change of left) await makeTogether(queue, [change]);
  else {
    await makeTogether(queue, others, refused + 1);
    await makeTogether(queue, [underWay]);
  }
}
