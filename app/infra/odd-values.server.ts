import { type OddValue, onOddValue } from "../../models/reading";
import { log } from "./log.server";

/** Odd records that are named for each field, in the life of a process. */
const MOST_NAMED = 100;

/** The ids that were named, by collection and field, of which there are few. */
const named = new Map<string, Set<string>>();

/** Has this process log what it reads tolerantly. */
export const logOddValues = () => onOddValue(logOddValue);

/** Logs, once for each record and field, that a document of the platform was read tolerantly. */
export function logOddValue({ collection, id, field, found }: OddValue): void {
  const key = `${collection}.${field}`;
  const ids = named.get(key) ?? new Set();
  named.set(key, ids);
  if (ids.size > MOST_NAMED || ids.has(id)) return;
  ids.add(id);
  if (ids.size <= MOST_NAMED)
    log.warn({ collection, id, field, found }, "an odd record, shown as far as it can be");
  else log.warn({ collection, field }, "more odd records of this kind, which are not named");
}
