import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes from a folder what processes that were killed have left there: `name` finds their id in a file's name. */
export async function removeLeftovers(folder: string, name: RegExp): Promise<void> {
  for (const entry of await readdir(folder)) {
    const owner = name.exec(entry)?.[1];
    if (owner && !isAlive(Number(owner)))
      await rm(join(folder, entry), { recursive: true, force: true });
  }
}

/** Whether there is a process of that id, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
