import { parseEnv } from "~/config/env.server";
import { noArguments, UsageError } from "./lib/command";
import { findDatabase } from "./database/index";

/** Prints the URI of the running database; fails if none is running. */
export default async function dbUri(args: string[]): Promise<void> {
  noArguments(args, "npm run db:uri");
  const { mongodbUri, dataDir } = parseEnv(process.env);
  const uri = mongodbUri ?? (await findDatabase(dataDir));
  if (!uri)
    throw new UsageError("No database is running: npm start starts one, or set MONGODB_URI.");
  process.stdout.write(`${uri}\n`);
}
