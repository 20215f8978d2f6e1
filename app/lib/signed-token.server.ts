import { timingSafeEqual } from "node:crypto";
import { keyedHash } from "./digest.server";

/**
 * A secret for the address of a page that needs no log-in: the signed id needs no storing. It is good for as long as
 * the session secret.
 */
export const signedToken = (purpose: string, id: string) => `${id}${keyedHash(purpose, id)}`;

/** Null for a token that is not ours. */
export function readSignedToken<Purpose extends string>(
  token: string,
  purposes: readonly Purpose[],
): { id: string; purpose: Purpose } | null {
  const [, id = "", given = ""] = /^([0-9a-f]{24})([\w-]{43})$/.exec(token) ?? [];
  const isFor = (purpose: string) =>
    timingSafeEqual(Buffer.from(given), Buffer.from(keyedHash(purpose, id)));
  const purpose = id && purposes.find(isFor);
  return purpose ? { id, purpose } : null;
}
