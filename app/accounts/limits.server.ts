import { tooMany } from "~/db/limits.server";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/lib/durations";
import { NetworkLimit, RateLimit } from "~/db/rate-limits.server";

// Limits of log-ins, passwords and links by e-mail (docs/rules/requests.md, Limits).

export const WRONG_PASSWORDS = 5;
export const WRONG_PASSWORDS_A_DAY = 100;
export const LOCKOUT_MS = 15 * MINUTE_MS;

const WRONG = {
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: tooMany("wrong passwords for this account"),
} as const;

/** Wrong passwords of log-ins, by account and client address, so that a stranger does not lock out the owner. */
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

/**
 * More log-ins than a person makes, and fewer than a program that tries to log in while the password is being changed.
 */
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

/** The same by link. A successful try uses the link up, so only failed ones add up. */
export const linkTries = new RateLimit({
  name: "link-try",
  points: 10,
  windowMs: LOCKOUT_MS,
  refusal: tooMany("tries with this link"),
});
