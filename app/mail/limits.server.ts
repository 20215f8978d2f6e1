import { tooMany, tooManyRequests } from "~/db/limits.server";
import { HOUR_MS, MINUTE_MS } from "~/lib/durations";
import { NetworkLimit, RateLimit } from "~/db/rate-limits.server";
import { SlidingLimit } from "~/db/sliding-limit.server";

// Limits of e-mails and of unsubscribing (docs/rules/requests.md, Limits).

/** Unsubscribing by the link of an e-mail, by network: a mail program's servers do it for many recipients. */
export const unsubscribesByNetwork = new NetworkLimit({
  name: "unsubscribe-network",
  points: 600,
  windowMs: MINUTE_MS,
  refusal: tooManyRequests,
});

/** The same by link, which counts for its holder and not for its guide. */
export const unsubscribes = new RateLimit({
  name: "unsubscribe",
  points: 10,
  windowMs: MINUTE_MS,
  refusal: tooMany("requests with this link"),
});

/** E-mails to a guide about an explorer's reviews of one tour, by explorer and tour. */
export const reviewMails = new SlidingLimit({ name: "review-mail", points: 3, windowMs: HOUR_MS });

/** E-mails to an explorer about the replies to their reviews of one tour, likewise. */
export const replyMails = new SlidingLimit({ name: "reply-mail", points: 1, windowMs: HOUR_MS });
