import { isObjectIdOrHexString, Types } from "mongoose";

/** Whether a stored value is an id; a platform's records may hold something else in an id's place. */
export const isObjectId = (value: unknown): value is Types.ObjectId =>
  value instanceof Types.ObjectId;

/** Returns the stored values that are ids. */
export const objectIds = (values: readonly unknown[]): Types.ObjectId[] =>
  values.filter(isObjectId);

/** Returns the condition that a field is one of these ids. */
export function idFilter(
  ids: readonly Types.ObjectId[],
): Types.ObjectId | { $in: Types.ObjectId[] } {
  const [only, ...others] = new Map(ids.map((id) => [id.toString(), id])).values();
  return only && others.length === 0 ? only : { $in: only ? [only, ...others] : [] };
}

/** Null for what is not 24 hex digits. */
export function toObjectId(value: unknown): Types.ObjectId | null {
  return typeof value === "string" && value.length === 24 && isObjectIdOrHexString(value)
    ? new Types.ObjectId(value)
    : null;
}
