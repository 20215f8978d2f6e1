import { readFile } from "node:fs/promises";
import { constants } from "node:os";
import { importData, ImportStopped } from "~/services/import/import.server";
import { ImportError } from "~/services/import/file.server";
import { say, UsageError, withDatabase } from "./lib/command";
import { progressBar } from "./lib/progress";
import { stopSignal } from "./lib/stop";

/**
 * Imports a platform's data from a JSON file, all or nothing. SIGINT and SIGTERM end it after the write
 * under way, with the exit code that a shell gives them.
 */
export default async function dbImport([file]: string[]): Promise<number> {
  if (!file) throw new UsageError("Usage: npm run db:import -- FILE");
  const data = await readJson(file);
  return withDatabase(async () => {
    const stopped = stopSignal();
    const onProgress = progressBar("Import");
    const leftOut: string[] = [];
    const onLeftOut = (message: string) => void leftOut.push(message);
    try {
      const counts = await importData(data, { onProgress, onLeftOut, stopped });
      const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      say([...leftOut, `Imported ${parts.join(", ")}.`].join("\n"));
      return 0;
    } catch (error) {
      onProgress.end();
      if (!(error instanceof ImportStopped)) throw error;
      say([...leftOut, error.message].join("\n"));
      return 128 + constants.signals[stopped.reason as NodeJS.Signals];
    }
  });
}

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new ImportError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The message quotes the file, with its line breaks.
    const reason = (error as Error).message.replace(/\s+/g, " ");
    throw new ImportError(`${file} is not valid JSON: ${reason}`);
  }
}
