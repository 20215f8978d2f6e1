import { readFile } from "node:fs/promises";
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";
import { MINUTE_MS } from "~/lib/durations";
import { RateLimitError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { texts } from "~/lib/refusal-texts";

/** Maximum age of the keys in memory. */
const KEPT_MS = 10 * MINUTE_MS;

/** Shortest pause between two requests for the keys, for a token of an unknown key and after a failure. */
const PAUSE_MS = 5_000;

const TIMEOUT_MS = 3_000;

/** The faults of a token, not of the set. */
const FAULTS_OF_TOKEN = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/**
 * Returns a function that finds the public key of a token in the JSON Web Key Set at that address, which may be a
 * file's. It throws jose's errors for a token without a key there, and `RateLimitError` 503 while the set cannot be
 * read.
 */
export function keysAt(address: URL): JWTVerifyGetKey {
  let failedAt = -Infinity;
  const fetchKeys = async (url: string, init: RequestInit) => {
    // Otherwise every token would cause a request meanwhile.
    if (Date.now() - failedAt < PAUSE_MS) throw new Error("they could not be read a moment ago");
    return address.protocol === "file:" ? new Response(await readFile(address)) : fetch(url, init);
  };
  const keys = createRemoteJWKSet(address, {
    cacheMaxAge: KEPT_MS,
    cooldownDuration: PAUSE_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetchKeys,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (FAULTS_OF_TOKEN.some((kind) => error instanceof kind)) throw error;
      if (Date.now() - failedAt >= PAUSE_MS) {
        failedAt = Date.now();
        log.error({ err: error }, "the keys of LOGIN_JWKS_URL cannot be read");
      }
      throw new RateLimitError(503, texts.logInUnchecked, PAUSE_MS / 1_000);
    }
  };
}
