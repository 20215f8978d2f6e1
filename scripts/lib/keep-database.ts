import { MINUTE_MS } from "~/lib/durations";
import { log } from "~/lib/log.server";
import { DatabaseError } from "../database/index";
import type { OpenDatabase } from "./open-database";

/** How often the keeper of the embedded database may end within `WINDOW_MS` before the site ends, too. */
const MOST_LOSSES = 3;

/** In milliseconds. */
const WINDOW_MS = 10 * MINUTE_MS;

/**
 * Whenever the keeper of the embedded database has ended, for example killed by the system for lack of memory, opens
 * the database again with `reopen`, until `stopped` aborts. Rejects with `DatabaseError` if that fails or happens
 * again and again.
 */
export async function keepDatabase(
  first: OpenDatabase,
  reopen: () => Promise<OpenDatabase>,
  stopped: AbortSignal,
): Promise<void> {
  let losses: number[] = [];
  for (let current = first; current.lost;) {
    await current.lost;
    if (stopped.aborted) return;
    const now = performance.now();
    losses = [...losses.filter((time) => now - time < WINDOW_MS), now];
    if (losses.length > MOST_LOSSES)
      throw new DatabaseError(
        `The embedded database ended ${losses.length} times within ten minutes (why is in database.log of DATA_DIR).`,
      );
    log.error("the keeper of the embedded database has ended, another one is started");
    current = await reopen();
    // The server processes know no other URI.
    if (current.uri !== first.uri)
      throw new DatabaseError(
        "Another program has taken the port of the embedded database: start the site again.",
      );
    log.warn("the embedded database runs again");
  }
}
