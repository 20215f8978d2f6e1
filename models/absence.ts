import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

/** For the figures of twelve months. */
const KEPT_SECONDS = 366 * 24 * 60 * 60;

const fields = {
  bookingId: { type: Schema.Types.ObjectId, required: true },
  userId: { type: Schema.Types.ObjectId, required: true },
  tourId: { type: Schema.Types.ObjectId, required: true },
  /** Absent once the guide's account is gone. */
  guideId: Schema.Types.ObjectId,
  /** The departure's date; null for a tour without any. */
  date: { type: Date, default: null },
  at: { type: Date, required: true },
  /** After when the explorer is told by e-mail; absent once that is done. */
  tellAt: Date,
  /** When the explorer said that they were there; null if they have not. */
  objectedAt: { type: Date, default: null },
};

/** A guide said of a booking that its explorer did not come (docs/rules/bookings.md, Bookings). */
export type AbsenceDocument = DocumentOf<typeof fields>;

const schema = new Schema<AbsenceDocument>(fields);

// The absences of a completion, to take them back: Absence.deleteMany({ bookingId: { $in }, at })
schema.index({ bookingId: 1 }, { unique: true });
// An explorer's, to object to, to export and to delete them: Absence.find({ userId, at: { $gte, $lt }, … })
schema.index({ userId: 1, at: -1 });
// The objections for the guide; all of a guide's, to export them: Absence.find({ guideId, objectedAt: { $gte } })
schema.index({ guideId: 1, objectedAt: -1 });
// Absences whose explorers are to be told: Absence.find({ tellAt: { $lt } })
schema.index({ tellAt: 1 }, { sparse: true });
// The figures of twelve months, and the newest for the operators. The database itself removes old ones.
schema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export const Absence = define("Absence", "tourReviews.absences", schema);
