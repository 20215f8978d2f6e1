import { MINUTE_MS } from "~/lib/durations";
import { env } from "~/config/env.server";
import { isolated } from "~/lib/text";
import { cachedByVersion } from "~/reviews/list/cached-by-version.server";
import { changesUpTo } from "~/reviews/list-changes.server";
import type { PublicChange } from "~/reviews/record-changes.server";
import { publicMeta } from "~/ui/meta.server";
import { tourChangesPath } from "~/ui/paths";
import { namedTour } from "./named-tour.server";
import { getStoredTour } from "./tours.server";

const ROWS_PER_PAGE = 50;
/** Most entries that are summed up, the last ones. */
const SUMMED = 2_000;
const KEPT_MS = MINUTE_MS;
const GONE = ["deleted", "removed", "redacted", "restored"];
const MOST_GONE = 20;
const POINTS = 60;

/** Row of the page: an entry, or all of an import that follow each other, of which it is the last. */
export interface EntryRow extends PublicChange {
  /** The version of the first, and how many there are. */
  first: number;
  entryCount: number;
}

/** Summary of a tour's last entries. */
export interface Summed {
  /** How many are summed up. */
  entryCount: number;
  byType: Partial<Record<PublicChange["type"], number>>;
  /** Reviews that were taken away or came back, the newest first: some of so many. */
  gone: PublicChange[];
  allGone: number;
  /** The mean over them, the oldest first. */
  means: number[];
  rows: EntryRow[];
}

/**
 * Returns the history of a tour's rating: sums, and the changes before that version, or the last ones, the newest
 * first. Throws `ServiceError` 404 "Tour not found".
 */
export async function getTourChanges(slug: string, before: string | null) {
  const tour = await getStoredTour(slug);
  const last = tour.lastChange?.version ?? 0;
  const isOlder = before !== null && /^[1-9]\d{0,14}$/.test(before) && Number(before) <= last;
  const end = isOlder ? Number(before) - 1 : last;
  const sumChanges = async () => sumUpEntries(await changesUpTo(tour._id, end, SUMMED));
  const summed = isOlder
    ? await sumChanges()
    : await cachedByVersion(tour, "history", KEPT_MS, sumChanges);
  const { rows: all, ...sums } = summed;
  const rows = all.slice(0, ROWS_PER_PAGE);
  const from = rows.at(-1)?.first ?? 1;
  const title = `Rating history of ${isolated(tour.title)}`;
  return {
    tour: { ...namedTour(tour), id: tour._id.toString() },
    last: tour.lastChange ? { version: last, hash: tour.lastChange.hash } : null,
    sums: isOlder ? null : sums,
    rows,
    next: from > 1 ? String(from) : null,
    site: env().appUrl,
    meta: publicMeta({
      title,
      description: `${title}: each review that was posted, changed or removed, and the average after it.`,
      url: env().appUrl + tourChangesPath(tour.slug),
      seed: tour._id.toString(),
    }),
  };
}

/** `entries` are the newest first. */
function sumUpEntries(entries: PublicChange[]): Summed {
  const byType: Summed["byType"] = {};
  const rows: EntryRow[] = [];
  const isImport = ({ type, before }: PublicChange) => type === "imported" && before === null;
  for (const entry of entries) {
    byType[entry.type] = (byType[entry.type] ?? 0) + 1;
    const row = rows.at(-1);
    if (row && isImport(row) && isImport(entry)) {
      row.first = entry.version;
      row.entryCount++;
    } else rows.push({ ...entry, first: entry.version, entryCount: 1 });
  }
  const gone = entries.filter(({ type }) => GONE.includes(type));
  const step = Math.max(1, (entries.length - 1) / (POINTS - 1));
  const points = Math.min(entries.length, POINTS);
  const means = Array.from({ length: points }, (_, n) => entries[Math.round(n * step)]!.mean);
  return {
    entryCount: entries.length,
    byType,
    gone: gone.slice(0, MOST_GONE),
    allGone: gone.length,
    means: means.reverse(),
    rows,
  };
}
