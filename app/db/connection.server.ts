import mongoose, { type mongo } from "mongoose";
import { DatabaseError } from "~/lib/errors.server";

/** Returns the database of the open connection, for commands that no model has. */
export function connectedDatabase(): mongo.Db {
  const { db } = mongoose.connection;
  if (!db) throw new DatabaseError("The database is not connected");
  return db;
}
