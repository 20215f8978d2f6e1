import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { derivedKey } from "./digest.server";
import { env, required } from "./env.server";

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410, 7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Returns lines of a text with a signature that everybody can check: a further line `ed25519 KEY SIGNATURE`, in base64url,
 * after an empty one. The key follows from `SESSION_SECRET`, so that it is in every backup.
 */
export function signedText(lines: string[]): string {
  const secret = derivedKey(required(env().sessionSecret, "SESSION_SECRET"), "signature");
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, secret]),
    format: "der",
    type: "pkcs8",
  });
  const text = lines.map((line) => `${line}\n`).join("");
  const { x } = createPublicKey(key).export({ format: "jwk" });
  return `${text}\ned25519 ${x} ${sign(null, Buffer.from(text), key).toString("base64url")}\n`;
}
