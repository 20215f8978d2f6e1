import { readFile } from "node:fs/promises";
import { importData } from "~/services/import/import.server";
import { ImportError } from "~/services/import/file.server";
import { progressBar } from "./lib/progress";
import { say, UsageError, withDatabase } from "./lib/command";

/** Imports a platform's data from a JSON file, all or nothing. */
export default async function dbImport([file]: string[]): Promise<void> {
  if (!file) throw new UsageError("Usage: npm run db:import -- FILE");
  const data = await readJson(file);
  const counts = await withDatabase(() => importData(data, progressBar("Import")));
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  say(`Imported ${parts.join(", ")}.`);
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
