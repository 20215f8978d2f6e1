import pLimit, { type LimitFunction } from "p-limit";
import { RateLimitError } from "~/lib/errors.server";
import { findIpv6Network } from "~/lib/networks.server";
import { accountTexts } from "~/accounts/refusal-texts";

/**
 * The longest queue of a key. Limits refuse most of the attempts in it, one after another, which leaves time for other
 * keys.
 */
const MAX_WAITING_ATTEMPTS = 500;

/** The queue of each key that has attempts under way. */
const queues = new Map<string, LimitFunction>();

/** Returns an IPv4 address, or the /52 of an IPv6 network: a customer with a whole /48 has sixteen under way. */
export const queueKey = (clientAddress: string) =>
  findIpv6Network(clientAddress, 52) ?? clientAddress;

/**
 * Runs one attempt at a time for each of the `keys`: a network first, then a link or a user. Throws `RateLimitError`
 * 429 when too many wait.
 */
export async function oneAttemptAtATime<Result>(
  keys: string[],
  attempt: () => Promise<Result>,
): Promise<Result> {
  const [key, ...others] = keys;
  if (key === undefined) return attempt();
  const queue = queues.get(key) ?? pLimit(1);
  if (queue.pendingCount >= MAX_WAITING_ATTEMPTS)
    throw new RateLimitError(429, accountTexts.tooManyAtOnce, 60);
  queues.set(key, queue);
  try {
    return await queue(() => oneAttemptAtATime(others, attempt));
  } finally {
    if (queue.activeCount + queue.pendingCount === 0) queues.delete(key);
  }
}
