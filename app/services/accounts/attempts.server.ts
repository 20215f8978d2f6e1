import AsyncLock from "async-lock";
import { RateLimitError } from "../../infra/errors.server";

/**
 * How many attempts of one client wait for their turn. Far more than are tried: refused one after another
 * they leave time for others between their answers, whose pages cost more than the refusal.
 */
const MAX_WAITING_ATTEMPTS = 500;

const TOO_MANY_AT_ONCE =
  "Too many log-ins from your network at once. Please wait a minute and try again.";

const attempts = new AsyncLock({ maxPending: MAX_WAITING_ATTEMPTS });

/**
 * Runs `attempt` when those that came before it by the same `key` (a network, a user) are over, and
 * returns its result. Throws `RateLimitError` 429 when too many wait already.
 */
export async function oneAttemptAtATime<Result>(
  key: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  let begun = false;
  try {
    return await attempts.acquire(key, () => {
      begun = true;
      return attempt();
    });
  } catch (error) {
    throw begun ? error : new RateLimitError(429, TOO_MANY_AT_ONCE, 60);
  }
}
