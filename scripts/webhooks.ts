import { env } from "~/config/env.server";
import { isoTime } from "~/lib/validation.server";
import {
  type ListedWebhook,
  listWebhooks,
  resend,
  webhookId,
} from "~/reviews/webhooks/addresses.server";
import { readArguments, duration, say, UsageError } from "./lib/command";
import { withDatabase } from "./lib/with-database";

const USAGE = "Usage: npm run webhooks -- list | resend URL|ID --from TIME";

/**
 * `list` shows how far each address of `WEBHOOK_URLS` is; `resend` lets everything wait again for one, so that the
 * running site sends it, or the next one that starts.
 */
export default async function webhooks(args: string[]): Promise<void> {
  const { values, words } = readArguments(args, { from: { type: "string" } } as const, USAGE);
  const [action, address, ...more] = words;
  const { from } = values;
  if (action === "list" && address === undefined && from === undefined) return withDatabase(list);
  if (action !== "resend" || address === undefined || from === undefined || more.length > 0)
    throw new UsageError(USAGE);
  if (!isoTime().safeParse(from).success)
    throw new UsageError(
      "--from must be a date or a time in ISO 8601, such as 2026-11-28T09:30:00Z",
    );
  await withDatabase(() => resend(address, new Date(from)));
  say(`The running site sends everything since ${from} again, or the next one that starts.`);
}

async function list(): Promise<void> {
  const now = new Date();
  const named = new Set(env().webhookUrls.map(webhookId));
  const webhooks = await listWebhooks();
  for (const webhook of webhooks) process.stdout.write(`${toLine(webhook, named, now)}\n`);
  say(`${webhooks.length} ${webhooks.length === 1 ? "address" : "addresses"}`);
}

/** For example `66… https://a.example/hooks: 5 min behind, 3 failed, next in 2 min: answered 500`. */
function toLine(
  { id, address, behindMs, dueAt, attempts, failure }: ListedWebhook,
  named: Set<string>,
  now: Date,
): string {
  const facts = [
    behindMs > 0 ? `${duration(behindMs)} behind` : "nothing waits",
    ...(failure !== null
      ? [`${attempts} failed, next in ${duration(dueAt.getTime() - now.getTime())}`]
      : []),
    ...(named.has(id) ? [] : ["not in WEBHOOK_URLS"]),
  ];
  return `${id} ${address}: ${facts.join(", ")}${failure === null ? "" : `: ${failure}`}`;
}
