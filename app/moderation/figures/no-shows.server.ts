import type { Types } from "mongoose";
import { Absence } from "#models/absence";
import { Booking, COMPLETED, NO_SHOW } from "#models/booking";
import { Tour, type TourDocument } from "#models/tour";
import { findAuthors } from "~/accounts/people.server";
import { MOST_BOOKINGS, monthsAfter } from "~/moderation/labels";

// How often guides say that explorers did not come, and these say that they did (docs/rules/bookings.md, No-shows).

/** How many guides are listed, of how many no-shows, the newest. */
const LISTED = 20;
const MOST_NO_SHOWS = 10_000;
/** How many tours of a guide are counted. */
const MOST_TOURS = 500;
const MONTHS = 12;

/** How often explorers did not come, as guides say, and how many of these objected. */
interface NoShowCounts {
  noShows: number;
  objections: number;
}

export type GuideNoShows = Awaited<ReturnType<typeof noShowsByGuide>>[number];

/**
 * Returns the guides to whom most explorers have objected in these months, then those with the most no-shows. Of the
 * `bookings`, which were completed or are no-shows, `MOST_BOOKINGS` stands for that many or more.
 */
export async function noShowsByGuide() {
  const since = monthsAfter(new Date(), -MONTHS);
  const found = await Absence.aggregate<NoShowCounts & { _id: Types.ObjectId }>([
    { $match: { at: { $gte: since }, ...TOLD } },
    { $sort: { at: -1 } },
    { $limit: MOST_NO_SHOWS },
    { $match: { guideId: { $type: "objectId" } } },
    { $group: { _id: "$guideId", noShows: { $sum: 1 }, objections: { $sum: OBJECTED } } },
    { $sort: { objections: -1, noShows: -1, _id: 1 } },
    { $limit: LISTED },
  ]);
  const names = await findAuthors(found.map(({ _id }) => _id.toString()));
  return Promise.all(
    found.map(async ({ _id, noShows, objections }) => {
      const guideId = _id.toString();
      const bookings = Math.max(noShows, await countGuideBookings(_id, since));
      return { guideId, name: names.get(guideId).name, noShows, objections, bookings };
    }),
  );
}

/** Absences that can no longer be undone, and disputed ones. */
const TOLD = { tellAt: null };
const OBJECTED = { $cond: [{ $gt: ["$objectedAt", null] }, 1, 0] };

async function countGuideBookings(guideId: Types.ObjectId, since: Date): Promise<number> {
  const tours = await Tour.find({ createdById: guideId }, "_id")
    .limit(MOST_TOURS)
    .lean<TourDocument[]>();
  const tourId = { $in: tours.map(({ _id }) => _id) };
  const booked = { tourId, status: { $in: [COMPLETED, NO_SHOW] } };
  let count = 0;
  // Counts bookings without a date of their own, too.
  for (const date of [{ $gte: since }, null])
    if (count < MOST_BOOKINGS)
      count += await Booking.countDocuments({ ...booked, date }, { limit: MOST_BOOKINGS });
  return Math.min(count, MOST_BOOKINGS);
}

export async function countNoShows(at: { $gte: Date; $lte: Date }): Promise<NoShowCounts> {
  const [found] = await Absence.aggregate<NoShowCounts>([
    { $match: { at, ...TOLD } },
    { $group: { _id: null, noShows: { $sum: 1 }, objections: { $sum: OBJECTED } } },
  ]);
  return { noShows: found?.noShows ?? 0, objections: found?.objections ?? 0 };
}
