import { RateLimit } from "../infra/rate-limits.server";

/** Wrong passwords that an account takes within `LOCKOUT_MS` before it makes everyone wait. */
export const WRONG_PASSWORDS = 5;

export const LOCKOUT_MS = 15 * 60 * 1_000;

/** By account. */
export const wrongPasswords = new RateLimit({
  name: "login",
  points: WRONG_PASSWORDS,
  windowMs: LOCKOUT_MS,
  status: 400,
  refusal: (wait) =>
    `Too many wrong passwords for this account. Please wait ${wait} and try again.`,
});

/** By client address, which many may share. */
export const failedLogins = new RateLimit({
  name: "login-address",
  points: 100,
  windowMs: LOCKOUT_MS,
  refusal: (wait) =>
    `Too many failed log-ins from your network. Please wait ${wait} and try again.`,
});

/** By client address. */
export const signUps = new RateLimit({
  name: "signup",
  points: 60,
  windowMs: 60 * 60 * 1_000,
  refusal: (wait) => `Too many new accounts from your network. Please wait ${wait} and try again.`,
});

export const TOO_MANY_REQUESTS = "Too many requests";

/** More than anybody does by hand, and enough for a client that brings along a customer's history. */
export const WRITES_A_MINUTE = 600;

/** By user: what changes reviews, accounts, departures or settings. */
export const writes = new RateLimit({
  name: "write",
  points: WRITES_A_MINUTE,
  windowMs: 60_000,
  refusal: () => TOO_MANY_REQUESTS,
});

/** Builds the index of the limits, which share a collection; awaited before the server listens. */
export const prepareRateLimits = () => writes.createIndexes();
