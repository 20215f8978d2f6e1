import type { Model, PipelineStage } from "mongoose";

/**
 * A stage that adds the document with that `_id`, or none, as a list under `as`. As the driver gives it: the caller
 * reads it tolerantly. By `_id` only: docs/decisions/005-embedded-database.md
 */
export const joinById = (
  { collection }: Pick<Model<never>, "collection">,
  localField: string,
  as: string,
): PipelineStage.Lookup => ({
  $lookup: { from: collection.collectionName, localField, foreignField: "_id", as },
});
