import { AsyncResource } from "node:async_hooks";
import type { ClientSession, Types } from "mongoose";
import { Gauge } from "prom-client";
import { Notification, type ReviewNotification } from "#models/notification";
import { Review, type ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import { processRegistry } from "~/infra/metrics.server";
import { requestScope } from "~/infra/request-scope.server";
import { inTransaction, throwIfAbandoned } from "~/db/transaction.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import { reviewsChanged } from "~/reviews/words/index-refresh.server";
import { claimTour, recomputeRatings } from "./ratings.server";
import {
  againAfterEarlierTour,
  countedRating,
  forgetReview,
  forgottenAt,
  type Known,
  type ReviewChange,
} from "./record-changes.server";
import { wakeWebhooks } from "./webhooks/webhooks.server";

export const MAX_CHANGES_PER_TRANSACTION = 16;
const MAX_WAITING = 500;
const MAX_WAIT_MS = 10_000;

interface Change {
  work: (tx: TourTransaction) => Promise<unknown>;
  throwIfAbandoned: () => void;
  timeoutMs: number | undefined;
  tooLate: NodeJS.Timeout;
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
}

/** A tour is here as long as this process changes it. */
const queues = new Map<string, Change[]>();

new Gauge({
  name: "tour_reviews_changes_waiting",
  help: "Changes of reviews that wait for the transaction before them on their tour.",
  registers: [processRegistry],
  collect() {
    let changes = 0;
    for (const queue of queues.values()) changes += queue.length;
    this.set(changes);
  },
});

/**
 * The one way in which a tour's reviews change: one transaction that claims the tour, does `work`, and recomputes the
 * tour's ratings. `work` may run again, after a conflict or when another change of the same transaction fails
 * (docs/decisions/001-one-transaction-a-change.md). A change with a `timeoutMs` shares none. Rejects with what `work`
 * throws, and when too many wait or it has waited too long.
 */
export function changeTour<Answer>(
  tourId: Types.ObjectId,
  work: (tx: TourTransaction) => Promise<Answer>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const key = tourId.toString();
    const queue = queues.get(key) ?? [];
    if (queue.length >= MAX_WAITING) throw new Error("Too many changes wait for this tour");
    const change: Change = {
      // Bound, so that log lines and deadline are those of the change's own request.
      work: AsyncResource.bind(work),
      throwIfAbandoned: AsyncResource.bind(throwIfAbandoned),
      timeoutMs,
      tooLate: setTimeout(() => {
        queue.splice(queue.indexOf(change), 1);
        reject(new Error("The changes before this one took too long"));
      }, MAX_WAIT_MS),
      resolve: (answer) => resolve(answer as Answer),
      reject,
    };
    queue.push(change);
    if (queues.has(key)) return;
    queues.set(key, queue);
    void requestScope.exit(() => makeChanges(tourId, queue));
  });
}

/** Makes the changes that wait for a tour, and those that come meanwhile. Never rejects. */
async function makeChanges(tourId: Types.ObjectId, queue: Change[]): Promise<void> {
  while (queue.length > 0) {
    const alone = queue.findIndex(({ timeoutMs }) => timeoutMs !== undefined);
    const shared = alone === -1 ? MAX_CHANGES_PER_TRANSACTION : alone;
    const changes = queue.splice(0, Math.min(shared || 1, MAX_CHANGES_PER_TRANSACTION));
    for (const { tooLate } of changes) clearTimeout(tooLate);
    await makeTogether(tourId, changes);
  }
  queues.delete(tourId.toString());
}

