import { removeDemoData } from "./lib/demo-data";
import { useSessionSecret } from "./lib/session-secret";
import { readArguments, UsageError } from "./lib/command";
import { withDatabase } from "./lib/with-database";

const USAGE = "Usage: npm run demo -- remove  (takes the demo data out)";

/** Removes the demo data from the database, and says how much there was. */
export default async function demo(args: string[]): Promise<void> {
  const { words } = readArguments(args, {}, USAGE);
  if (words.join(" ") !== "remove") throw new UsageError(USAGE);
  // Before anything is removed: the deletion of an account needs it.
  if (!(await useSessionSecret()))
    throw new UsageError("SESSION_SECRET is not set: the demo's users are deleted with the site's");
  const { tours, users } = await withDatabase(removeDemoData);
  process.stdout.write(
    tours + users === 0
      ? "There is no demo data.\n"
      : `Removed ${tours} tours and ${users} users of the demo data, with their bookings, reviews and replies.\n`,
  );
}
