import type { TourDocument } from "#models/tour";
import { env } from "~/config/env.server";
import { timeZoneNamed } from "~/config/zones";
import { log } from "./log.server";
import { firstCharacters } from "./text";

const MOST_NAMED = 100;
const LONGEST_NAMED = 64;

const named = new Set<string>();

/**
 * Returns the time zone of a tour, or else the site's (`TIME_ZONE`). A zone that does not exist counts as none; the log
 * names it once in each process.
 */
export function tourTimeZone(tour: Pick<TourDocument, "timeZone"> | null): string {
  const given = tour?.timeZone?.trim();
  const zone = given ? timeZoneNamed(given) : undefined;
  if (given && zone === undefined) logUnknown(firstCharacters(given, LONGEST_NAMED));
  return zone ?? env().timeZone;
}

function logUnknown(timeZone: string): void {
  if (named.has(timeZone) || named.size >= MOST_NAMED) return;
  named.add(timeZone);
  log.warn({ timeZone }, "a tour names a time zone that does not exist; TIME_ZONE counts for it");
}