/** Each in a transaction of its own when one of them fails. Never rejects. */
async function makeTogether(tourId: Types.ObjectId, changes: Change[]): Promise<void> {
  let failure: unknown;
  const attempt = async (session: ClientSession) => {
    try {
      const exists = await claimTour(tourId, session, changes.length);
      const tx = new TourTransaction(session);
      const answers: unknown[] = [];
      for (const change of changes) {
        change.throwIfAbandoned();
        answers.push(await change.work(tx));
      }
      await tx.insertCollected();
      const { changes: recorded, lastChange: known, isQuiet } = tx;
      const effects = { changes: recorded, known, keepCount: tx.effect === "mean", isQuiet };
      const ratings =
        exists && tx.effect !== "none" && (await recomputeRatings(tourId, session, effects));
      for (const change of changes) change.throwIfAbandoned();
      return { answers, ratings };
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    const { timeoutMs } = changes[0]!;
    const { answers, ratings } = await againAfterEarlierTour(() =>
      inTransaction(attempt, { timeoutMs }),
    );
    if (ratings) tourRefresh.rate(tourId.toString(), ratings);
    reviewsChanged(tourId);
    wakeWebhooks();
    for (const [index, change] of changes.entries()) change.resolve(answers[index]);
  } catch (error) {
    // Only then is it certain that nothing was stored: the answer to a commit may have been lost.
    if (changes.length > 1 && error === failure)
      for (const change of changes) await makeTogether(tourId, [change]);
    else for (const change of changes) change.reject(error);
  }
}

/** A transaction that has claimed a tour. Reads and other writes take its `session`. */
export class TourTransaction {
  readonly #reviews: ReviewDocument[] = [];
  readonly #mails: ReviewNotification[] = [];
  /** In their order, for the lines about them (docs/rules/reviews.md, Changes). */
  readonly changes: ReviewChange[] = [];
  /** Which of the tour's ratings are recomputed: an edit leaves the count (docs/rules/reviews.md, Editing). */
  effect: "none" | "mean" | "all" = "none";
  /** The tour's last change before them, where one of them has read the tour anyway. */
  lastChange: Known;
  /** Set by a change that shares no transaction: no webhook is told of its lines. */
  isQuiet = false;

  constructor(readonly session: ClientSession) {}

  /** `tour` is as this transaction has read it. */
  insertReview(
    review: ReviewDocument & { rating: number },
    tour: Pick<TourDocument, "lastChange">,
  ): void {
    this.lastChange = tour.lastChange;
    this.#reviews.push(review);
    this.record({ type: "created", review: review._id, before: null, stars: review.rating });
  }

  /** One that leaves `editedAt` has changed nothing; the mean is still recomputed. */
  async editReview({ _id, rating }: ReviewDocument, edit: Partial<ReviewDocument>): Promise<void> {
    await Review.updateOne({ _id }, { $set: edit }, { session: this.session, runValidators: true });
    const before = countedRating(rating);
    if (edit.editedAt)
      this.record({ type: "edited", review: _id, before, stars: edit.rating ?? before });
    else this.#meanChanged();
  }

  /** Of one that its author has `deleted`, the lines lose the id in 30 days. */
  async removeReview(
    { _id, rating }: Pick<ReviewDocument, "_id" | "rating">,
    type: "deleted" | "removed",
  ): Promise<void> {
    await Review.deleteOne({ _id }, { session: this.session });
    this.record({ type, review: _id, before: countedRating(rating), stars: null });
    if (type === "removed") return;
    for (const change of this.changes)
      if (change.review?.equals(_id)) change.forgetAt = forgottenAt();
    await forgetReview(_id, this.session);
  }

  /** Must be called for each review that was written by other means. */
  record(change: ReviewChange): void {
    this.changes.push(change);
    const isEdit = change.before !== null && change.stars !== null;
    if (isEdit) this.#meanChanged();
    else this.reviewsChanged();
  }

  #meanChanged(): void {
    if (this.effect === "none") this.effect = "mean";
  }

  /** Recomputes all of the tour's ratings. */
  reviewsChanged(): void {
    this.effect = "all";
  }

  queueMail(mail: ReviewNotification): void {
    this.#mails.push(mail);
  }

  /** Stores the reviews and e-mails of all changes, each by one command. Only `changeTour` calls it. */
  async insertCollected(): Promise<void> {
    const { session } = this;
    // By the driver: Mongoose would take longer to make its documents than the database to store them. For a single
    // review, the error names the unique index that has refused it.
    if (this.#reviews.length === 1)
      await Review.collection.insertOne(this.#reviews[0]!, { session });
    else if (this.#reviews.length > 1)
      await Review.collection.insertMany(this.#reviews, { session });
    if (this.#mails.length > 0) await Notification.collection.insertMany(this.#mails, { session });
  }
}
