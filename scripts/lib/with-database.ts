import { migrate } from "../migrations/index";
import { say } from "./command";
import { connected } from "./database-copy";
import { openDatabase, type OpenDatabase } from "./open-database";
import { useSessionSecret } from "./session-secret";

/**
 * Runs `work` with Mongoose connected to the database of every command, and the site's secret where it is known, then
 * disconnects and releases it. First it brings the database to this release's layout and builds its indexes, unless
 * told otherwise.
 */
export async function withDatabase<Result>(
  work: (database: OpenDatabase) => Promise<Result>,
  { indexes = true } = {},
): Promise<Result> {
  const database = await openDatabase();
  const { uri, embedded, release } = database;
  try {
    const upgrade = () => migrate({ embedded, onProgress: say });
    if (indexes) await connected(uri, upgrade, { indexes: false });
    await useSessionSecret();
    return await connected(uri, () => work(database), { indexes });
  } finally {
    await release();
  }
}
