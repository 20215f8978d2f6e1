import { Types } from "mongoose";

/** The ObjectId that a client's value names, or null when the value is no id (24 hex digits). */
export function toObjectId(value: unknown): Types.ObjectId | null {
  return typeof value === "string" && /^[0-9a-f]{24}$/i.test(value)
    ? new Types.ObjectId(value)
    : null;
}
