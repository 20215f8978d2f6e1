import type { Connection } from "mongoose";

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
  const collections = await connection.db!.collections();
  const remove = () =>
    connection.transaction(async (session) => {
      for (const collection of collections) await collection.deleteMany({}, { session });
    });
  for (let attempt = 1; ; attempt++)
    try {
      return await remove();
    } catch (error) {
      if (attempt === ATTEMPTS || (error as Error).message !== ROLLED_BACK) throw error;
    }
}

/** Drops the database of that connection, when no transaction is open in it any more. */
export async function dropDatabase(connection: Connection): Promise<void> {
  await removeAllDocuments(connection);
  await connection.dropDatabase();
}
