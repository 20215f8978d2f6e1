import type { Model, QueryFilter, UpdateQuery } from "mongoose";

interface Claim<Document> {
  filter: QueryFilter<Document>;
  /** Ends the match: afterwards the filter finds the document no more. */
  update: UpdateQuery<Document>;
}

/**
 * Updates one document of the filter, which no other process then gets, and returns it as it was before; null where
 * there is none. By two commands, because for a findAndModify the embedded database reads the whole collection, and not
 * sorted, because with a sort it reads the whole range (docs/decisions/005-embedded-database.md): the index has the
 * earliest first.
 */
export async function claimOne<Document extends { _id: unknown }>(
  model: Model<Document>,
  { filter, update }: Claim<Document>,
): Promise<Document | null> {
  for (let next; (next = await model.findOne(filter).lean<Document>());) {
    // Several processes may have found the same document: the filter lets one of them update it.
    const { modifiedCount } = await model.updateOne({ _id: next._id, ...filter }, update);
    if (modifiedCount === 1) return next;
  }
  return null;
}
