import { Schema } from "mongoose";
import { define } from "./define";

/** Says which layout what we store has. */
export interface LayoutDocument {
  _id: "layout";
  /** That of the last migration that was completed. */
  number: number;
  /** Names the process that migrates; nobody else does until `leasedUntil`. */
  lease?: string;
  leasedUntil: Date;
  /** When a health check has written for the last time, which proves that writing works. */
  writtenAt?: Date;
  /** When a backup was restored, and of when that was. */
  restored?: { at: Date; backupOf: Date };
}

const schema = new Schema<LayoutDocument>({
  _id: { type: String, required: true },
  number: { type: Number, required: true },
  lease: String,
  leasedUntil: { type: Date, required: true },
  writtenAt: Date,
  restored: { type: { at: Date, backupOf: Date }, _id: false },
});

export const Layout = define("Layout", "tourReviews.layout", schema);
