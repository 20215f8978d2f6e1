import { Absence } from "#models/absence";
import { Booking } from "#models/booking";
import { Tour } from "#models/tour";
import { User, type UserDocument } from "#models/user";
import { toCurrentUser } from "~/accounts/users.server";
import { toObjectId } from "~/db/ids.server";
import { ServiceError } from "~/lib/errors.server";
import { texts } from "~/lib/refusal-texts";
import { deleteAccountOf } from "~/personal-data/deletion.server";
import { revokeRights } from "~/reviews/list/verified.server";
import { tourRefresh } from "~/search/tour-refresh.server";

// Records of which a platform says that they are over (docs/rules/import.md, Records by the API).

/** Takes a tour out of lists, for good until it is stored again. Throws `ServiceError` 404 "Tour not found". */
export async function closeTour(tourId: string): Promise<void> {
  const _id = toObjectId(tourId);
  const closedHereAt = new Date();
  const { matchedCount } = await Tour.updateOne(
    { _id, closedHereAt: null },
    { $set: { closedHereAt } },
  );
  if (matchedCount === 0 && !(_id && (await Tour.exists({ _id }))))
    throw new ServiceError(404, texts.tourNotFound);
  tourRefresh.walkNext();
}

/**
 * Deletes a booking, and stores whether another booking verifies the review of its pair. Throws `ServiceError` 404
 * "Booking not found".
 */
export async function deleteBooking(bookingId: string): Promise<void> {
  const _id = toObjectId(bookingId);
  if (!_id) throw new ServiceError(404, texts.bookingNotFound);
  // As it is stored: a platform's may be malformed.
  const booking = await Booking.collection.findOne<{ tourId: unknown; userId: unknown }>({ _id });
  if (!booking) throw new ServiceError(404, texts.bookingNotFound);
  const { tourId, userId } = booking;
  const isDeleted = await revokeRights(tourId, [userId], async (session) => {
    const same = { _id, tourId, userId } as object;
    const { deletedCount } = await Booking.collection.deleteOne(same, { session });
    await Absence.deleteOne({ bookingId: _id }, { session });
    return deletedCount > 0;
  });
  // It was given to another pair meanwhile, or is gone.
  if (!isDeleted) await deleteBooking(bookingId);
}

/** Deletes a user as an operator does (docs/rules/accounts.md, Accounts). Throws `ServiceError` 404 "User not found". */
export async function deleteUser(userId: string): Promise<void> {
  const _id = toObjectId(userId);
  const user = _id && (await User.findById(_id).lean<UserDocument>());
  if (!user) throw new ServiceError(404, texts.userNotFound);
  await deleteAccountOf(toCurrentUser(user));
}
