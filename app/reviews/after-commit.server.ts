import type { Types } from "mongoose";
import type { ReviewNotification } from "#models/notification";
import { notifications } from "~/mail/delivery.server";
import { tourRefresh } from "~/search/tour-refresh.server";
import type { Ratings } from "./ratings.server";
import { reviewsChanged } from "./words/index-refresh.server";

/** The results of one transaction on a tour. */
export interface Committed {
  tourId: Types.ObjectId;
  /** As they were recomputed; null where they are as before. */
  ratings: Partial<Ratings> | null;
  mails: readonly ReviewNotification[];
}

/**
 * All that follows a commit of `changeTour`, in its order. Nobody waits for any of it, and after a crash the jobs find
 * by themselves what they were not told.
 */
export function afterCommit({ tourId, ratings, mails }: Committed): void {
  if (ratings) tourRefresh.rate(tourId.toString(), ratings);
  reviewsChanged(tourId);
  // A daily e-mail is not due before its hour.
  if (mails.some(({ kind }) => kind === "review")) notifications.wake();
}
