import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { SpentNonce } from "#models/spent-nonce";
import { sha256 } from "~/lib/digest.server";
import { env } from "~/config/env.server";
import { isDuplicateKeyError, ServiceError } from "~/lib/errors.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { keysAt } from "./platform-keys.server";

// Tokens that the platform signs for its users (docs/rules/accounts.md, Users of a platform).

/**
 * The kinds of tokens, for a log-in and for requests to the API: the path of their audience, and their longest
 * lifetime.
 */
const KINDS = {
  "log-in": { path: "", seconds: 120 },
  api: { path: "/api", seconds: 300 },
} as const;
type TokenKind = keyof typeof KINDS;

/** Tolerated difference between the clocks of two machines, in seconds. */
const CLOCKS_DIFFER = 60;

/** The message of the log for each refused token. */
export const TOKEN_REFUSED = "a token of the platform is refused";

/** A refused token. `failure` names the claim for the platform's developers, without its value. */
export class TokenError extends ServiceError {
  constructor(
    readonly failure: string,
    message: string = accountTexts.logInExpired,
  ) {
    super(400, message);
  }
}

/** Keys for verification: shared secrets or public keys, never both, so that a public key is not taken for a secret. */
interface Signers {
  algorithms: string[];
  keys: JWTVerifyGetKey[];
}

const { loginSecrets, loginKeys } = env();

const SECRETS: Signers = {
  algorithms: ["HS256"],
  keys: loginSecrets.map((secret) => () => new TextEncoder().encode(secret)),
};
const PUBLIC_KEYS: Signers = {
  algorithms: ["RS256", "ES256"],
  keys: loginKeys ? [keysAt(loginKeys)] : [],
};

/**
 * Verifies a token that the platform has just signed, and returns its claims. Throws `TokenError` for any other, and
 * `RateLimitError` 503 while the platform's keys cannot be read.
 */
export async function readPlatformToken(token: string, kind: TokenKind): Promise<JWTPayload> {
  const claims = await verifySignature(token).catch((error: unknown) => {
    // The error itself is not passed on: it holds the token's claims.
    throw error instanceof errors.JOSEError ? new TokenError(faultInWords(error)) : error;
  });
  const failure = claimFailure(claims, kind);
  if (failure) throw new TokenError(failure);
  return claims;
}

/** Names the fault for the platform's developer; otherwise in the library's words. */
function faultInWords(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return '"exp" is over';
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'several keys are published, and the token\'s header has no "kid"';
  const { claim, reason } = error as Partial<errors.JWTClaimValidationFailed>;
  return claim === "nbf" && reason === "check_failed" ? '"nbf" is in the future' : error.message;
}

async function verifySignature(token: string): Promise<JWTPayload> {
  const { algorithms, keys } = signersFor(token);
  for (const key of keys)
    try {
      const options = { algorithms, requiredClaims: ["exp"], clockTolerance: CLOCKS_DIFFER };
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  throw new TokenError("the signature is wrong");
}

function signersFor(token: string): Signers {
  const used = [SECRETS, PUBLIC_KEYS].filter(({ keys }) => keys.length > 0);
  const signers = used.find(({ algorithms }) => algorithms.includes(namedAlgorithm(token)));
  if (signers) return signers;
  throw new TokenError(
    `"alg" must be ${used.flatMap(({ algorithms }) => algorithms).join(" or ")}`,
  );
}

function namedAlgorithm(token: string): string {
  try {
    return decodeProtectedHeader(token).alg ?? "";
  } catch {
    throw new TokenError("it is no JWT");
  }
}

/** Why a token with a valid signature is refused because of its claims; empty for a good one. */
function claimFailure(
  { aud, exp = Infinity, iat = 0, nonce }: JWTPayload,
  kind: TokenKind,
): string {
  const { path, seconds } = KINDS[kind];
  const audience = env().appUrl + path;
  const latest = Date.now() / 1_000 + CLOCKS_DIFFER;
  // Otherwise one token would do for both, and whoever sees the address of a log-in could post with it.
  const audiences = [aud].flat();
  if (audiences.length !== 1 || audiences[0] !== audience)
    return `"aud" must be ${audience} and nothing else`;
  if (iat > latest) return '"iat" is in the future';
  if (exp > latest + seconds) return `"exp" is more than ${seconds / 60} minutes away`;
  return kind === "api" && nonce !== undefined ? '"nonce" is only for a log-in' : "";
}

/** Whether the nonce was not spent before. The unique id decides between two processes. */
export async function spendNonce(nonce: string, expiresAt: Date): Promise<boolean> {
  try {
    await SpentNonce.create({ _id: sha256(nonce), expiresAt });
    return true;
  } catch (error) {
    if (isDuplicateKeyError(error)) return false;
    throw error;
  }
}
