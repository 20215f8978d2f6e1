import { isObjectIdOrHexString, Types } from "mongoose";

/** Returns the ObjectId that a client's value names, or null when it is no id (24 hex digits). */
export function toObjectId(value: unknown): Types.ObjectId | null {
  return typeof value === "string" && isObjectIdOrHexString(value)
    ? new Types.ObjectId(value)
    : null;
}
