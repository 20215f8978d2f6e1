import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";
import { asDate, asId, asName, NO_ID, readTolerantly } from "./reading";

/** Entitles to a review (docs/rules/bookings.md, Bookings). */
export const COMPLETED = "COMPLETED";
/** The one status that completion turns into `COMPLETED`, or into `NO_SHOW`. */
export const CONFIRMED = "CONFIRMED";
/** The status when the explorer did not come, as the guide says; it entitles to nothing. */
export const NO_SHOW = "NO_SHOW";

/** Whether it neither is the status that allows a review nor turns into it. */
export const allowsNoReview = (status: string) => status !== COMPLETED && status !== CONFIRMED;

const fields = {
  userId: { type: Schema.Types.ObjectId, required: true },
  tourId: { type: Schema.Types.ObjectId, required: true },
  status: { type: String, required: true },
  /** When the booked departure takes place; null for the tour's own date. */
  date: { type: Date, default: null },
  /** Until when it is not completed automatically, because its guide has undone that. */
  autoCompleteAfter: Date,
};

export type BookingDocument = DocumentOf<typeof fields>;

const schema = new Schema<BookingDocument>(fields);

// Check 7 of a new review: Booking.exists({ userId, tourId, status })
// When authors took part: Booking.aggregate([{ $match: { userId: { $in }, tourId: { $in }, status } }, …])
schema.index({ userId: 1, tourId: 1, status: 1 });
// Bookings to be completed automatically: Booking.updateMany({ status, date: { $lte }, … }, …),
// Booking.aggregate([{ $match: { status, date: null } }, { $group: { _id: "$tourId" } }])
schema.index({ status: 1, date: 1 });
// A guide's departures, and one of them: Booking.find({ tourId: { $in }, date: { $gte } }), Booking.updateMany({ tourId, status, date }, …)
schema.index({ tourId: 1, date: 1 });
// A guide's departures to be completed, whatever else is booked: Booking.find({ tourId: { $in }, status, date: { $gte, $lte } })
schema.index({ tourId: 1, status: 1, date: 1 });

/** Reads a booking that comes from an aggregation; see `readTolerantly`. */
export const readBooking = readTolerantly(schema, "bookings", {
  userId: { read: asId, otherwise: NO_ID, expected: true },
  tourId: { read: asId, otherwise: NO_ID, expected: true },
  status: { read: asName, otherwise: "", expected: true },
  date: { read: asDate, otherwise: null },
});

export const Booking = define("Booking", "bookings", schema);
