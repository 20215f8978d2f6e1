import { createHash } from "node:crypto";

/** SHA-256 in hex: under which a secret is stored and found. */
export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The opaque part of an entity tag (RFC 9110, 8.8.3) that names this text. */
export const entityTag = (text: string | Buffer) =>
  createHash("sha256").update(text).digest("base64url").slice(0, 27);
