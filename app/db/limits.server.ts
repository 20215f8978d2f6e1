import { texts } from "~/infra/refusal-texts";
import { NetworkLimit, RateLimit } from "./rate-limits.server";

// Every limit of the service by its name (docs/rules/requests.md, Limits).

export const WRONG_PASSWORDS = 5;

export const LOCKOUT_MS = 15 * 60 * 1_000;

const tooManyWrongPasswords = (wait: string) =>
  `Too many wrong passwords for this account. Please wait ${wait} and try again.`;

/** Wrong passwords of log-ins, by account and client address: a stranger locks out only himself. */
export const wrongPasswords = new RateLimit({
  name: "login",
  points: WRONG_PASSWORDS,
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: tooManyWrongPasswords,
});

/** The same by account and /48 of IPv6; spares networks that the account has used before. */
export const wrongPasswordsBySite = new RateLimit({
  name: "login-48",
  points: 20,
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: tooManyWrongPasswords,
});

export const WRONG_PASSWORDS_A_DAY = 100;

/** Wrong passwords of log-ins, by account: guesses from ever new networks; spares those that it has used. */
export const dailyWrongPasswords = new RateLimit({
  name: "login-day",
  points: WRONG_PASSWORDS_A_DAY,
  windowMs: 24 * 60 * 60 * 1_000,
  status: 400,
  refusal: () =>
    "Too many wrong passwords for this account today. Choose “Forgotten your password?” to log in by e-mail.",
});

/** Wrong passwords where a user who is logged in is asked for it again, by user. */
export const ownWrongPasswords = new RateLimit({
  name: "own-password",
  points: WRONG_PASSWORDS,
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: tooManyWrongPasswords,
});

/** Failed log-ins, by network, which many people may share. */
export const failedLogins = new NetworkLimit({
  name: "login-address",
  points: 100,
  windowMs: LOCKOUT_MS,
  refusal: (wait) =>
    `Too many failed log-ins from your network. Please wait ${wait} and try again.`,
});

export const linksByNetwork = new NetworkLimit({
  name: "link-network",
  points: 60,
  windowMs: 60 * 60 * 1_000,
  refusal: (wait) =>
    `Too many requests for e-mails from your network. Please wait ${wait} and try again.`,
});

/** The same by the address that the e-mail goes to and by its purpose, whether or not it has an account. */
export const linksByAddress = new RateLimit({
  name: "link-address",
  points: 5,
  windowMs: 60 * 60 * 1_000,
  refusal: (wait) =>
    `Too many e-mails to this address. Please check its spam folder too, or wait ${wait} and try again.`,
});

/** Passwords set by links, by network: each costs a hash. */
export const linkTriesByNetwork = new NetworkLimit({
  name: "link-try-network",
  points: 100,
  windowMs: LOCKOUT_MS,
  refusal: (wait) =>
    `Too many passwords set by links from your network. Please wait ${wait} and try again.`,
});

/** The same by link, which one that works uses up: only those that fail are many. */
export const linkTries = new RateLimit({
  name: "link-try",
  points: 10,
  windowMs: LOCKOUT_MS,
  refusal: (wait) => `Too many tries with this link. Please wait ${wait} and try again.`,
});

/** Unsubscribing by the link of an e-mail, by network: a mail program's servers do it for many readers. */
export const unsubscribesByNetwork = new NetworkLimit({
  name: "unsubscribe-network",
  points: 600,
  windowMs: 60_000,
  refusal: (wait) => `Too many requests from your network. Please wait ${wait} and try again.`,
});

/** The same by link. Whoever has it counts for themselves, and not as its guide. */
export const unsubscribes = new RateLimit({
  name: "unsubscribe",
  points: 10,
  windowMs: 60_000,
  refusal: (wait) => `Too many requests with this link. Please wait ${wait} and try again.`,
});

/** Reports and appeals, by network: neither needs an account. */
export const reportsByNetwork = new NetworkLimit({
  name: "report-network",
  points: 20,
  windowMs: 60 * 60 * 1_000,
  refusal: (wait) => `Too many requests from your network. Please wait ${wait} and try again.`,
});

/** E-mails about reports to an address that nobody has proven, by address. */
export const receiptsByAddress = new RateLimit({
  name: "receipt-address",
  points: 10,
  windowMs: 24 * 60 * 60 * 1_000,
  refusal: (wait) => `Too many e-mails to this address. Please wait ${wait}.`,
});

/** More than anybody does by hand, and enough for a client that posts a customer's whole history. */
export const WRITES_A_MINUTE = 600;

/** Changes of reviews, accounts, departures and settings, by user. */
export const writes = new RateLimit({
  name: "write",
  points: WRITES_A_MINUTE,
  windowMs: 60_000,
  refusal: () => texts.tooManyRequests,
});
