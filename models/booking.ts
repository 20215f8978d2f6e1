import { Schema, type Types } from "mongoose";
import { define } from "./define";

/** The one status that entitles to a review (spec.md, Booking). */
export const COMPLETED = "COMPLETED";

export interface BookingDocument {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  tourId: Types.ObjectId;
  status: string;
  /** When the booked departure takes place. */
  date?: Date | null;
}

const schema = new Schema<BookingDocument>({
  userId: { type: Schema.Types.ObjectId, required: true },
  tourId: { type: Schema.Types.ObjectId, required: true },
  status: { type: String, required: true },
  date: { type: Date, default: null },
});

// Check 7 of a new review: Booking.exists({ userId, tourId, status })
schema.index({ userId: 1, tourId: 1, status: 1 });

export const Booking = define("Booking", "bookings", schema);
