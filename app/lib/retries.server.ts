import { HOUR_MS } from "~/lib/durations";

const LONGEST_RETRY_MS = HOUR_MS;

/**
 * The pause before the next attempt: `firstMs`, doubled with every attempt, up to an hour; minus up to a quarter, so
 * that retries spread out.
 */
export function backoff(attempts: number, firstMs: number): number {
  const full = Math.min(firstMs * 2 ** (attempts - 1), LONGEST_RETRY_MS);
  return Math.round(full * (1 - Math.random() / 4));
}

/** The wait that a `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3), `longestMs` at most; 0 for no wait. */
export function retryAfterMs(retryAfter: string, longestMs: number): number {
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1_000;
  return wait > 0 ? Math.min(wait, longestMs) : 0;
}
