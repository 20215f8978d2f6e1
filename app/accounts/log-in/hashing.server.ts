import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { env } from "~/infra/env.server";
import { RateLimitError } from "~/infra/errors.server";
import { Turns } from "~/infra/turns.server";
import { isClosedPassword } from "./demo-log-ins.server";

/** How many cores this process has: those of the machine are divided among its server processes. */
const CORES = availableParallelism() / (cluster.isWorker ? env().webConcurrency : 1);

/** One core is left for pages, and so is one of the four threads of libuv, which also read files and look up names. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(Math.floor(CORES), 4) - 1);

export const MAX_WAITING_HASHES = 100;

/** Longer ones are wrong, since normalizing takes a time that grows with the square of their length. */
const LONGEST_PASSWORD = 4_096;

const BUSY = "The site is very busy at this moment. Please try again in a minute.";

const turns = new Turns(HASHES_AT_ONCE);

/** Gives one text for all ways in which keyboards compose its characters. */
const normalized = (password: string) => password.normalize("NFKC");

/** Runs hashing in a queue, so that nobody can make others wait for long. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (turns.size >= HASHES_AT_ONCE + MAX_WAITING_HASHES) throw new RateLimitError(503, BUSY, 60);
  return turns.run(work);
}

/** Whether any password can be right: not of an account without one, nor with a hash of another kind. */
export const hasPassword = (passwordHash: string | null) =>
  passwordHash !== null && /^\$argon2(id|i|d)\$/.test(passwordHash);

/** Hashes a password with argon2id, as a PHC string. Throws `RateLimitError` 503 when too many others wait. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => argon2id(password));

/** With the library's default algorithm and OWASP's parameters: 19 MiB, 2 passes. */
const argon2id = (password: string) =>
  hash(normalized(password), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** No password matches it, so that an unknown address takes as long as a wrong password. */
let dummyHash: Promise<string> | undefined;

/** Takes as long without a hash, or with the demo password on a public site. Throws `RateLimitError` 503 likewise. */
export async function isPasswordOf(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const isTooLong = password.length > LONGEST_PASSWORD;
  // It costs as much as another wrong one.
  const tried = isTooLong ? "" : password;
  return inTurn(async () => {
    const stored =
      (!isClosedPassword(tried) && passwordHash) ||
      (await (dummyHash ??= argon2id(randomBytes(16).toString("hex"))));
    if (await matches(stored, normalized(tried))) return !isTooLong;
    // A platform's own hashes, and older ones of ours, are of the text as it was typed.
    return tried !== normalized(tried) && (await matches(stored, tried));
  });
}

const matches = (stored: string, password: string) => verify(stored, password).catch(() => false);
