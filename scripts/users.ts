import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { accountContents, deleteAccountOf } from "~/personal-data/deletion.server";
import { continueDeletions, isBeingDeleted } from "~/personal-data/deletion-worker.server";
import { hasPassword } from "~/accounts/log-in/hashing.server";
import { exportData } from "~/personal-data/export.server";
import { countSessions, logOutEverywhere } from "~/accounts/log-in/sessions.server";
import { countValidTokens } from "~/accounts/tokens.server";
import { isSuspended, requireUserByEmail, toCurrentUser } from "~/accounts/users.server";
import type { UserDocument } from "#models/user";
import { readArguments, say, UsageError } from "./lib/command";
import { useSessionSecret } from "./lib/session-secret";
import { stopSignal } from "./lib/stop";
import { withDatabase } from "./lib/with-database";

const USAGE =
  "Usage: npm run users -- show|export|log-out|delete --email EMAIL  (delete: also --yes)";

const ACTIONS: Record<string, (user: UserDocument) => Promise<void>> = {
  show: showUser,
  export: writeExport,
  "log-out": logOut,
  delete: removeUser,
};

/**
 * Does for a user what they could do themselves: shows or exports their data, ends all their log-ins, tokens and
 * links, or deletes the account, after `--yes` or a confirmation on the terminal.
 */
export default async function users(args: string[]): Promise<number> {
  const options = { email: { type: "string" }, yes: { type: "boolean" } } as const;
  const { values, words } = readArguments(args, options, USAGE);
  const { email, yes = false } = values;
  const [action = "", ...more] = words;
  if (!Object.hasOwn(ACTIONS, action) || more.length > 0 || email === undefined)
    throw new UsageError(USAGE);
  const isDeletion = action === "delete";
  if (yes && !isDeletion) throw new UsageError(USAGE);
  if (isDeletion && !yes && !process.stdin.isTTY)
    throw new UsageError("delete needs --yes where nobody can confirm it");
  if (!(await useSessionSecret()) && isDeletion)
    throw new UsageError(
      "SESSION_SECRET is not set: without the site's secret, an import would not know that the account was deleted",
    );
  return withDatabase(async () => {
    const user = await requireUserByEmail(email);
    if (isDeletion && !yes && !(await isConfirmed(user))) return 1;
    await ACTIONS[action]!(user);
    return 0;
  });
}

async function showUser(user: UserDocument): Promise<void> {
  const { id, name, email, image } = toCurrentUser(user);
  const { reviews, tours } = await accountContents({ id });
  const lines = {
    id,
    name,
    email,
    picture: image ?? "none",
    password: hasPassword(user.passwordHash) ? "set" : "none",
    "e-mails about reviews": user.reviewMails,
    "suspended until": isSuspended(user) ? user.suspendedUntil!.toISOString() : "not suspended",
    "log-ins": await countSessions(user._id),
    "valid access tokens": await countValidTokens(user._id, new Date()),
    reviews,
    tours,
  };
  for (const [label, value] of Object.entries(lines)) process.stdout.write(`${label}: ${value}\n`);
}

async function writeExport(user: UserDocument): Promise<void> {
  const data = Readable.from(await exportData(toCurrentUser(user)));
  await pipeline(data, process.stdout, { end: false });
  say(`Exported the data of the user ${user._id.toString()}.`);
}

async function logOut(user: UserDocument): Promise<void> {
  const { logIns, tokens } = await logOutEverywhere(user);
  const ended = `${count(logIns, "log-in")} and ${count(tokens, "access token")}`;
  say(`Ended ${ended} of the user ${user._id.toString()}.`);
}

async function removeUser(user: UserDocument): Promise<void> {
  const stopped = stopSignal();
  await deleteAccountOf(toCurrentUser(user));
  const id = user._id.toString();
  say(`Deleted the account of the user ${id}.`);
  await continueDeletions({ stopped: () => stopped.aborted });
  if (await isBeingDeleted(user._id))
    say("The running site deletes what is left of it, or the next one that starts.");
  else say("Nothing of it is left.");
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Says on the terminal what will be deleted, and asks for a word; Ctrl-C and Ctrl-D do not confirm. */
async function isConfirmed(user: UserDocument): Promise<boolean> {
  const { id, name, email } = toCurrentUser(user);
  const { reviews, tours } = await accountContents({ id });
  say(
    `${name} <${email}> has ${count(reviews, "review")}, deleted too, and ${count(tours, "tour")}, kept.`,
  );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = once(terminal, "close").then(() => "");
  const answer = await Promise.race([
    terminal.question("This cannot be undone. Type delete to go on: "),
    closed,
  ]);
  terminal.close();
  if (answer.trim() === "delete") return true;
  say("Nothing was deleted.");
  return false;
}
