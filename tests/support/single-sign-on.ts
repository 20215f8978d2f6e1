import { createHmac } from "node:crypto";
import type { UserDocument } from "#models/user";

// A platform that logs its users in and hands them over (docs/rules/accounts.md, Users of a platform).

export const LOGIN_SECRET = "the platform and the site know this";

/** The settings of a site whose users log in at that address. The first secret is the next one. */
export const logInOnPlatform = (address: string) => ({
  LOGIN_URL: address,
  LOGIN_SECRET: `${LOGIN_SECRET.toUpperCase()},${LOGIN_SECRET}`,
});

export type Claims = Record<string, unknown>;

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** A JWT with that header, signed by HMAC whatever the header says; `none` has no signature. */
export function signed(claims: Claims, { secret = LOGIN_SECRET, alg = "HS256" } = {}): string {
  const content = `${encoded({ alg, typ: "JWT" })}.${encoded(claims)}`;
  const hash = alg === "HS512" ? "sha512" : "sha256";
  const signature = createHmac(hash, secret).update(content).digest("base64url");
  return `${content}.${alg === "none" ? "" : signature}`;
}

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** The platform's claims about a user; `audience` is the site's origin, or its API. */
export const claimsOf = (
  { _id, name, email }: Pick<UserDocument, "_id" | "name" | "email">,
  audience: string,
  more: Claims = {},
): Claims => ({ aud: audience, sub: _id.toString(), name, email, exp: inSeconds(60), ...more });
