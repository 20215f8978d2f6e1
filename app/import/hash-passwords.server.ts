import { Turns } from "~/infra/turns.server";
import { HASHES_AT_ONCE, hashPassword, isPasswordOf } from "~/accounts/log-in/hashing.server";
import type { Records } from "./records.server";

type Passwords = Pick<Records["users"], "password" | "passwordHash">;

/** No more wait for a hash than are computed: only requests are refused because others wait. */
const hashing = new Turns(HASHES_AT_ONCE);

/** True without a password; otherwise this takes as long as hashing it. */
export async function isPassword(
  stored: unknown,
  { password, passwordHash }: Passwords,
): Promise<boolean> {
  if (password === undefined || passwordHash !== undefined) return true;
  return typeof stored === "string" && hashing.run(() => isPasswordOf(stored, password));
}

export async function withPasswordHash({ password, passwordHash, ...user }: Records["users"]) {
  const hash = passwordHash ?? (password && (await hashing.run(() => hashPassword(password))));
  return hash ? { ...user, passwordHash: hash } : user;
}
