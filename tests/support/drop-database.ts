import type { Connection } from "mongoose";

/**
 * Removes all documents and keeps the indexes; in one transaction, which waits until those of a test's
 * killed process or late worker are over. The embedded server locks up when a plain delete or a drop
 * meets an open transaction (docs/decisions/005-embedded-database.md).
 */
export async function removeAllDocuments(connection: Connection): Promise<void> {
  const collections = await connection.db!.collections();
  await connection.transaction(async (session) => {
    for (const collection of collections) await collection.deleteMany({}, { session });
  });
}

/** Drops the database of that connection, when no transaction is open in it any more. */
export async function dropDatabase(connection: Connection): Promise<void> {
  await removeAllDocuments(connection);
  await connection.dropDatabase();
}
