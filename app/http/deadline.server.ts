import { isDatabaseSilent } from "../infra/database.server";
import { requestScope } from "../infra/request-scope.server";

/** How long a request waits for a database that goes away meanwhile, or was away before, in milliseconds. */
const PATIENCE_MS = 2_200;

const SHORT_PATIENCE_MS = 500;

/** How long a request waits for a database that is there, in milliseconds. */
const LONGEST_PATIENCE_MS = 30_000;

/**
 * Calls `giveUp` when a request that waits from now on has waited long enough: for a database that
 * is away, or for anything at all. Nothing more of the request is committed then. Gives the function
 * that ends the watch.
 *
 * The driver's own limits are no such bound: they hold for one command, and add up where a request
 * sends several, retries or waits for its turn.
 */
export function watchPatience(giveUp: () => void): () => void {
  const scope = requestScope.getStore();
  const started = performance.now();
  let watching = true;
  const decide = () => {
    if (!watching) return;
    if (!isDatabaseSilent() && performance.now() - started <= LONGEST_PATIENCE_MS) {
      timer = setTimeout(look, 100);
      return;
    }
    if (scope) scope.abandoned = true;
    giveUp();
  };
  // What has arrived is read first, in case that this process itself was held up.
  const look = () => setImmediate(() => setImmediate(decide));
  let timer = setTimeout(look, isDatabaseSilent() ? SHORT_PATIENCE_MS : PATIENCE_MS);
  return () => {
    watching = false;
    clearTimeout(timer);
  };
}

/** What `answer` gives, or a rejection when it takes too long for a request (see `watchPatience`). */
export async function withPatience<Result>(answer: Promise<Result>): Promise<Result> {
  let end: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    end = watchPatience(() => reject(new Error("The database does not answer")));
  });
  return Promise.race([answer, late]).finally(() => end?.());
}
