import mongoose, { mongo } from "mongoose";
import { models } from "#models/index";
import { DatabaseError, isDuplicateKeyError } from "~/lib/errors.server";
import { connectedDatabase } from "./connection.server";
import {
  type IndexFields,
  type FoundIndex,
  hasSameKey,
  isSameIndex,
  serves,
  type WantedIndex,
} from "./index-comparison.server";

/** The names of our own collections begin with this, and so do those of our indexes in any collection. */
export const OUR_PREFIX = "tourReviews.";

const MOST_EXAMPLES = 5;

export interface PlannedIndex extends WantedIndex {
  /** The index that does this already, by name: this one, or an equivalent one of the platform. */
  existing?: string;
  obstacle?: string;
}

export interface IndexPlan {
  collection: string;
  indexes: PlannedIndex[];
  /** The names of indexes of an earlier version, in a collection of ours. They are dropped. */
  outdated: string[];
  /** The platform's own indexes will refuse something: a line each. */
  warnings: string[];
}

export const wantedIndexes = (): WantedIndex[] => models.flatMap(indexesOfModel);

function indexesOfModel({ collection, schema }: (typeof models)[number]): WantedIndex[] {
  return schema.indexes().map(([key, { background: _, ...options }]) => ({
    ...(options as Partial<WantedIndex>),
    collection: collection.collectionName,
    name: OUR_PREFIX + Object.entries(key).flat().join("_"),
    key,
  }));
}

/** Compares what the models ask for with what is in the database. Changes nothing. */
export async function planIndexes(): Promise<IndexPlan[]> {
  const db = connectedDatabase();
  const infos = new Map(
    (await db.listCollections<mongo.CollectionInfo>().toArray()).map((info) => [info.name, info]),
  );
  return Promise.all(
    models.map(async (model) => {
      const collection = model.collection.collectionName;
      const info = infos.get(collection);
      const found = info ? ((await db.collection(collection).indexes()) as FoundIndex[]) : [];
      // A query or an index without a collation of its own has that of its collection.
      const { collation } = (info?.options ?? {}) as Pick<WantedIndex, "collation">;
      const isOurs = collection.startsWith(OUR_PREFIX);
      const indexes = indexesOfModel(model).map((wanted) =>
        plan({ ...(collation && { collation }), ...wanted }, found, isOurs),
      );
      const kept = new Set(["_id_", ...indexes.map(({ existing }) => existing)]);
      return {
        collection,
        indexes,
        outdated: isOurs ? found.map(({ name }) => name).filter((name) => !kept.has(name)) : [],
        warnings: isOurs ? [] : nullWarnings(collection, found, Object.keys(model.schema.paths)),
      };
    }),
  );
}

function plan(wanted: WantedIndex, found: FoundIndex[], isOurs: boolean): PlannedIndex {
  const equivalents = found.filter((index) => serves(index, wanted)).map(({ name }) => name);
  const existing = equivalents.find((name) => name === wanted.name) ?? equivalents[0];
  if (existing) return { ...wanted, existing };
  const obstacles = found.filter(
    (index) => index.name === wanted.name || isSameIndex(index, wanted),
  );
  // An obstacle in a collection of ours is outdated, and dropped first.
  if (isOurs || obstacles.length === 0) return wanted;
  return { ...wanted, obstacle: inTheWay(wanted, obstacles) };
}

/** A unique index counts a field that a document does not have as null, once. */
function nullWarnings(collection: string, found: FoundIndex[], ourFields: string[]): string[] {
  return found
    .filter(
      ({ unique, sparse, partialFilterExpression }) =>
        unique && !sparse && !partialFilterExpression,
    )
    .filter(
      ({ key }) => !Object.keys(key).some((path) => ourFields.includes(path.split(".", 1).join())),
    )
    .map(
      ({ name, key }) =>
        `${collection}: the unique index ${name} allows one document without ${named(key)}, and this service writes documents without it; make that index sparse or partial`,
    );
}

const named = (key: IndexFields) => Object.keys(key).join(" and ");

function inTheWay({ collection, name, key }: WantedIndex, obstacles: FoundIndex[]): string {
  const drops = obstacles.map(
    (index) => `db.getCollection("${collection}").dropIndex("${index.name}")`,
  );
  return `${collection}: an index on ${named(key)} stands in the way of ${name} and does less; drop it first: ${drops.join("; ")}`;
}

/**
 * Builds what is missing and drops what is outdated; several processes may do so at once. Throws `DatabaseError` that
 * says what stands in the way and what to do.
 */
export async function buildIndexes(): Promise<string[]> {
  const plans = await planIndexes();
  for (const { indexes } of plans)
    for (const { obstacle } of indexes) if (obstacle) throw new DatabaseError(obstacle);
  for (const { collection, indexes, outdated } of plans) {
    for (const name of outdated) await dropIndex(collection, name);
    for (const index of indexes) if (!index.existing) await buildIndex(index);
  }
  return plans.flatMap(({ warnings }) => warnings);
}

async function dropIndex(collection: string, name: string): Promise<void> {
  try {
    await mongoose.connection.collection(collection).dropIndex(name);
  } catch (error) {
    // Another process was first.
    if (!(error instanceof mongo.MongoServerError && error.codeName === "IndexNotFound"))
      throw error;
  }
}

async function buildIndex(wanted: WantedIndex): Promise<void> {
  const { collection: name, key, ...options } = wanted;
  const collection = mongoose.connection.collection(name);
  try {
    await collection.createIndex(key as Record<string, 1 | -1>, options);
  } catch (error) {
    if (isDuplicateKeyError(error))
      throw new DatabaseError((await findDuplicates(wanted)) ?? (error as Error).message);
    const { codeName, message } = error as mongo.MongoServerError;
    const found = (await collection.indexes()) as FoundIndex[];
    // MongoDB before 5.0 does not build a second index on the same fields.
    const obstacles = found.filter((index) => hasSameKey(index.key, key));
    if (/^Index(Options|KeySpecs)Conflict$/.test(codeName ?? "") && obstacles.length > 0)
      throw new DatabaseError(inTheWay(wanted, obstacles));
    const reason = message.replace(/\s+/g, " ").slice(0, 300);
    throw new DatabaseError(`${name}: the index ${wanted.name} cannot be built: ${reason}`);
  }
}

/** Names in one line some documents that a unique index would not allow, and what to do; null without any. */
export async function findDuplicates(wanted: WantedIndex): Promise<string | null> {
  const { collection, name, key, collation, partialFilterExpression = {} } = wanted;
  const values = Object.fromEntries(Object.keys(key).map((field, n) => [`field${n}`, `$${field}`]));
  const groups = await mongoose.connection
    .collection(collection)
    .aggregate<{ some: unknown[] }>(
      [
        { $match: partialFilterExpression },
        {
          $group: {
            _id: values,
            first: { $min: "$_id" },
            last: { $max: "$_id" },
            count: { $sum: 1 },
          },
        },
        { $match: { count: { $gt: 1 } } },
        { $limit: MOST_EXAMPLES + 1 },
        { $project: { some: ["$first", "$last"] } },
      ],
      { allowDiskUse: true, ...(collation && { collation }) },
    )
    .toArray();
  if (groups.length === 0) return null;
  const examples = groups.slice(0, MOST_EXAMPLES).map(({ some }) => some.map(String).join(" and "));
  if (groups.length > MOST_EXAMPLES) examples.push("and others");
  const alike = collation ? " in upper or lower case" : "";
  return `${collection}: the unique index ${name} cannot be built, because documents have the same ${named(key)}${alike}, such as those with _id ${examples.join(", ")}; change one of each, or delete it`;
}
