import mongoose, { type mongo } from "mongoose";

/** The names without a prefix that an earlier version gave its own collections. */
const FORMER_NAMES = [
  "sessions",
  "notifications",
  "accessTokens",
  "idempotencyKeys",
  "rateLimits",
] as const;

/** How many documents are moved at a time; see docs/decisions/005-embedded-database.md for `$in`. */
const BATCH = 100;

/**
 * Moves what an earlier version stored in collections without our prefix into those with it, so that no session and
 * no waiting e-mail is lost. Only for the embedded database: in any other one those collections may be a platform's.
 */
export async function renameFormerCollections(db: mongo.Db): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  const existing = new Set(found.map(({ name }) => name));
  for (const name of FORMER_NAMES)
    if (existing.has(name)) await move(db.collection(name), db.collection(`tourReviews.${name}`));
}

/** Without renameCollection: the embedded database's would lose documents if it were interrupted. */
async function move(from: mongo.Collection, to: mongo.Collection): Promise<void> {
  for (;;) {
    const documents = await from.find().limit(BATCH).toArray();
    if (documents.length === 0) break;
    await to.insertMany(documents, { ordered: false }).catch((error: unknown) => {
      // From an interrupted run; a document that is already there may have changed since.
      if (!isOnlyDuplicates(error)) throw error;
    });
    await from.deleteMany({ _id: { $in: documents.map(({ _id }) => _id) } });
  }
  await from.drop();
}

const isOnlyDuplicates = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoBulkWriteError &&
  [error.writeErrors].flat().every(({ code }) => code === 11000);
