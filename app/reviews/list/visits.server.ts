import { groupBy, maxBy } from "es-toolkit";
import { Booking, type BookingDocument, COMPLETED } from "#models/booking";
import { asDate } from "#models/reading";
import type { ReviewDocument } from "#models/review";
import { idFilter } from "~/db/ids.server";
import { pairKey } from "./verified.server";

type DatedReview = Pick<ReviewDocument, "_id" | "tourId" | "userId" | "createdAt">;

export type BookedVisit = Pick<BookingDocument, "tourId" | "userId" | "status" | "date">;

interface LastVisit {
  _id: Pick<DatedReview, "tourId" | "userId">;
  /** Null where none was before the review; of another type where the platform's date is. */
  at: unknown;
}

/**
 * Returns the latest date of a completed booking of the tour before each review, by the review's id. A booking without
 * a date of its own does not count, because a tour's date moves on. `bookings` are those of the authors, where they
 * were read before.
 */
export async function findVisits(
  reviews: readonly DatedReview[],
  bookings?: readonly BookedVisit[],
): Promise<Map<string, Date>> {
  if (reviews.length === 0) return new Map();
  const found = bookings ? lastVisitsAmong(reviews, bookings) : await findLastVisits(reviews);
  const byPair = new Map(found.map(({ _id, at }) => [pairKey(_id), at]));
  return new Map(
    reviews.flatMap((review) => {
      const at = byPair.get(pairKey(review));
      // A platform may have given an author two reviews of a tour, and the other one may be later.
      const isVisit = at instanceof Date && at <= review.createdAt && asDate(at);
      return isVisit ? [[review._id.toString(), at] as const] : [];
    }),
  );
}

/** One command, which answers with at most one row for each author and tour. */
function findLastVisits(reviews: readonly DatedReview[]): Promise<LastVisit[]> {
  return Booking.aggregate<LastVisit>([
    {
      $match: {
        userId: idFilter(reviews.map(({ userId }) => userId)),
        tourId: idFilter(reviews.map(({ tourId }) => tourId)),
        status: COMPLETED,
      },
    },
    {
      $group: {
        _id: { userId: "$userId", tourId: "$tourId" },
        // The filter has no `$or` of pairs, for which a database may weigh many indexes, or use none.
        at: { $max: { $switch: { branches: reviews.map(dateBefore), default: null } } },
      },
    },
  ]);
}

function lastVisitsAmong(
  reviews: readonly DatedReview[],
  bookings: readonly BookedVisit[],
): LastVisit[] {
  const completed = bookings.filter(({ status }) => status === COMPLETED);
  const byPair = groupBy(completed, pairKey);
  return reviews.map(({ userId, tourId, createdAt }) => {
    const pair = { userId, tourId };
    const dates = (byPair[pairKey(pair)] ?? []).flatMap(({ date }) => date ?? []);
    const before = dates.filter((date) => date <= createdAt);
    return { _id: pair, at: maxBy(before, Number) ?? null };
  });
}

/** Returns the date of a booking that is not after the review. */
const dateBefore = ({ userId, tourId, createdAt }: DatedReview) => ({
  case: {
    $and: [
      { $eq: ["$userId", userId] },
      { $eq: ["$tourId", tourId] },
      { $lte: ["$date", createdAt] },
    ],
  },
  then: "$date",
});
