import { toObjectId } from "~/infra/ids.server";
import { verifyReviews } from "~/services/reviews/verified.server";
import { say, UsageError, withDatabase } from "./lib/command";
import { progressBar } from "./lib/progress";
import { stopSignal } from "./lib/stop";

/**
 * `verify` looks again at which reviews have a completed booking. When it is interrupted, it says how to go on:
 * with `--after` and the id of the last review that was looked at.
 */
export default async function reviews([action, ...options]: string[]): Promise<number> {
  const [flag, id] = options;
  const after = toObjectId(id);
  const isWhole = options.length === 0 || (options.length === 2 && flag === "--after" && after);
  if (action !== "verify" || !isWhole)
    throw new UsageError("Usage: npm run reviews -- verify [--after ID]");
  return withDatabase(() => verify(after ?? undefined));
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
  say(`Interrupted. Go on with: npm run reviews -- verify --after ${last}`);
  return 1;
}
