import { constants } from "node:os";
import { importData, ImportStopped } from "~/import/import.server";
import { KINDS, type Kind } from "~/import/records.server";
import type { StateCounts } from "~/import/records.server";
import { Erasure } from "#models/erasure";
import { readArguments, say, UsageError } from "./lib/command";
import { readImportFile } from "./lib/import-file";
import { progressBar } from "./lib/progress";
import { useSessionSecret } from "./lib/session-secret";
import { stopSignal } from "./lib/stop";
import { withDatabase } from "./lib/with-database";

const USAGE =
  "Usage: npm run db:import -- FILE [--images DIR] [--dry-run] [--restore-deleted] [--quiet-webhooks]  (FILE is JSON or NDJSON, gzip or not; - is the standard input)";

/**
 * Imports a platform's data from a file, all or nothing. SIGINT and SIGTERM end it after the current write, with the
 * exit code that a shell expects.
 */
export default async function dbImport(args: string[]): Promise<number> {
  const { file, ...wishes } = readImportOptions(args);
  const work = async () => {
    await requireSessionSecret();
    const stopped = stopSignal();
    const bars = {
      Reading: progressBar("Reading"),
      Check: progressBar("Check"),
      Pictures: progressBar("Pictures"),
      Import: progressBar("Import"),
    };
    const notices: string[] = [];
    try {
      const outcomes = await importData(readImportFile(file, bars.Reading), {
        ...wishes,
        onProgress: (phase, done, total) => bars[phase](done, total),
        onNotice: (message) => void notices.push(message),
        stopped,
      });
      const title = wishes.dryRun ? "Checked, and nothing is written." : "Imported.";
      say([...notices, title, ...outcomeLines(outcomes)].join("\n"));
      return 0;
    } catch (error) {
      for (const bar of Object.values(bars)) bar.end();
      if (!(error instanceof ImportStopped)) throw error;
      say([...notices, error.message].join("\n"));
      return 128 + constants.signals[stopped.reason as NodeJS.Signals];
    }
  };
  return withDatabase(work, wishes.dryRun ? { indexes: false } : undefined);
}

function readImportOptions(args: string[]) {
  const options = {
    images: { type: "string" },
    "dry-run": { type: "boolean" },
    "restore-deleted": { type: "boolean" },
    "quiet-webhooks": { type: "boolean" },
  } as const;
  const { values, words } = readArguments(args, options, USAGE);
  const [file] = words;
  if (!file || words.length > 1) throw new UsageError(USAGE);
  const { images, "dry-run": dryRun, "restore-deleted": restoreDeleted } = values;
  return { file, images, dryRun, restoreDeleted, quietWebhooks: values["quiet-webhooks"] };
}

/**
 * Deleted accounts are recognised by hashes made with the site's secret: with another secret they would come back.
 */
async function requireSessionSecret(): Promise<void> {
  if (!(await useSessionSecret()) && (await Erasure.exists({})))
    throw new UsageError(
      "SESSION_SECRET is not set: without the site's secret, an import does not know which accounts were deleted",
    );
}

/** `Users: 12 new, 3 changed, 985 unchanged, 1 left out.`, for each kind of record in the file. */
const outcomeLines = (outcomes: Record<Kind, StateCounts>) =>
  KINDS.filter((kind) => Object.values(outcomes[kind]).some((count) => count > 0)).map((kind) => {
    const { new: added, changed, unchanged, leftOut } = outcomes[kind];
    const name = kind.charAt(0).toUpperCase() + kind.slice(1);
    return `${name}: ${added} new, ${changed} changed, ${unchanged} unchanged, ${leftOut} left out.`;
  });
