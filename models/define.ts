import mongoose, { type InferRawDocType, type Model, type Schema } from "mongoose";

type Inferred<Fields> = {
  [
    Name in keyof InferRawDocType<Fields> as Name extends keyof Fields
      ? Fields[Name] extends { default: null }
        ? never
        : Name
      : Name
  ]: Exclude<InferRawDocType<Fields>[Name], null>;
} & {
  [Name in keyof Fields as Fields[Name] extends { default: null } ? Name : never]-?: Exclude<
    InferRawDocType<Fields>[Name & keyof InferRawDocType<Fields>],
    undefined
  > | null;
};

/**
 * A document with these fields of a schema, and `Others` that their types do not say. One whose default is null is always
 * there; one that is neither required nor has a default may be absent, and is never null.
 */
export type DocumentOf<Fields, Others = unknown> = Omit<Inferred<Fields>, keyof Others> & Others;

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
