// @ts-check
// Plain JavaScript without packages: it also guards their installation.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** How often a waiting process looks, and how long a lock may exist without a process id, in milliseconds. */
const POLL_MS = 200;
const UNSIGNED_MS = 10_000;

/**
 * Does `work` while no other process of this machine does its own with the same file. The lock of a killed process
 * does not count. If the file cannot be made, `work` is done without a lock.
 * @template T
 * @param {string} file contains the process id of the lock's holder
 * @param {{ onWait: () => void, work: () => T | Promise<T> }} options `onWait` is called once if another process has
 * the lock
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
    // A process of another user cannot be signalled, but it exists.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
