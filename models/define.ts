import mongoose, { type Model, type Schema } from "mongoose";

/** Created once per process, even if the development server reloads this code. */
export function define<Document>(
  name: string,
  collection: string,
  schema: Schema<Document>,
): Model<Document> {
  // Version keys and timestamps would add fields to a platform's own collections.
  schema.set("versionKey", false);
  // A filter on a field that the schema does not know is a mistake, not an empty answer.
  schema.set("strictQuery", "throw");
  return (
    (mongoose.models[name] as Model<Document> | undefined) ??
    mongoose.model<Document>(name, schema, collection)
  );
}
