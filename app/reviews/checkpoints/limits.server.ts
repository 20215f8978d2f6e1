import { tooManyRequests } from "~/db/limits.server";
import { HOUR_MS } from "~/lib/durations";
import { NetworkLimit } from "~/db/rate-limits.server";

// Limits of the log of changes (docs/rules/requests.md, Limits).

export const CHECKPOINTS_AN_HOUR = 120;

/** Signed checkpoints of all tours, by network: each may read all tours. */
export const checkpointsByNetwork = new NetworkLimit({
  name: "checkpoint",
  points: CHECKPOINTS_AN_HOUR,
  windowMs: HOUR_MS,
  refusal: tooManyRequests,
});
