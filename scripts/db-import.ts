import { constants } from "node:os";
import { importData, ImportStopped } from "~/services/import/import.server";
import { fileOf, say, withDatabase } from "./lib/command";
import { readJsonFile } from "./lib/json-file";
import { progressBar } from "./lib/progress";
import { stopSignal } from "./lib/stop";

/**
 * Imports a platform's data from a JSON file, all or nothing. SIGINT and SIGTERM end it after the write
 * under way, with the exit code that a shell gives them.
 */
export default async function dbImport(args: string[]): Promise<number> {
  const file = fileOf(args, "Usage: npm run db:import -- FILE");
  const data = await readJsonFile(file);
  return withDatabase(async () => {
    const stopped = stopSignal();
    const onProgress = progressBar("Import");
    const notices: string[] = [];
    const onNotice = (message: string) => void notices.push(message);
    try {
      const counts = await importData(data, { onProgress, onNotice, stopped });
      const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      say([...notices, `Imported ${parts.join(", ")}.`].join("\n"));
      return 0;
    } catch (error) {
      onProgress.end();
      if (!(error instanceof ImportStopped)) throw error;
      say([...notices, error.message].join("\n"));
      return 128 + constants.signals[stopped.reason as NodeJS.Signals];
    }
  });
}
