import type { Connection, mongo } from "mongoose";

/** A very rare answer of the embedded server to the commit of a transaction, which it has then rolled back. */
const ROLLED_BACK = "internal server error";
const ATTEMPTS = 3;

/** The beginning of the names of all databases of a run's workers, with the id of the run's process. */
export const databasePrefix = (run: number) => `test_${run}_`;

/**
 * Removes all documents and keeps the indexes. It does so in one transaction, which waits until transactions of a
 * killed process or a late worker are over: the embedded server locks up when a plain delete or a drop meets an open
 * transaction (docs/decisions/005-embedded-database.md).
 */
export const removeAllDocuments = (connection: Connection): Promise<void> =>
  again(async () => {
    const filled = await filledCollections(connection.db!);
    if (filled.length === 0) return;
    await connection.transaction(async (session) => {
      for (const collection of filled) await collection.deleteMany({}, { session });
    });
  });

/**
 * Returns a function that makes all documents what they are now, in one transaction, too. It writes only what has
 * changed since, which is a tenth of the commands that remove and create a world.
 */
export async function keepDocuments(connection: Connection): Promise<() => Promise<void>> {
  const documents = async () => {
    const found = await fromAllCollections(connection.db!, []);
    return new Map(
      found.map(([name, document]) => [
        `${name} ${JSON.stringify(document._id)}`,
        { name, document },
      ]),
    );
  };
  const kept = await documents();
  return () =>
    again(async () => {
      const present = await documents();
      const writes: Record<string, mongo.AnyBulkWriteOperation[]> = {};
      const addWrite = (name: string, operation: mongo.AnyBulkWriteOperation) =>
        (writes[name] ??= []).push(operation);
      const idOf = ({ _id }: mongo.Document) => ({ _id: _id as never });
      for (const [key, { name, document }] of present)
        if (!kept.has(key)) addWrite(name, { deleteOne: { filter: idOf(document) } });
      for (const [key, { name, document: replacement }] of kept)
        if (JSON.stringify(present.get(key)?.document) !== JSON.stringify(replacement))
          addWrite(name, { replaceOne: { filter: idOf(replacement), replacement, upsert: true } });
      await connection.transaction(async (session) => {
        for (const [name, operations] of Object.entries(writes))
          await connection.db!.collection(name).bulkWrite(operations, { session });
      });
    });
}

/** Does it again when the embedded server has rolled it back. */
async function again(write: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await write();
    } catch (error) {
      if (attempt === ATTEMPTS || (error as Error).message !== ROLLED_BACK) throw error;
    }
}

/** The collections with documents: a test fills few of them. */
async function filledCollections(db: mongo.Db): Promise<mongo.Collection[]> {
  const found = await fromAllCollections(db, [{ $limit: 1 }, { $project: { _id: 1 } }]);
  const filled = new Set(found.map(([name]) => name));
  return [...filled].map((name) => db.collection(name));
}

/** The results of that pipeline in each collection, with the collection's name; with one command for all of them. */
export async function fromAllCollections(
  db: mongo.Db,
  pipeline: mongo.Document[],
): Promise<[name: string, document: Record<string, unknown>][]> {
  const names = (await db.collections()).map(({ collectionName }) => collectionName).sort();
  const [first, ...others] = names.map((coll) => ({
    coll,
    pipeline: [...pipeline, { $project: { _id: 0, name: { $literal: coll }, document: "$$ROOT" } }],
  }));
  if (!first) return [];
  const found = await db
    .collection(first.coll)
    .aggregate<{ name: string; document: Record<string, unknown> }>([
      ...first.pipeline,
      ...others.map((other) => ({ $unionWith: other })),
    ])
    .toArray();
  return found.map(({ name, document }) => [name, document]);
}

/** Drops the database of that connection once no transaction is open in it. */
export async function dropDatabase(connection: Connection): Promise<void> {
  await removeAllDocuments(connection);
  await connection.dropDatabase();
}
