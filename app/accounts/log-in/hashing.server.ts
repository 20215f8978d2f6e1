import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { env } from "~/config/env.server";
import { RateLimitError } from "~/lib/errors.server";
import { accountTexts } from "~/accounts/refusal-texts";
import { isClosedPassword } from "./demo-log-ins.server";

/** How many cores this process has: those of the machine are divided among its server processes. */
const CORES = availableParallelism() / (cluster.isWorker ? env().webConcurrency : 1);

/** One core is left for pages, and so is one of the four threads of libuv, which also read files and look up names. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(Math.floor(CORES), 4) - 1);

export const MAX_WAITING_HASHES = 100;

/** Longer ones are wrong, since normalizing takes a time that grows with the square of their length. */
const LONGEST_PASSWORD = 4_096;

const hashes = pLimit(HASHES_AT_ONCE);

/** Gives one text for all ways in which keyboards compose its characters. */
const normalized = (password: string) => password.normalize("NFKC");

/** Runs hashing in a queue, so that nobody can make others wait for long. */
async function queued<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashes.pendingCount >= MAX_WAITING_HASHES)
    throw new RateLimitError(503, accountTexts.busy, 60);
  return hashes(work);
}

/** As argon2's own tools write it: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`, with 8 and 16 bytes at least. */
const ARGON2 =
  /^\$argon2(?:id|i|d)(?:\$v=(?:16|19))?\$m=(\d+),t=(\d+),p=(\d+)(?:,keyid=[A-Za-z\d+/]*)?(?:,data=[A-Za-z\d+/]*)?\$[A-Za-z\d+/]{11,64}\$[A-Za-z\d+/]{22,86}$/;

/** The defaults of common frameworks are below these, and nobody waits for long while one is tried. */
const MOST = { memory: 131_072, passes: 10, lanes: 8, inAll: 262_144 };

/** The memory in KiB, the passes over it and the lanes of a PHC string of argon2; null for any other text. */
function readArgon2(text: string): { memory: number; passes: number; lanes: number } | null {
  const [, memory = 0, passes = 0, lanes = 0] = ARGON2.exec(text)?.map(Number) ?? [];
  const isPossible = passes >= 1 && lanes >= 1 && memory >= 8 * lanes;
  return isPossible ? { memory, passes, lanes } : null;
}

/** Whether it is the one kind of hash that a log-in can use. */
export const isArgon2 = (text: string) => readArgon2(text) !== null;

/** Whether a log-in with that hash would take longer than others can wait. Hashes of other kinds are never tried. */
export function isTooCostly(text: string): boolean {
  const cost = readArgon2(text);
  if (cost === null) return false;
  const { memory, passes, lanes } = cost;
  const isEachWithin = memory <= MOST.memory && passes <= MOST.passes && lanes <= MOST.lanes;
  return !isEachWithin || memory * passes > MOST.inAll;
}

/** The import's refusal of such a hash. */
export const TOO_COSTLY = `must be argon2 of at most m=${MOST.memory}, t=${MOST.passes}, p=${MOST.lanes} and m*t=${MOST.inAll}`;

/** Whether the account has a password to log in with: neither none, nor a hash that no log-in tries. */
export const hasPassword = (passwordHash: string | null | undefined): passwordHash is string =>
  typeof passwordHash === "string" && isArgon2(passwordHash) && !isTooCostly(passwordHash);

/** Hashes a password with argon2id, as a PHC string. Throws `RateLimitError` 503 when too many others wait. */
export const hashPassword = (password: string): Promise<string> => queued(() => argon2id(password));

/** With the library's default algorithm and OWASP's parameters: 19 MiB, 2 passes. */
const argon2id = (password: string) =>
  hash(normalized(password), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/**
 * A hash that no password matches. It is verified for an unknown address, so that this takes as long as a wrong
 * password.
 */
let dummyHash: Promise<string> | undefined;

/**
 * Verifies a password in constant time: also hashes without a usable hash, and for the demo password on a public site.
 * Throws `RateLimitError` 503 when too many others wait.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const isTooLong = password.length > LONGEST_PASSWORD;
  // A password that is too long costs as much time as any other wrong one.
  const tried = isTooLong ? "" : password;
  return queued(async () => {
    const stored =
      !isClosedPassword(tried) && hasPassword(passwordHash)
        ? passwordHash
        : await (dummyHash ??= argon2id(randomBytes(16).toString("hex")));
    if (await matches(stored, normalized(tried))) return !isTooLong;
    // A platform's own hashes, and older ones of ours, are of the text as it was typed.
    return tried !== normalized(tried) && (await matches(stored, tried));
  });
}

const matches = (stored: string, password: string) => verify(stored, password).catch(() => false);
