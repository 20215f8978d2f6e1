import { texts } from "~/lib/refusal-texts";
import { NetworkLimit, RateLimit } from "./rate-limits.server";
import { SlidingLimit } from "./sliding-limit.server";

// Every limit of the service by its name (docs/rules/requests.md, Limits).

export const WRONG_PASSWORDS = 5;
export const WRONG_PASSWORDS_A_DAY = 100;
export const CHECKPOINTS_AN_HOUR = 120;

const MINUTE_MS = 60_000;
export const LOCKOUT_MS = 15 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const tooMany = (what: string) => (wait: string) =>
  `Too many ${what}. Please wait ${wait} and try again.`;
const tooManyRequests = tooMany("requests from your network");

const WRONG = {
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: tooMany("wrong passwords for this account"),
} as const;

/** Wrong passwords of log-ins, by account and client address: a stranger locks out only himself. */
export const wrongPasswords = new RateLimit({ ...WRONG, name: "login", points: WRONG_PASSWORDS });

/** The same by account and /48 of IPv6; spares networks that the account has used before. */
export const wrongPasswordsBySite = new RateLimit({ ...WRONG, name: "login-48", points: 20 });

/** Wrong passwords of log-ins, by account: guesses from ever new networks; spares those that it has used. */
export const dailyWrongPasswords = new RateLimit({
  name: "login-day",
  points: WRONG_PASSWORDS_A_DAY,
  windowMs: DAY_MS,
  status: 400,
  refusal: () =>
    "Too many wrong passwords for this account today. Choose “Forgotten your password?” to log in by e-mail.",
});

/** Wrong passwords where a user who is logged in is asked for it again, by user. */
export const ownWrongPasswords = new RateLimit({
  ...WRONG,
  name: "own-password",
  points: WRONG_PASSWORDS,
});

/** More than a person, and fewer than a program that tries to log in while the password is being changed. */
export const RIGHT_PASSWORDS = 50;

/** Right passwords, by user: each makes a session, a link or a token. */
export const rightPasswords = new RateLimit({
  name: "right-password",
  points: RIGHT_PASSWORDS,
  windowMs: LOCKOUT_MS,
  refusal: tooMany("log-ins to this account"),
});

/** Failed log-ins, by network, which many people may share. */
export const failedLogins = new NetworkLimit({
  name: "login-address",
  points: 100,
  windowMs: LOCKOUT_MS,
  refusal: tooMany("failed log-ins from your network"),
});

export const linksByNetwork = new NetworkLimit({
  name: "link-network",
  points: 60,
  windowMs: HOUR_MS,
  refusal: tooMany("requests for e-mails from your network"),
});

/** The same by the address that the e-mail goes to and by its purpose, whether or not it has an account. */
export const linksByAddress = new RateLimit({
  name: "link-address",
  points: 5,
  windowMs: HOUR_MS,
  refusal: (wait) =>
    `Too many e-mails to this address. Please check its spam folder too, or wait ${wait} and try again.`,
});

/** Passwords set by links, by network: each costs a hash. */
export const linkTriesByNetwork = new NetworkLimit({
  name: "link-try-network",
  points: 100,
  windowMs: LOCKOUT_MS,
  refusal: tooMany("passwords set by links from your network"),
});

/** The same by link, which one that works uses up: only those that fail are many. */
export const linkTries = new RateLimit({
  name: "link-try",
  points: 10,
  windowMs: LOCKOUT_MS,
  refusal: tooMany("tries with this link"),
});

/** Reviews that wait while their authors log in on the platform, by network: a stranger has sent them. */
export const handedOffReviewsByNetwork = new NetworkLimit({
  name: "handed-off-review",
  points: 60,
  windowMs: HOUR_MS,
  refusal: tooManyRequests,
});

/** Signed checkpoints of all tours, by network: each may read all tours. */
export const checkpointsByNetwork = new NetworkLimit({
  name: "checkpoint",
  points: CHECKPOINTS_AN_HOUR,
  windowMs: HOUR_MS,
  refusal: tooManyRequests,
});

/** Unsubscribing by the link of an e-mail, by network: a mail program's servers do it for many readers. */
export const unsubscribesByNetwork = new NetworkLimit({
  name: "unsubscribe-network",
  points: 600,
  windowMs: MINUTE_MS,
  refusal: tooManyRequests,
});

/** The same by link. Whoever has it counts for themselves, and not as its guide. */
export const unsubscribes = new RateLimit({
  name: "unsubscribe",
  points: 10,
  windowMs: MINUTE_MS,
  refusal: tooMany("requests with this link"),
});

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

/** E-mails to a guide about an explorer's reviews of one tour, by explorer and tour. */
export const reviewMails = new SlidingLimit({ name: "review-mail", points: 3, windowMs: HOUR_MS });

/** E-mails to an explorer about the replies to their reviews of one tour, likewise. */
export const replyMails = new SlidingLimit({ name: "reply-mail", points: 1, windowMs: HOUR_MS });

/** More than anybody does by hand, and enough for a client that posts a customer's whole history. */
export const WRITES_A_MINUTE = 600;

/** Changes of reviews, accounts, departures and settings, by user. */
export const writes = new RateLimit({
  name: "write",
  points: WRITES_A_MINUTE,
  windowMs: MINUTE_MS,
  refusal: () => texts.tooManyRequests,
});
