import type { PipelineStage } from "mongoose";
import { DAY_MS } from "~/lib/durations";

// MongoDB finds the dates of a list between two others by their index. The embedded database reads no index for
// `$elemMatch`: for a short period it first reads the dates after one and before the other, whichever they are; in a
// longer one it reads all tours sooner than the departures.
const SHORT_MS = 14 * DAY_MS;

/** Returns the stages of an aggregation that match the tours with one of their `dates` in that period. */
export function datesWithin(within: { $gte?: Date; $lte?: Date }): PipelineStage.Match[] {
  const { $gte, $lte } = within;
  const isShort = $gte && $lte && $lte.getTime() - $gte.getTime() <= SHORT_MS;
  return [
    ...(isShort ? [{ $match: { dates: within } }] : []),
    { $match: { dates: { $elemMatch: within } } },
  ];
}
