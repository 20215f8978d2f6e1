import { databaseNameOf } from "~/infra/mongodb-uri";
import { parseEnv } from "~/infra/env.server";
import { optionsOf, UsageError } from "./lib/command";
import { shardCommands } from "./lib/sharding";

const USAGE =
  "Usage: npm run db:shard -- --dry-run  (prints commands for mongosh; it never runs them)";

/**
 * Prints the commands that shard the database of `MONGODB_URI` (docs/scale.md). It never runs them: on a large
 * collection they take hours and cannot be undone, so an administrator runs them in mongosh.
 */
export default function dbShard(args: string[]): number {
  const values = optionsOf(args, { "dry-run": { type: "boolean" } }, USAGE);
  if (!values["dry-run"]) throw new UsageError(USAGE);
  const { mongodbUri } = parseEnv(process.env);
  const database = (mongodbUri && databaseNameOf(mongodbUri)) || "tour_reviews";
  process.stdout.write(`${shardCommands(database).join("\n")}\n`);
  return 0;
}
