// @ts-check
import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The session id in a request's cookie, or null. It is a cookie of the app, which the programs that the app is
 * compared with understand, too: base64 of JSON, a dot, and an HMAC-SHA256 of what is before the dot.
 * @param {string | undefined} header
 * @param {string} secret
 * @returns {string | null}
 */
export function sessionIdOf(header, secret) {
  const [, cookie] = /(?:^|;\s*)session=([^;]+)/.exec(header ?? "") ?? [];
  if (!cookie) return null;
  const signed = decodeURIComponent(cookie);
  const dot = signed.lastIndexOf(".");
  const value = signed.slice(0, dot);
  const expected = Buffer.from(
    createHmac("sha256", secret).update(value).digest("base64").replaceAll("=", ""),
  );
  const given = Buffer.from(signed.slice(dot + 1));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(value, "base64").toString());
}
