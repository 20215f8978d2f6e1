import { createHash, createHmac, hkdfSync } from "node:crypto";
import { env, required } from "~/config/env.server";

/** A secret is stored and found under it. */
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** A key of 32 bytes for that purpose only: what it signs is not valid for any other purpose. */
export const derivedKey = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", `tour-reviews ${purpose}`, 32));

/** The opaque part of an entity tag (RFC 9110, 8.8.3) that names this text. */
export const entityTag = (text: string | Buffer) =>
  createHash("sha256").update(text).digest("base64url").slice(0, 27);

/** The ETag header of an entity tag. */
export const strongETag = (tag: string) => `"${tag}"`;

/** The same of an answer whose bytes may differ, as by their compression. */
export const weakETag = (text: string | Buffer) => `W/${strongETag(entityTag(text))}`;

/** Names an inline script or style in a content security policy. */
export const policyHash = (text: string) =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Nobody without the session secret can make the hash; one made for a purpose is not valid for another. */
export function keyedHash(purpose: string, text: string): string {
  let key = keys.get(purpose);
  if (!key) {
    key = derivedKey(required(env().sessionSecret, "SESSION_SECRET"), purpose);
    keys.set(purpose, key);
  }
  return createHmac("sha256", key).update(text).digest("base64url");
}

const keys = new Map<string, Buffer>();
