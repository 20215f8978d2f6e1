import { Layout, type LayoutDocument } from "#models/layout";
import { Tour, type TourDocument } from "#models/tour";
import { env } from "~/config/env.server";
import { BATCH } from "~/db/batches";
import { cached } from "~/lib/cache.server";
import { signedText } from "../signed-texts.server";

interface Checkpoint {
  text: string;
  /** In milliseconds since 1970. */
  keptUntil: number;
}

/** Largest size of a checkpoint in memory: that of 100,000 tours takes 10 MB. */
const MOST_BYTES = 16 * 1_024 * 1_024;

const checkpoints = cached<Checkpoint>({
  name: "checkpoint",
  maxBytes: MOST_BYTES,
  bytesOf: ({ text }) => text.length,
});

let underWay: Promise<string> | undefined;

/**
 * Returns the signed last entries of all tours: whoever keeps them sees a later change of the log
 * (docs/rules/reviews.md, Changes). All tours are read for it, so one pass serves all who ask meanwhile, and afterwards
 * for twice as long as it took: a process reads tours for at most a third of its time.
 */
export function getCheckpoint(): Promise<string> {
  const kept = checkpoints.get("");
  if (kept && Date.now() < kept.keptUntil) return Promise.resolve(kept.text);
  return (underWay ??= keepCheckpoint().finally(() => (underWay = undefined)));
}

/** Goes on where the request that began it is over: the next one is answered from what it keeps. */
async function keepCheckpoint(): Promise<string> {
  const began = Date.now();
  const text = await makeCheckpoint();
  const tookMs = Date.now() - began;
  checkpoints.set("", { text, keptUntil: Date.now() + 2 * tookMs });
  return text;
}

async function makeCheckpoint(): Promise<string> {
  const layout = await Layout.findOne({}, "restored").lean<LayoutDocument>();
  const tours = Tour.find({}, "lastChange").sort({ _id: 1 }).lean<TourDocument>();
  const lines: string[] = [];
  for await (const { _id, lastChange } of tours.cursor({ batchSize: BATCH }))
    if (lastChange) lines.push(`${_id.toString()} ${lastChange.version} ${lastChange.hash}`);
  const { at, backupOf } = layout?.restored ?? {};
  return signedText([
    "tour-reviews checkpoint 1",
    `site ${env().appUrl}`,
    `time ${new Date().toISOString()}`,
    // A shorter history must not pass for the whole one.
    ...(at && backupOf
      ? [`begins-anew ${at.toISOString()} backup-of ${backupOf.toISOString()}`]
      : []),
    ...lines,
  ]);
}
