import { parseEnv } from "~/infra/env.server";
import { UsageError, withDatabaseName } from "./lib/command";
import { findDatabase } from "./database/index";

/** Prints the URI of the database in use; fails when none is running. */
export default async function dbUri(): Promise<void> {
  const { mongodbUri, dataDir } = parseEnv(process.env);
  const uri = mongodbUri ?? (await findDatabase(dataDir));
  if (!uri)
    throw new UsageError("No database is running: npm start starts one, or set MONGODB_URI.");
  // Without a name in it, MongoDB's drivers use the database `test`.
  const named = /^mongodb(\+srv)?:\/\/[^/?]+\/[^?]/.test(uri) ? uri : withDatabaseName(uri, "test");
  process.stdout.write(`${named}\n`);
}
