import { Layout, type LayoutDocument } from "#models/layout";
import { Tour, type TourDocument } from "#models/tour";
import { BATCH } from "~/db/batches";
import { systemClock } from "~/infra/clock";
import { env } from "~/infra/env.server";
import { signedText } from "~/infra/signature.server";

let underWay: Promise<string> | undefined;

/**
 * Returns the signed last lines of all tours: whoever keeps them sees a later change of the lines
 * (docs/rules/reviews.md, Changes). One pass through the tours serves all who ask meanwhile.
 */
export const getCheckpoint = (): Promise<string> =>
  (underWay ??= makeCheckpoint().finally(() => (underWay = undefined)));

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
    `time ${systemClock().toISOString()}`,
    // A shorter history must not pass for the whole one.
    ...(at && backupOf
      ? [`begins-anew ${at.toISOString()} backup-of ${backupOf.toISOString()}`]
      : []),
    ...lines,
  ]);
}
