import { buildIndexes, findDuplicates, planIndexes } from "~/db/indexes.server";
import { readOptions, say } from "./lib/command";
import { withDatabase } from "./lib/with-database";

/**
 * Builds the indexes that the app adds, as a start of the app does, and prints a line for each. With `--dry-run` it
 * changes nothing and looks for obstacles: exit code 1 if there is one.
 */
export default async function dbIndexes(args: string[]): Promise<number> {
  const options = { "dry-run": { type: "boolean" } } as const;
  const values = readOptions(args, options, "Usage: npm run db:indexes -- [--dry-run]");
  return withDatabase(() => (values["dry-run"] ? dryRun() : build()), { indexes: false });
}

async function build(): Promise<number> {
  const plans = await planIndexes();
  for (const warning of await buildIndexes()) say(warning);
  for (const { collection, indexes, outdated } of plans) {
    for (const { name, existing } of indexes) print(collection, name, existing, "built");
    for (const name of outdated) print(collection, name, undefined, "dropped");
  }
  return 0;
}

async function dryRun(): Promise<number> {
  const obstacles: string[] = [];
  for (const { collection, indexes, outdated, warnings } of await planIndexes()) {
    for (const index of indexes) {
      const { name, existing, unique } = index;
      const obstacle =
        index.obstacle ?? (unique && !existing ? await findDuplicates(index) : undefined);
      if (obstacle) obstacles.push(obstacle);
      print(collection, name, existing, obstacle ? "cannot be built" : "would be built");
    }
    for (const name of outdated) print(collection, name, undefined, "would be dropped");
    warnings.forEach(say);
  }
  obstacles.forEach(say);
  return obstacles.length > 0 ? 1 : 0;
}

function print(collection: string, name: string, existing: string | undefined, action: string) {
  const state = !existing ? action : existing === name ? "is there" : `is there as ${existing}`;
  process.stdout.write(`${collection} ${name}: ${state}\n`);
}
