import { isObjectIdOrHexString, Types } from "mongoose";

/** Whether a stored value is an id; a platform's records may hold something else in an id's place. */
export const isObjectId = (value: unknown): value is Types.ObjectId =>
  value instanceof Types.ObjectId;

/** Those of the stored values that are ids; a platform's records may hold others in an id's place. */
export const objectIds = (values: readonly unknown[]): Types.ObjectId[] =>
  values.filter((value) => value instanceof Types.ObjectId);

/** Null for what is not 24 hex digits. */
export function toObjectId(value: unknown): Types.ObjectId | null {
  return typeof value === "string" && value.length === 24 && isObjectIdOrHexString(value)
    ? new Types.ObjectId(value)
    : null;
}
