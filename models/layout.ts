import { Schema } from "mongoose";
import { define, type DocumentOf } from "./define";

const fields = {
  _id: { type: String, required: true },
  /** The number of the last migration that was completed. */
  number: { type: Number, required: true },
  /** Names the process that migrates; nobody else does until `leasedUntil`. */
  lease: String,
  leasedUntil: { type: Date, required: true },
  /** When a health check has written for the last time, which proves that writing works. */
  writtenAt: Date,
  /** When a backup was restored, and of when that was. */
  restored: { type: { at: Date, backupOf: Date }, _id: false },
};

/** Says which layout what we store has. */
export type LayoutDocument = DocumentOf<
  typeof fields,
  { _id: "layout"; restored?: { at: Date; backupOf: Date } }
>;

const schema = new Schema<LayoutDocument>(fields);

export const Layout = define("Layout", "tourReviews.layout", schema);
