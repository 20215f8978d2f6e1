import { databaseNameOf } from "~/infra/mongodb-uri";
import { parseEnv } from "~/infra/env.server";
import { UsageError } from "./lib/command";
import { shardCommands } from "./lib/sharding";

/**
 * Prints the commands that shard the database of `MONGODB_URI` (docs/scale.md). It never gives them itself: what
 * they do to a large collection takes hours and cannot be taken back, so an administrator does it in mongosh.
 */
export default function dbShard(args: string[]): number {
  if (args.length !== 1 || args[0] !== "--dry-run")
    throw new UsageError(
      "Usage: npm run db:shard -- --dry-run  (prints commands for mongosh; it never runs them)",
    );
  const { mongodbUri } = parseEnv(process.env);
  const database = (mongodbUri && databaseNameOf(mongodbUri)) || "tour_reviews";
  process.stdout.write(`${shardCommands(database).join("\n")}\n`);
  return 0;
}
