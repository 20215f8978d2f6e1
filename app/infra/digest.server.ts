import { createHash, createHmac, hkdfSync } from "node:crypto";
import { env, required } from "./env.server";

/** SHA-256 in hex: under which a secret is stored and found. */
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The opaque part of an entity tag (RFC 9110, 8.8.3) that names this text. */
export const entityTag = (text: string | Buffer) =>
  createHash("sha256").update(text).digest("base64url").slice(0, 27);

/**
 * A hash of the text that nobody without the session secret can make, under a key of its own for each
 * purpose: what is made for one can pass for nothing else.
 */
export function keyedHash(purpose: string, text: string): string {
  const secret = required(env().sessionSecret, "SESSION_SECRET");
  const key = Buffer.from(hkdfSync("sha256", secret, "", `tour-reviews ${purpose}`, 32));
  return createHmac("sha256", key).update(text).digest("base64url");
}
