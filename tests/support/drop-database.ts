import type { Connection, mongo } from "mongoose";

/** What the embedded server answers, very rarely, to the commit of a transaction, which it has rolled back then. */
const ROLLED_BACK = "internal server error";
const ATTEMPTS = 3;

/** How the names of the databases of a run's workers begin, by the id of the run's process. */
export const databasePrefix = (run: number) => `test_${run}_`;

/**
 * Removes all documents and keeps the indexes; in one transaction, which waits until those of a test's
 * killed process or late worker are over. The embedded server locks up when a plain delete or a drop
 * meets an open transaction (docs/decisions/005-embedded-database.md).
 */
export async function removeAllDocuments(connection: Connection): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      const filled = await filledCollections(connection.db!);
      if (filled.length === 0) return;
      return await connection.transaction(async (session) => {
        for (const collection of filled) await collection.deleteMany({}, { session });
      });
    } catch (error) {
      if (attempt === ATTEMPTS || (error as Error).message !== ROLLED_BACK) throw error;
    }
}

/** The collections with documents: one command, because a test fills few of them. */
async function filledCollections(db: mongo.Db): Promise<mongo.Collection[]> {
  const collections = await db.collections();
  const [first, ...others] = collections.map(({ collectionName: coll }) => ({
    coll,
    pipeline: [{ $limit: 1 }, { $project: { _id: 0, coll: { $literal: coll } } }],
  }));
  if (!first) return [];
  const found = await db
    .collection(first.coll)
    .aggregate<{ coll: string }>([
      ...first.pipeline,
      ...others.map((other) => ({ $unionWith: other })),
    ])
    .toArray();
  const filled = new Set(found.map(({ coll }) => coll));
  return collections.filter(({ collectionName }) => filled.has(collectionName));
}

/** Drops the database of that connection, when no transaction is open in it any more. */
export async function dropDatabase(connection: Connection): Promise<void> {
  await removeAllDocuments(connection);
  await connection.dropDatabase();
}
