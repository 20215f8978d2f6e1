// @ts-check
// Plain JavaScript without packages: it also guards their installation.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** How often a waiting process looks, and how often the holder renews its lock, in milliseconds. */
const POLL_MS = 200;
const RENEW_MS = 1_000;

/**
 * How old a lock may be, in milliseconds. Another process may have the id of a holder that was killed: in a container
 * that is started again, it mostly has.
 */
const STALE_MS = 15_000;

/**
 * How long a lock must look abandoned before it is removed, in milliseconds. When the machine wakes up from sleep, a
 * holder at work renews it before that.
 */
const ABANDONED_MS = 2_000;

/**
 * Does `work` while no other process of this machine does its own with the same file. The lock of a killed process
 * does not count. Throws the file system's error if the file cannot be made.
 * @template T
 * @param {string} file contains the process id of the lock's holder
 * @param {{ onWait: () => void, work: () => T | Promise<T> }} options `onWait` is called once if another process has
 * the lock
 * @returns {Promise<T>}
 */
export async function locked(file, { onWait, work }) {
  let waits = false;
  for (let abandoned = 0; !make(file); await delay(POLL_MS)) {
    if (isHeld(file)) {
      abandoned = 0;
      if (!waits) onWait();
      waits = true;
    } else if (++abandoned * POLL_MS > ABANDONED_MS) rmSync(file, { force: true });
  }
  const renewal = setInterval(() => renew(file), RENEW_MS);
  renewal.unref();
  const release = () => isOurs(file) && rmSync(file, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    process.off("exit", release);
    release();
  }
}

/** Returns false if the file exists. @param {string} file */
function make(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EEXIST") return false;
    // On a full disk it has come into existence, without its content.
    if (code === "ENOSPC") rmSync(file, { force: true });
    throw error;
  }
}

/** @param {string} file */
function renew(file) {
  try {
    const now = new Date();
    if (isOurs(file)) utimesSync(file, now, now);
  } catch {
    // It has just been removed.
  }
}

/**
 * Whether this process still has the lock: while it was stopped, another one may have removed its file.
 * @param {string} file
 */
function isOurs(file) {
  try {
    return readFileSync(file, "utf8") === String(process.pid);
  } catch {
    return false;
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > STALE_MS) return false;
    const pid = Number(readFileSync(file, "utf8"));
    // A file without an id has just been made.
    return !pid || isAlive(pid);
  } catch {
    return false;
  }
}

/** Whether a process with that id exists, whoever its user is. @param {number} pid */
export function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
