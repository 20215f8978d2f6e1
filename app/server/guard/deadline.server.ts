import { isDatabaseSilent } from "~/db/database.server";
import { CHANGES_MS } from "~/db/transaction.server";
import { BusyError, UncertainError } from "~/lib/errors.server";
import { requestScope } from "~/lib/request-scope.server";

/** How long a request may take whose database becomes unreachable meanwhile, is so from the start, or answers. */
const DEADLINE_MS = 2_200;
const SHORT_DEADLINE_MS = 500;
/** Longer than its changes may take, so that a commit at the last moment is still answered. */
const LONGEST_DEADLINE_MS = CHANGES_MS + 5_000;

/**
 * When the deadline passes, the request is aborted: nothing more of it is committed, and `giveUp` is called. Returns
 * the function that ends the deadline. The driver's own timeouts are no such bound: they hold for one command.
 */
export function startDeadline(giveUp: () => void): () => void {
  const scope = requestScope.getStore();
  const started = performance.now();
  if (scope) scope.changesUntil = started + CHANGES_MS;
  let pending = true;
  const giveUpIfLate = () => {
    if (!pending) return;
    if (!isDatabaseSilent() && performance.now() - started <= LONGEST_DEADLINE_MS) {
      timer = setTimeout(checkSoon, 100);
      return;
    }
    scope?.abort?.abort();
    giveUp();
  };
  // Answers that have arrived are read first, in case this process itself was held up.
  const checkSoon = () => setImmediate(() => setImmediate(giveUpIfLate));
  let timer = setTimeout(checkSoon, isDatabaseSilent() ? SHORT_DEADLINE_MS : DEADLINE_MS);
  return () => {
    pending = false;
    clearTimeout(timer);
  };
}

/** Returns the failure of the present request after it was given up. */
export const failureOfLate = (cause?: Error): BusyError | UncertainError =>
  requestScope.getStore()?.mayBeStored ? new UncertainError({ cause }) : new BusyError({ cause });

/**
 * Resolves as `answer` does; when the present request's deadline passes first, throws `BusyError`, or `UncertainError`
 * where something of it may be stored.
 */
export async function withDeadline<Result>(answer: Promise<Result>): Promise<Result> {
  let end: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    // Made only then, since the stack of an error takes a twentieth of a fast request's time.
    end = startDeadline(() =>
      reject(failureOfLate(new Error("The database did not answer in time"))),
    );
  });
  return Promise.race([answer, late]).finally(() => end?.());
}
