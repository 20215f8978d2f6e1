import type { Types } from "mongoose";
import { Change, type ChangeDocument } from "#models/change";

interface Identified {
  _id: Types.ObjectId;
}

export const linesOf = ({ _id: tourId }: Identified) =>
  Change.find({ tourId }).sort({ version: 1 }).lean<ChangeDocument[]>();

/** Each line in short: its type, the ratings before and after it, the number of reviews and their mean. */
export const shortLines = async (tour: Identified) =>
  (await linesOf(tour)).map(({ type, before, stars, count, mean }) => [
    type,
    before,
    stars,
    count,
    mean,
  ]);
