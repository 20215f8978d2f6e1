import { tooManyRequests } from "~/db/limits.server";
import { HOUR_MS } from "~/lib/durations";
import { NetworkLimit } from "~/db/rate-limits.server";

// Limits of reviews that wait for a log-in (docs/rules/requests.md, Limits).

/** Reviews that wait while their authors log in on the platform, by network: a stranger has sent them. */
export const waitingReviewsByNetwork = new NetworkLimit({
  name: "waiting-review-network",
  points: 60,
  windowMs: HOUR_MS,
  refusal: tooManyRequests,
});
