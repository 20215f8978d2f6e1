import { createHash, createHmac, hkdfSync } from "node:crypto";
import { env, required } from "./env.server";

/** SHA-256 in hex, under which a secret is stored and found. */
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A key of 32 bytes for that purpose only: what it signs is not valid for any other purpose. */
export const derivedKey = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", `tour-reviews ${purpose}`, 32));

/** The opaque part of an entity tag (RFC 9110, 8.8.3) that names this text. */
export const entityTag = (text: string | Buffer) =>
  createHash("sha256").update(text).digest("base64url").slice(0, 27);

/**
 * A hash of the text that nobody without the session secret can make, under a key of its own for each purpose: a
 * hash made for one is not valid for another.
 */
export function keyedHash(purpose: string, text: string): string {
  let key = keys.get(purpose);
  if (!key) {
    key = derivedKey(required(env().sessionSecret, "SESSION_SECRET"), purpose);
    keys.set(purpose, key);
  }
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** The keys of `keyedHash` by their purposes, which the code names. */
const keys = new Map<string, Buffer>();
