import { Schema } from "mongoose";
import { define } from "./define";

/** Says which layout what we store has: one document, with the number of the last migration that was completed. */
export interface LayoutDocument {
  _id: "layout";
  number: number;
  /** Names the process that migrates. */
  lease?: string;
  /** Until when nobody else does, unless it renews that. */
  leasedUntil: Date;
  /** When a health check has written for the last time, which proves that writing works. */
  writtenAt?: Date;
}

const schema = new Schema<LayoutDocument>({
  _id: { type: String, required: true },
  number: { type: Number, required: true },
  lease: String,
  leasedUntil: { type: Date, required: true },
  writtenAt: Date,
});

export const Layout = define("Layout", "tourReviews.layout", schema);
