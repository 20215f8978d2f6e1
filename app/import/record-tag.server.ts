import { entityTag } from "~/lib/digest.server";
import { type Kind, RECORDS } from "./records.server";

/** The fields by which a change of a record is seen; null for one that is absent. */
export const comparedFields = (kind: Kind, document: Record<string, unknown>) =>
  Object.keys(RECORDS[kind].shape)
    .filter((field) => !["id", "password", "passwordHash"].includes(field))
    .map((field) => [field, document[field] ?? null] as const);

export const recordTag = (kind: Kind, document: Record<string, unknown>) =>
  entityTag(JSON.stringify(comparedFields(kind, document)));
