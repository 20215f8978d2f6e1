import { tooManyRequests } from "~/db/limits.server";
import { DAY_MS, HOUR_MS } from "~/lib/durations";
import { NetworkLimit, RateLimit } from "~/db/rate-limits.server";

// Limits of reports and appeals (docs/rules/requests.md, Limits).

/** Reports and appeals, by network: neither needs an account. */
export const reportsByNetwork = new NetworkLimit({
  name: "report-network",
  points: 20,
  windowMs: HOUR_MS,
  refusal: tooManyRequests,
});

/** E-mails about reports to an address that nobody has proven, by address. */
export const receiptsByAddress = new RateLimit({
  name: "receipt-address",
  points: 10,
  windowMs: DAY_MS,
  refusal: (wait) => `Too many e-mails to this address. Please wait ${wait}.`,
});
