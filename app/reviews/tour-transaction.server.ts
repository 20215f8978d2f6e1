import type { ClientSession } from "mongoose";
import type { ReviewNotification } from "#models/notification";
import { Review, type ReviewDocument } from "#models/review";
import type { TourDocument } from "#models/tour";
import {
  countedRating,
  forgottenAt,
  type FormerEntry,
  type ReviewChange,
} from "./record-changes.server";

type ReadTour = Pick<TourDocument, "lastChange">;

/** A transaction that has claimed a tour. Reads and other writes take its `session`. */
export class TourTransaction {
  /** The time of all that it stores and decides. */
  readonly now = new Date();
  readonly #reviews: ReviewDocument[] = [];
  readonly mails: ReviewNotification[] = [];
  /** In their order, for the entries about them (docs/rules/reviews.md, Changes). */
  readonly changes: ReviewChange[] = [];
  /** Which of the tour's ratings are recomputed: an edit leaves the count (docs/rules/reviews.md, Editing). */
  effect: "none" | "mean" | "all" = "none";
  /** Last entry of the log before the changes, if one of them has loaded the tour already (saves a query). */
  lastChange: FormerEntry;
  /** Set by a change that shares no transaction: no webhook is told of its entries. */
  isQuiet = false;

  constructor(readonly session: ClientSession) {}

  /** `tour` is as this transaction has read it. */
  insertReview(review: ReviewDocument & { rating: number }, tour: ReadTour): void {
    this.lastChange = tour.lastChange;
    this.#reviews.push(review);
    this.record({ type: "created", review: review._id, before: null, stars: review.rating });
  }

  /**
   * Stores an edit. One that leaves `editedAt` has changed nothing; the mean is still recomputed. `tour` as for
   * `insertReview`.
   */
  async editReview(
    { _id, rating }: ReviewDocument,
    edit: Partial<ReviewDocument>,
    tour: ReadTour | null = null,
  ): Promise<void> {
    this.lastChange ??= tour?.lastChange;
    await Review.updateOne({ _id }, { $set: edit }, { session: this.session, runValidators: true });
    const before = countedRating(rating);
    if (edit.editedAt)
      this.record({ type: "edited", review: _id, before, stars: edit.rating ?? before });
    else this.#meanChanged();
  }

  /** All entries of a review that its author has `deleted` lose its id in 30 days. `tour` as for `insertReview`. */
  async removeReview(
    { _id, rating }: Pick<ReviewDocument, "_id" | "rating">,
    type: "deleted" | "removed",
    tour: ReadTour | null = null,
  ): Promise<void> {
    this.lastChange ??= tour?.lastChange;
    await Review.deleteOne({ _id }, { session: this.session });
    const forgetAt = type === "deleted" ? { forgetAt: forgottenAt(this.now) } : {};
    this.record({ type, review: _id, before: countedRating(rating), stars: null, ...forgetAt });
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
    this.mails.push(mail);
  }

  /** Stores the reviews of all changes by one command. Only `changeTour` calls it. */
  async insertReviews(): Promise<void> {
    const { session } = this;
    const [only, ...others] = this.#reviews;
    if (!only) return;
    // By the driver: Mongoose would take longer to make its documents than the database to store them. For a single
    // review, the error names the unique index that has refused it.
    if (others.length === 0) await Review.collection.insertOne(only, { session });
    else await Review.collection.insertMany([only, ...others], { session });
  }
}
