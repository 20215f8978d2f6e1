import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { findTours } from "~/tours/named-tour.server";
import { casePath } from "~/ui/labels";
import { statementToken } from "./links.server";

/** How many are shown; there are hardly ever more. */
const MOST_SHOWN = 20;

/** Returns the caller's reviews that operators have removed, latest first, without those that are deleted for good. */
export async function myRemovedReviews(caller: Caller) {
  const found = await RemovedReview.find({ userId: requireCaller(caller), review: { $ne: null } })
    .sort({ removedAt: -1 })
    .limit(MOST_SHOWN)
    .lean<RemovedReviewDocument[]>();
  const tours = await findTours(found.map(({ tourId }) => tourId));
  return found.map(({ _id, tourId, removedAt, caseId }) => {
    const tour = tours.get(tourId.toString()) ?? null;
    return {
      id: _id.toString(),
      tourTitle: tour?.title ?? "A former tour",
      removedAt,
      timeZone: zoneOf(tour),
      path: casePath(statementToken(caseId)),
    };
  });
}
