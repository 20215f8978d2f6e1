import mongoose, { type mongo } from "mongoose";
import { cursorBatches } from "~/db/batches";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { takenUri } from "~/db/uri-options.server";
import { checkRatings } from "~/reviews/ratings.server";
import { acquireDatabase } from "../database/index";
import { progressBar } from "./progress";

/** How many documents are copied at a time. */
const BATCH = 500;

/** Runs `work` with the embedded database of a data folder, whatever its layout. */
export async function withEmbedded<Result>(
  dataDir: string,
  work: (db: mongo.Db, uri: string) => Promise<Result>,
): Promise<Result> {
  const { uri, release } = await acquireDatabase({ dataDir });
  try {
    return await withConnection(uri, (db) => work(db, uri));
  } finally {
    await release();
  }
}

/** Runs `work` with Mongoose connected to the database of that URI. */
export async function connected<Result>(
  uri: string,
  work: () => Promise<Result>,
  options?: Parameters<typeof connectDatabase>[1],
): Promise<Result> {
  try {
    await connectDatabase(uri, options);
    return await work();
  } finally {
    await disconnectDatabase();
  }
}

/** Runs `work` with a connection of its own to that database. */
export async function withConnection<Result>(
  uri: string,
  work: (db: mongo.Db) => Promise<Result>,
): Promise<Result> {
  const connection = mongoose.createConnection(takenUri(uri).uri, {
    writeConcern: { w: "majority", journal: true },
  });
  try {
    await connection.asPromise();
    return await work(connection.db!);
  } finally {
    await connection.close();
  }
}

/** The number of documents in each collection, without those that expire. */
export async function countDocuments(db: mongo.Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of await collectionNames(db)) {
    const indexes = await db.collection(name).indexes();
    if (indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)) continue;
    counts[name] = await db.collection(name).countDocuments();
  }
  return counts;
}

/** Whether all collections are empty. */
export async function isEmpty(db: mongo.Db): Promise<boolean> {
  for (const name of await collectionNames(db))
    if (await db.collection(name).findOne({}, { projection: { _id: 1 } })) return false;
  return true;
}

/** Copies every document of a database into an empty one. */
export async function copyDocuments(from: mongo.Db, to: mongo.Db): Promise<void> {
  const names = await collectionNames(from);
  const total = Object.values(await countDocuments(from)).reduce((sum, count) => sum + count, 0);
  const onProgress = progressBar("Copy");
  let done = 0;
  for (const name of names) {
    // Keeps the stored types of numbers and regular expressions.
    const documents = from
      .collection(name)
      .find({}, { batchSize: BATCH, promoteValues: false, bsonRegExp: true });
    for await (const batch of cursorBatches(documents, BATCH)) {
      await to.collection(name).insertMany(batch, { ordered: false });
      onProgress(Math.min((done += batch.length), total), total);
    }
  }
  onProgress.end();
}

/** The slugs of the tours whose figures differ from their reviews. */
export async function findWrongRatings(uri: string): Promise<string[]> {
  const checkAll = () => checkRatings({ onProgress: progressBar("Ratings") });
  return (await connected(uri, checkAll, { indexes: false })).map(({ slug }) => slug);
}

async function collectionNames(db: mongo.Db): Promise<string[]> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("system."))
    .sort();
}
