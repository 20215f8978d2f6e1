import { env } from "~/config/env.server";
import { isolated } from "~/lib/text";
import { cachedByVersion } from "~/reviews/list/cached-by-version.server";
import { changesUpTo } from "~/reviews/list-changes.server";
import type { PublicChange } from "~/reviews/record-changes.server";
import { publicMeta } from "~/ui/meta.server";
import { tourChangesPath } from "~/ui/paths";
import { namedTour } from "./named-tour.server";
import { findTourBySlug } from "./tours.server";

const ENTRIES_PER_PAGE = 50;
/** Most entries that are summed up, the last ones. */
const SUMMED = 2_000;
const KEPT_MS = 60_000;
const GONE = ["deleted", "removed", "redacted", "restored"];
const MOST_GONE = 20;
const POINTS = 60;

/** A line, or all of an import that follow each other, of which it is the last. */
export interface Entry extends PublicChange {
  /** The version of the first, and how many there are. */
  first: number;
  lines: number;
}

/** Summary of a tour's last entries. */
export interface Summed {
  /** How many lines are summed up. */
  lines: number;
  byType: Partial<Record<PublicChange["type"], number>>;
  /** Reviews that were taken away or came back, the newest first: some of so many. */
  gone: PublicChange[];
  allGone: number;
  /** The mean over these lines, the oldest first. */
  means: number[];
  entries: Entry[];
}

/**
 * Returns the history of a tour's rating: sums, and the changes before that version, or the last ones, the newest
 * first. Throws `ServiceError` 404 "Tour not found".
 */
export async function getTourChanges(slug: string, before: string | null) {
  const tour = await findTourBySlug(slug);
  const last = tour.lastChange?.version ?? 0;
  const isOlder = before !== null && /^[1-9]\d{0,14}$/.test(before) && Number(before) <= last;
  const end = isOlder ? Number(before) - 1 : last;
  const sum = async () => sumUp(await changesUpTo(tour._id, end, SUMMED));
  const summed = isOlder ? await sum() : await cachedByVersion(tour, "history", KEPT_MS, sum);
  const { entries: all, ...sums } = summed;
  const entries = all.slice(0, ENTRIES_PER_PAGE);
  const from = entries.at(-1)?.first ?? 1;
  const title = `Rating history of ${isolated(tour.title)}`;
  return {
    tour: { ...namedTour(tour), id: tour._id.toString() },
    last: tour.lastChange ? { version: last, hash: tour.lastChange.hash } : null,
    sums: isOlder ? null : sums,
    entries,
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

/** `lines` are the newest first. */
function sumUp(lines: PublicChange[]): Summed {
  const byType: Summed["byType"] = {};
  const entries: Entry[] = [];
  const isImport = ({ type, before }: PublicChange) => type === "imported" && before === null;
  for (const line of lines) {
    byType[line.type] = (byType[line.type] ?? 0) + 1;
    const entry = entries.at(-1);
    if (entry && isImport(entry) && isImport(line)) {
      entry.first = line.version;
      entry.lines++;
    } else entries.push({ ...line, first: line.version, lines: 1 });
  }
  const gone = lines.filter(({ type }) => GONE.includes(type));
  const step = Math.max(1, (lines.length - 1) / (POINTS - 1));
  const points = Math.min(lines.length, POINTS);
  const means = Array.from({ length: points }, (_, n) => lines[Math.round(n * step)]!.mean);
  return {
    lines: lines.length,
    byType,
    gone: gone.slice(0, MOST_GONE),
    allGone: gone.length,
    means: means.reverse(),
    entries,
  };
}
