import { MINUTE_MS } from "~/lib/durations";
import { texts } from "~/lib/refusal-texts";
import { RateLimit } from "./rate-limits.server";

// Shared parts of the limits: each has its own in a `limits.server.ts` (docs/rules/requests.md, Limits).

export const tooMany = (what: string) => (wait: string) =>
  `Too many ${what}. Please wait ${wait} and try again.`;
export const tooManyRequests = tooMany("requests from your network");

/**
 * Most changes by a user in a minute: more than anybody makes by hand, and enough for a client that posts a customer's
 * whole history.
 */
export const WRITES_A_MINUTE = 600;

/** Changes of reviews, accounts, departures and settings, by user. */
export const writes = new RateLimit({
  name: "write",
  points: WRITES_A_MINUTE,
  windowMs: MINUTE_MS,
  refusal: () => texts.tooManyRequests,
});
