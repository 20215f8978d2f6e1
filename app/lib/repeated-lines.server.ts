import { requestScope } from "./request-scope.server";

const PERIOD_MS = 60_000;

/** How many failures are remembered; others are lines of their own. */
const MOST = 500;
const LONGEST = 300;

type Write = (repeated?: number) => void;

/** The failures of the last minute: the newest line of each, and how many were not written. */
const recent = new Map<string, { write: Write; repeated: number }>();

/**
 * Writes the first line of a key at once, and its newest repetition when a minute ends: a failure that goes on is one
 * line a minute.
 */
export function writeOnceAMinute(key: string, write: Write): void {
  const seen = recent.get(key);
  if (seen) {
    seen.write = write;
    seen.repeated++;
    return;
  }
  write();
  if (recent.size < MOST) remember(key, write);
}

export function writeRepeated(): void {
  for (const { write, repeated } of recent.values()) if (repeated > 0) write(repeated);
  recent.clear();
}

process.once("exit", writeRepeated);

function remember(key: string, write: Write): void {
  const seen = { write, repeated: 0 };
  recent.set(key, seen);
  const end = () => {
    if (recent.get(key) !== seen) return;
    recent.delete(key);
    if (seen.repeated === 0) return;
    seen.write(seen.repeated);
    remember(key, seen.write);
  };
  // Outside of the request, whose id the later lines do not have.
  requestScope.exit(() => setTimeout(end, PERIOD_MS).unref());
}

/**
 * Recognises a failure by its message and where the error comes from, whatever numbers and ids it names. Null for a
 * line that has to be written each time.
 */
export function failureOf(fields: unknown, message: unknown): string | null {
  if (typeof fields === "string") return alike(fields);
  const { err, failure, shape } = (fields ?? {}) as Record<string, unknown>;
  const cause =
    err instanceof Error ? `${err.name} ${err.message} ${callSite(err)}` : (failure ?? shape);
  return typeof cause === "string" ? `${String(message)}\n${alike(cause)}` : null;
}

const callSite = ({ stack = "" }: Error) =>
  stack.split("\n").find((line) => line.trimStart().startsWith("at ")) ?? "";

const alike = (text: string) => text.replace(/[0-9a-f]{12,}|\d+/gi, "#").slice(0, LONGEST);
