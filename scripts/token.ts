import { NO_ID } from "#models/reading";
import { DAY_MS } from "~/lib/durations";
import {
  createServiceToken,
  createToken,
  listTokens,
  revokeTokenById,
  type TokenInfo,
} from "~/accounts/tokens.server";
import { requireUserByEmail } from "~/accounts/users.server";
import { readArguments, say, UsageError } from "./lib/command";
import { withDatabase } from "./lib/with-database";

const USAGE =
  "Usage: npm run token -- --email EMAIL|--service [--name NAME] [--expires DAYS|YYYY-MM-DD] | list --email EMAIL|--service | revoke ID";

/** The greatest number of days for which a token can be made. */
const MOST_DAYS = 3_650;

/**
 * Creates a personal access token and prints nothing else on standard output; lists the tokens of a user, or revokes
 * one by the id in that list.
 */
export default async function token(args: string[]): Promise<void> {
  const text = { type: "string" } as const;
  const options = { email: text, service: { type: "boolean" }, name: text, expires: text } as const;
  const { values, words } = readArguments(args, options, USAGE);
  const { email, service = false, name, expires } = values;
  const [action, id, ...more] = words;
  if (more.length > 0) throw new UsageError(USAGE);
  if (action === "revoke" && id !== undefined && Object.keys(values).length === 0)
    return withDatabase(() => revoke(id));
  if ((email !== undefined) === service || id !== undefined) throw new UsageError(USAGE);
  if (action === "list" && name === undefined && expires === undefined)
    return withDatabase(() => list(email));
  if (action !== undefined) throw new UsageError(USAGE);
  const expiresAt = expires === undefined ? null : readExpiry(expires, new Date());
  await withDatabase(() => create(email, name ?? "Command line", expiresAt));
}

/** Without an address, for the platform's own programs. */
async function create(email: string | undefined, name: string, expiresAt: Date | null) {
  const created =
    email !== undefined
      ? await createToken(email, name, expiresAt)
      : await createServiceToken(name, expiresAt);
  const end = expiresAt ? `expires at ${expiresAt.toISOString()}` : "does not expire";
  const kind = email !== undefined ? `A personal access token for ${email}` : "A service token";
  say(`${kind}, which ${end}, shown only this once:`);
  process.stdout.write(`${created}\n`);
}

async function list(email?: string): Promise<void> {
  const user = {
    id: (email !== undefined ? (await requireUserByEmail(email))._id : NO_ID).toString(),
  };
  let count = 0;
  for (let after: string | null = null, first = true; first || after; first = false) {
    const { items, next }: Awaited<ReturnType<typeof listTokens>> = await listTokens(user, after);
    for (const item of items) process.stdout.write(`${tokenLine(item)}\n`);
    count += items.length;
    after = next;
  }
  say(`${count} access ${count === 1 ? "token" : "tokens"} of ${email ?? "the platform"}`);
}

const tokenLine = ({ id, name, createdAt, lastUsedAt, expiresAt }: TokenInfo) =>
  `${id} ${name}: created ${createdAt}, ${lastUsedAt ? `last used ${lastUsedAt}` : "never used"}, ${
    expiresAt ? `expires ${expiresAt}` : "does not expire"
  }`;

async function revoke(id: string): Promise<void> {
  const { name, userId } = await revokeTokenById(id);
  say(`Revoked the token ${name} of the user ${userId}.`);
}

/** A number of days from `now`, or the beginning of a day in UTC. */
function readExpiry(text: string, now: Date): Date {
  const isDays = /^\d{1,4}$/.test(text);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const expiry = isDays ? now.getTime() + Number(text) * DAY_MS : isDate ? Date.parse(text) : NaN;
  if (expiry > now.getTime() && expiry <= now.getTime() + MOST_DAYS * DAY_MS)
    return new Date(expiry);
  throw new UsageError(
    `--expires must be a number of days from 1 to ${MOST_DAYS}, or a date of that time, such as 2030-12-31`,
  );
}
