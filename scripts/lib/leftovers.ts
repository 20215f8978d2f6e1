import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./lock.mjs";

/**
 * Removes the files that killed processes have left in a folder: `name` matches a file's name and finds the process
 * id in it.
 */
export async function removeLeftovers(folder: string, name: RegExp): Promise<void> {
  for (const entry of await readdir(folder)) {
    const owner = name.exec(entry)?.[1];
    if (owner && !isAlive(Number(owner)))
      await rm(join(folder, entry), { recursive: true, force: true });
  }
}
