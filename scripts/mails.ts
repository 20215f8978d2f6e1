import { type ListedMail, listOutbox } from "~/mail/outbox-list.server";
import { type Retried, retryGivenUp, retryMail } from "~/mail/retry.server";
import type { NotificationState } from "#models/notification";
import { readArguments, duration, say, UsageError } from "./lib/command";
import { withDatabase } from "./lib/with-database";

/** The states of the outbox, by the names that this command uses. */
const STATES: Record<string, NotificationState> = {
  waiting: "pending",
  "given-up": "dead",
  sent: "sent",
  captured: "captured",
};

/** The states that `list` shows by default: those that may need somebody to act. */
const SHOWN = ["waiting", "given-up"];

/** How many e-mails of a state are listed at most. */
const LISTED = 100;

const USAGE = `Usage: npm run mails -- list [--state ${Object.keys(STATES).join("|")}] | retry ID | retry --given-up`;

/**
 * `list` shows the outbox; `retry` makes a failed e-mail, or all that were given up, due now. The running site sends
 * what is due, or the next one that starts.
 */
export default async function mails(args: string[]): Promise<void> {
  const options = { state: { type: "string" }, "given-up": { type: "boolean" } } as const;
  const { values, words } = readArguments(args, options, USAGE);
  const [action, id, ...more] = words;
  const { state, "given-up": givenUp = false } = values;
  if (action === "list" && id === undefined && !givenUp) {
    if (state !== undefined && !Object.hasOwn(STATES, state)) throw new UsageError(USAGE);
    return withDatabase(() => list(state === undefined ? SHOWN : [state]));
  }
  const isRetry = action === "retry" && state === undefined && more.length === 0;
  if (!isRetry || (id === undefined) !== givenUp) throw new UsageError(USAGE);
  await withDatabase(async () => {
    if (id === undefined) return sayRetried(await retryGivenUp());
    sayRetried({ due: await retryMail(id), refused: new Map() });
  });
}

async function list(states: string[]): Promise<void> {
  const now = new Date();
  for (const state of states) {
    const { mails, count } = await listOutbox(STATES[state]!, LISTED);
    for (const mail of mails) process.stdout.write(`${mailLine(state, mail, now)}\n`);
    say(`${count} ${state}${count > mails.length ? `, of which ${mails.length} are shown` : ""}`);
  }
}

/** For example `66… waiting review to a…@example.com: 5 h old, 3 attempts, next in 12 min: SendGrid: 503`. */
function mailLine(
  state: string,
  { id, kind, to, createdAt, dueAt, attempts, failure }: ListedMail,
  now: Date,
): string {
  const facts = [
    `${duration(now.getTime() - createdAt.getTime())} old`,
    `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`,
    ...(state === "waiting" ? [nextTry(dueAt, now)] : []),
  ];
  const reason = failure === null ? "" : `: ${failure}`;
  return `${id} ${state} ${kind}${to === null ? "" : ` to ${to}`}: ${facts.join(", ")}${reason}`;
}

function nextTry(dueAt: Date, now: Date): string {
  return dueAt <= now ? "due now" : `next try in ${duration(dueAt.getTime() - now.getTime())}`;
}

function sayRetried({ due, refused }: Retried): void {
  for (const [reason, count] of refused) say(`${count} not sent again: ${reason}`);
  const them = due === 1 ? "it" : "them";
  if (due > 0) say(`${due} due now; the running site sends ${them}, or the next one that starts.`);
  else if (refused.size === 0) say("No e-mail was given up.");
}
