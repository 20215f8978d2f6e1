import { env } from "~/config/env.server";
import { readOptions } from "./lib/command";
import { provideDemoData } from "./lib/demo-data";
import { withDatabase } from "./lib/with-database";

/**
 * Brings the database to this release's layout before `npm start` and `npm run dev` serve it, with the demo data where
 * it is wanted, and prints the open demo log-ins as JSON.
 */
export default async function prepare(args: string[]): Promise<void> {
  const usage = "Usage: npm start [-- --demo]";
  const { demo = false } = readOptions(args, { demo: { type: "boolean" } }, usage);
  const logIns = await withDatabase(({ embedded }) =>
    provideDemoData({ embedded, env: env(), demo }),
  );
  process.stdout.write(JSON.stringify(logIns));
}
