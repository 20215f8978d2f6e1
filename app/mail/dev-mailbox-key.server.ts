import { timingSafeEqual } from "node:crypto";
import { derivedKey, sha256 } from "~/lib/digest.server";
import { env, required } from "~/config/env.server";

export const devMailboxKey = (sessionSecret: string) =>
  derivedKey(sessionSecret, "captured e-mails").toString("base64url");

export function isDevMailboxKey(given: string): boolean {
  const key = devMailboxKey(required(env().sessionSecret, "SESSION_SECRET"));
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(key)));
}
