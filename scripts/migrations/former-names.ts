import mongoose, { type mongo } from "mongoose";

/** What an earlier version called its own collections, without a prefix. */
const FORMER_NAMES = [
  "sessions",
  "notifications",
  "accessTokens",
  "idempotencyKeys",
  "rateLimits",
] as const;

/** Documents moved at a time; see docs/decisions/005-embedded-database.md for `$in`. */
const BATCH = 100;

/**
 * Moves what an earlier version stored in collections without our prefix into those with it, so that nobody loses a
 * session or a waiting e-mail. For the embedded database alone: in any other one those names may be a platform's.
 */
export async function renameFormerCollections(db: mongo.Db): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  const existing = new Set(found.map(({ name }) => name));
  for (const name of FORMER_NAMES)
    if (existing.has(name)) await move(db.collection(name), db.collection(`tourReviews.${name}`));
}

/** No renameCollection: cut off in the middle, the embedded database's would lose documents. */
async function move(from: mongo.Collection, to: mongo.Collection): Promise<void> {
  for (;;) {
    const documents = await from.find().limit(BATCH).toArray();
    if (documents.length === 0) break;
    await to.insertMany(documents, { ordered: false }).catch((error: unknown) => {
      // Of an interrupted run; what is there already may have changed since.
      if (!isOnlyDuplicates(error)) throw error;
    });
    await from.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } });
  }
  await from.drop();
}

const isOnlyDuplicates = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoBulkWriteError &&
  [error.writeErrors].flat().every(({ code }) => code === 11000);
