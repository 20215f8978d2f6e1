import { type MalformedValue, onMalformedValue } from "#models/reading";
import { log } from "~/lib/log.server";

/** Most malformed records that are logged for each field, in the life of a process. */
const MOST_NAMED = 100;

const named = new Map<string, Set<string>>();

export const logMalformedValues = () => onMalformedValue(logMalformedValue);

/** Logs, once for each record and field, that a document of the platform was read tolerantly. */
export function logMalformedValue({ collection, id, field, found }: MalformedValue): void {
  const key = `${collection}.${field}`;
  const ids = named.get(key) ?? new Set();
  named.set(key, ids);
  if (ids.size > MOST_NAMED || ids.has(id)) return;
  ids.add(id);
  if (ids.size <= MOST_NAMED)
    log.warn({ collection, id, field, found }, "a malformed record, shown as far as it can be");
  else log.warn({ collection, field }, "more malformed records of this kind, which are not named");
}
