// @ts-check
// Plain JavaScript without packages: it also guards their installation.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** How often a waiting process looks, and how long a lock may lack its process id, in milliseconds. */
const POLL_MS = 200;
const UNSIGNED_MS = 10_000;

/**
 * Does `work` while no other process of this machine does its own under the same file. The lock of a process that was
 * killed does not count. Where the file cannot be made, `work` is done without it.
 * @template T
 * @param {string} file holds the process id of who has the lock
 * @param {{ onWait: () => void, work: () => T | Promise<T> }} options `onWait` is called once, if another one has it
 * @returns {Promise<T>}
 */
export async function locked(file, { onWait, work }) {
  for (let waits = false; ; await delay(POLL_MS)) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code !== "EEXIST") return work();
    }
    if (!isHeld(file)) rmSync(file, { force: true });
    else if (!waits) onWait();
    waits = true;
  }
  const release = () => rmSync(file, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    if (!pid) return Date.now() - statSync(file).mtimeMs < UNSIGNED_MS;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signalled.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
