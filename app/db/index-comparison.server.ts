import { isDeepStrictEqual } from "node:util";
import { mongo } from "mongoose";

export type IndexFields = Record<string, unknown>;

export interface WantedIndex {
  collection: string;
  name: string;
  key: IndexFields;
  unique?: boolean;
  sparse?: boolean;
  collation?: mongo.CollationOptions;
  partialFilterExpression?: IndexFields;
  expireAfterSeconds?: number;
}

/** An index as the database describes it. */
export type FoundIndex = Omit<WantedIndex, "collection"> & { hidden?: boolean };

/** Whether an existing index does everything that the wanted one is for. */
export function serves(found: FoundIndex, wanted: WantedIndex): boolean {
  const partial = wanted.partialFilterExpression;
  return (
    hasSameKey(found.key, wanted.key) &&
    hasSameCollation(found, wanted) &&
    !found.hidden &&
    (!wanted.unique || found.unique === true) &&
    // A partial one of ours leaves out documents without the field, too.
    (!found.sparse || wanted.sparse === true || partial !== undefined) &&
    (!found.partialFilterExpression || hasSamePartial(found, wanted)) &&
    (wanted.expireAfterSeconds ?? found.expireAfterSeconds) === found.expireAfterSeconds
  );
}

/** Whether the database regards both as the same index, and so refuses the second if anything else differs. */
export const isSameIndex = (found: FoundIndex, wanted: WantedIndex): boolean =>
  isDeepStrictEqual(keyDirections(found.key), keyDirections(wanted.key)) &&
  hasSameCollation(found, wanted) &&
  Boolean(found.unique) === Boolean(wanted.unique) &&
  Boolean(found.sparse) === Boolean(wanted.sparse) &&
  hasSamePartial(found, wanted);

/** The same fields in the same order, in the same directions or all of them in the other one. */
export function hasSameKey(found: IndexFields, wanted: IndexFields): boolean {
  const one = keyDirections(found);
  const other = keyDirections(wanted);
  const turned = other.map(([field, direction]) => [field, -Number(direction)]);
  return isDeepStrictEqual(one, other) || isDeepStrictEqual(one, turned);
}

const keyDirections = (key: IndexFields) =>
  Object.entries(key).map(([field, direction]) => [
    field,
    typeof direction === "string" ? direction : Number(direction),
  ]);

const partialText = ({ partialFilterExpression: partial }: Partial<WantedIndex>) =>
  mongo.BSON.EJSON.stringify(partial ?? null);

const hasSamePartial = (a: Partial<WantedIndex>, b: Partial<WantedIndex>): boolean =>
  partialText(a) === partialText(b);

/** The defaults of a collation (https://www.mongodb.com/docs/manual/reference/collation/). */
const COLLATION: IndexFields = {
  locale: "simple",
  strength: 3,
  caseLevel: false,
  caseFirst: "off",
  numericOrdering: false,
  alternate: "non-ignorable",
  backwards: false,
};

function hasSameCollation(a: Partial<WantedIndex>, b: Partial<WantedIndex>): boolean {
  const one: IndexFields = { ...COLLATION, ...a.collation };
  const other: IndexFields = { ...COLLATION, ...b.collation };
  return Object.keys(COLLATION).every((field) => one[field] === other[field]);
}
