import { errors, jwtVerify, type JWTPayload } from "jose";
import { SpentNonce } from "#models/spent-nonce";
import { sha256 } from "~/infra/digest.server";
import { env } from "~/infra/env.server";
import { isDuplicateKeyError } from "~/infra/errors.server";
import { log } from "~/infra/log.server";

// Tokens that the platform signs for its users (docs/rules/accounts.md, Users of a platform).

/** For a log-in, and for a request to the API: whom such a token is for, and for how long it may be valid. */
const KINDS = {
  "log-in": { path: "", seconds: 120 },
  api: { path: "/api", seconds: 300 },
} as const;

/** By so many seconds the clocks of two machines may differ. */
const CLOCKS_DIFFER = 5;

/** Returns what a token says that the platform has signed just now; null for any other. */
export async function readPlatformToken(
  token: string,
  kind: keyof typeof KINDS,
): Promise<JWTPayload | null> {
  const { path } = KINDS[kind];
  let failure = "no secret has signed it";
  for (const secret of env().loginSecrets)
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        // Any other would need no secret, or take ours for a public key.
        algorithms: ["HS256"],
        audience: env().appUrl + path,
        requiredClaims: ["exp"],
        clockTolerance: CLOCKS_DIFFER,
      });
      failure = refusalOf(payload, kind);
      if (!failure) return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      // Without the error itself, which holds what the token says.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) failure = error.message;
    }
  log.warn({ failure, kind }, "a token of the platform is refused");
  return null;
}

/** Why a token with a right signature and audience is refused all the same; nothing for a good one. */
function refusalOf({ aud, exp = Infinity, iat = 0, nonce }: JWTPayload, kind: keyof typeof KINDS) {
  const latest = Date.now() / 1_000 + CLOCKS_DIFFER;
  if (iat > latest) return '"iat" is in the future';
  if (exp > latest + KINDS[kind].seconds) return '"exp" is too far away';
  // Otherwise one token would do for both, and whoever sees the address of a log-in could post with it.
  if (Array.isArray(aud) && aud.length > 1) return '"aud" names more than one';
  if (kind === "api" && nonce !== undefined) return '"nonce" is for a log-in';
  return "";
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
