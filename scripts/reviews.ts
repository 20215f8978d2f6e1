import { toObjectId } from "~/db/ids.server";
import { verifyReviews } from "~/reviews/list/verified.server";
import { readArguments, say, UsageError } from "./lib/command";
import { progressBar } from "./lib/progress";
import { stopSignal } from "./lib/stop";
import { withDatabase } from "./lib/with-database";

const USAGE = "Usage: npm run reviews -- verify [--after ID]";

/**
 * `verify` checks again which reviews have a completed booking. If it is interrupted, it says how to continue: with
 * `--after` and the id of the last review that it checked.
 */
export default async function reviews(args: string[]): Promise<number> {
  const { values, words } = readArguments(args, { after: { type: "string" } }, USAGE);
  const after = toObjectId(values.after) ?? undefined;
  const isId = values.after === undefined || after !== undefined;
  if (words.length !== 1 || words[0] !== "verify" || !isId) throw new UsageError(USAGE);
  return withDatabase(() => verify(after));
}

async function verify(after: NonNullable<Parameters<typeof verifyReviews>[0]>["after"]) {
  const signal = stopSignal();
  const bar = progressBar("Reviews");
  const { done, total, verified, changed, last } = await verifyReviews({
    after,
    signal,
    onProgress: (progress) => bar(progress.done, progress.total),
  });
  say(`Looked at ${done} reviews: ${verified} with a completed booking, ${changed} changed.`);
  if (done >= total) return 0;
  say(`Interrupted. Continue with: npm run reviews -- verify --after ${last}`);
  return 1;
}
