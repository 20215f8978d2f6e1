import { rmSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./lock.mjs";

/** How often a folder is removed in which another process still makes files, and the time between, in milliseconds. */
const PASSES = 100;
const PAUSE_MS = 10;

/**
 * Removes a folder at the end of this process. Another one that it has started may still make files there for a moment,
 * as a database server does: each pass then meets fewer. The last pass throws the file system's error.
 */
export function removeNow(folder: string): void {
  for (let pass = 1; ; pass++)
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (pass === PASSES) throw error;
      // The event loop has ended.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
}

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
