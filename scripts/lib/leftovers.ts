import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

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

/** Whether a process with that id exists, whoever its user is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
