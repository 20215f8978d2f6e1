import { AsyncResource } from "node:async_hooks";
import AsyncLock from "async-lock";
import type { ClientSession, Types } from "mongoose";
import type { TourDocument } from "../../../models/tour";
import { inTransaction } from "../../infra/transaction.server";
import { claimTour, recomputeRatings } from "./ratings.server";

// Changes of one tour queue here, so that this process never conflicts with itself. A change that
// cannot start in time fails, so that the queue does not grow without a bound.
const tourQueue = new AsyncLock({ maxPending: 500, timeout: 10_000 });

/**
 * The one way in which a tour's reviews change: claim the tour, `write`, recompute its aggregates, all
 * in one transaction (docs/decisions/001-one-transaction-a-change.md). Returns what `write` returns.
 * With `keepCount` the tour's review count stays as it is (docs/rules.md, Editing). `timeoutMs` is the
 * transaction's own bound.
 */
export async function changeReviews<Result>(
  tourId: Types.ObjectId,
  write: (session: ClientSession, tour: TourDocument | null) => Promise<Result>,
  { keepCount, timeoutMs }: { keepCount?: boolean; timeoutMs?: number } = {},
): Promise<Result> {
  const change = () =>
    inTransaction(
      async (session) => {
        const tour = await claimTour(tourId, session);
        const result = await write(session, tour);
        if (tour) await recomputeRatings(tourId, session, { keepCount });
        return result;
      },
      { timeoutMs },
    );
  // Bound, so that its log lines carry the id of its own request, not of the one that it waited for.
  const bound = AsyncResource.bind(change);
  return tourQueue.acquire(tourId.toString(), () => bound());
}
