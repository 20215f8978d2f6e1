import { RemovedReview, type RemovedReviewDocument } from "#models/removed-review";
import { Tour, type TourDocument } from "#models/tour";
import { type Caller, requireCaller } from "~/accounts/caller.server";
import { zoneOf } from "~/infra/tour-zone.server";
import { casePath } from "~/ui/labels";
import { statementToken } from "./links.server";

/** How many are shown; there are hardly ever more. */
const MOST_SHOWN = 20;

export type MyRemovedReview = Awaited<ReturnType<typeof myRemovedReviews>>[number];

/** Returns the caller's reviews that operators have removed, latest first, without those that are deleted for good. */
export async function myRemovedReviews(caller: Caller) {
  const found = await RemovedReview.find({ userId: requireCaller(caller), review: { $ne: null } })
    .sort({ removedAt: -1 })
    .limit(MOST_SHOWN)
    .lean<RemovedReviewDocument[]>();
  const tours = await Tour.find(
    { _id: { $in: found.map(({ tourId }) => tourId) } },
    "title timeZone",
  ).lean<TourDocument[]>();
  const byId = new Map(tours.map((tour) => [tour._id.toString(), tour]));
  return found.map(({ _id, tourId, removedAt, caseId }) => {
    const tour = byId.get(tourId.toString()) ?? null;
    return {
      id: _id.toString(),
      tourTitle: tour?.title ?? "A former tour",
      removedAt,
      timeZone: zoneOf(tour),
      path: casePath(statementToken(caseId)),
    };
  });
}
