// @ts-check
// Keeps one database server for all commands of a checkout: starts it, restarts it when it dies, and stops it when
// the last command has closed its connection, however that command ended. patches.py replaces the parts of the server
// that work badly (docs/decisions/005-embedded-database.md).
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  ftruncateSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { getIdentity } from "./folder.mjs";

const host = "127.0.0.1";
// Limits are in milliseconds.
const unclaimedLimit = 10_000;
const startLimit = 60_000;
const stopLimit = 3_000;
const deathsAllowed = 5;
const deathsWindow = 60_000;
const longestPause = 10_000;
const spacePeriod = 250;
/** In bytes. */
const logLimit = 5 * 1024 * 1024;
/**
 * The server is ended while less than this is free, in bytes: it may acknowledge the write at which it finds the disk
 * full, and lose it.
 */
const spaceReserve = 32 * 1024 * 1024;

/** @type {{ file: string, args: string[], endsWithInput: boolean }} */
const command = JSON.parse(process.argv[2] ?? "");
// Relative paths, because the data folder is the working directory: when the folder is moved, this process and the
// server move with it, and do not touch what is then made at its old path.
const storage = "database";
const stateFile = "database.json";
/** It is also this process's standard output, opened to append. */
const logFile = "database.log";
const config = fileURLToPath(new URL("secantusd.toml", import.meta.url));

// A command sends `knock` with the identity of the folder in which it found the state file: this proves that it has
// read the file, and shows whether the folder is a copy. It expects `answer` with the same identity, which proves
// that the port still belongs to the keeper of that folder.
const knock = randomBytes(24).toString("base64url");
const answer = randomBytes(24).toString("base64url");

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */
/** @typedef {import("node:net").Socket} Socket */

/** @type {ChildProcess | undefined} */
let current;
/** @type {ChildProcess | undefined} */
let watchdog;
let serverPort = 0;
let serverReady = false;
let stopping = false;
/** @type {number[]} */
let deaths = [];
/** How often in a row the server has ended because the disk was full, and when it last did so. */
const fullDisk = { times: 0, last: -Infinity };

/** @type {Set<Socket>} */
const holders = new Set();
/** Connections that are sent the URI when the server runs again. @type {Set<Socket>} */
const waiting = new Set();

/**
 * Writes to the log, even after the disk was full: a stream would be closed by its first failure. A log that has
 * become too long begins anew, and the previous one stays beside it.
 * @param {string} text
 */
function writeLog(text) {
  try {
    // The size of a link itself, not of its target: a file elsewhere is not ours to empty.
    if (Number(lstatSync(logFile, { throwIfNoEntry: false })?.size) > logLimit) {
      copyFileSync(logFile, `${logFile}.old`);
      ftruncateSync(1);
    }
    writeSync(1, text);
  } catch {
    // There is nowhere else to write it.
  }
}

/** Logs a message, and sends it to the commands that hold the database. @param {string} message */
function log(message) {
  writeLog(`${new Date().toISOString()} keeper: ${message}\n`);
  for (const socket of holders) if (!waiting.has(socket)) socket.write(`${message}\n`);
}

class StorageInUse extends Error {}
class PortInUse extends Error {}

/**
 * The server's messages about files that are damaged or missing; messages of `hindrance` mean that the machine
 * prevents their use.
 */
const damage = /WT_(TRY_SALVAGE|PANIC|ERROR)|open: No such file or directory/;
const hindrance =
  /No space left on device|Disk quota exceeded|Read-only file system|Permission denied|Too many open files|Cannot allocate memory/i;
const noSpace = /No space left on device|Disk quota exceeded/i;
const shortOfSpace = `No space left on device (less than ${spaceReserve / 1024 ** 2} MB)`;
/**
 * After the storage has written this line, the server still answers, but neither reads nor writes until it is
 * restarted. It must be at the beginning of a line, because users' texts may contain it in the middle of one.
 */
const panic = /^\[\d+:\d+\]\[\d+:0x[0-9a-f]+\].*WT_PANIC/m;
const outputKept = 16_384;
const damaged = "its files are damaged or incomplete, as in a copy that was made while it ran";

const database = {
  uri: () => `mongodb://${host}:${serverPort}/tour_reviews?replicaSet=secantus`,

  async start() {
    if (isShortOfSpace()) throw new Error(shortOfSpace);
    const child = spawn(
      command.file,
      [
        ...command.args,
        ...["--config", config, "--storage-path", storage],
        ...["--host", host, "--port", String(serverPort)],
        ...["--sync-on-commit", "--cache-size", "256M"],
      ],
      { stdio: ["pipe", "pipe", "pipe"], windowsHide: true },
    );
    current = child;
    child.stdin.on("error", () => undefined);
    if (!command.endsWithInput) watchdog = watch(child);

    let output = "";
    let ready = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        output += text;
        if (!ready) return;
        writeLog(text);
        output = output.slice(-outputKept);
        if (panic.test(output)) child.kill("SIGKILL");
      });
    /** @type {NodeJS.Timeout | undefined} */
    let spaceWatch;
    /** @type {string | undefined} */
    let ended;
    child.once("error", (error) => {
      ended = error.message;
      if (child.pid === undefined) current = undefined;
    });
    child.once("close", (code, signal) => {
      clearInterval(spaceWatch);
      ended ??= signal ? `ended by ${signal}` : `ended with code ${code}`;
      if (ready && panic.test(output))
        ended = `can no longer use its files: ${hindrance.exec(output)?.[0] ?? "WT_PANIC"}`;
      if (watchdog) watchdog.kill("SIGKILL");
      watchdog = undefined;
      if (current === child) current = undefined;
      if (serverReady && !stopping) void restart(ended);
      serverReady = false;
    });

    const deadline = Date.now() + startLimit;
    for (;;) {
      const port = /listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      const isDamaged = damage.test(output) && !hindrance.test(output);
      // A server whose files are damaged may listen all the same, but without some of its collections.
      if (port !== undefined && isDamaged) child.kill("SIGKILL");
      if (ended !== undefined) {
        if (/Device or resource busy|already being managed/.test(output)) throw new StorageInUse();
        writeLog(output);
        if (/Address already in use/.test(output)) throw new PortInUse("its port is in use");
        const reason = hindrance.exec(output)?.[0] ?? output.trim().split("\n").pop();
        throw new Error(isDamaged ? damaged : reason || ended);
      }
      if (port !== undefined && !isDamaged) {
        serverPort = Number(port);
        break;
      }
      if (Date.now() > deadline) {
        writeLog(output);
        child.kill("SIGKILL");
        throw new Error(`it did not listen within ${startLimit / 1000} s`);
      }
      await delay(20);
    }
    writeLog(output);
    ready = serverReady = true;
    spaceWatch = setInterval(() => {
      if (!isShortOfSpace()) return;
      ended = shortOfSpace;
      // Everything acknowledged is in its log, and a server that is told to stop would still write.
      child.kill("SIGKILL");
    }, spacePeriod);
  },

  async stop() {
    const child = current;
    if (!child) return;
    await end(
      (signal) => child.kill(signal),
      () => current === child,
    );
  },
};

/** Whether the disk has less space than the reserve; false if that cannot be read. */
function isShortOfSpace() {
  try {
    const { blocks, bavail, bsize } = statfsSync(existsSync(storage) ? storage : ".");
    // Some file systems do not count.
    return blocks > 0 && bavail * bsize < spaceReserve;
  } catch {
    return false;
  }
}

/**
 * Tells a server to stop, and kills it if it takes too long.
 * @param {(signal: NodeJS.Signals) => void} send
 * @param {() => boolean} isRunning
 */
async function end(send, isRunning) {
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
    if (isRunning()) send(signal);
    const deadline = Date.now() + stopLimit;
    while (isRunning() && Date.now() < deadline) await delay(10);
  }
}

/**
 * Starts a shell that ends the server after this process was killed, which closes the shell's input.
 * @param {ChildProcess} child
 */
function watch(child) {
  if (process.platform === "win32" || !child.pid) return undefined;
  const script = `trap "" HUP INT TERM
    while read -r _; do :; done
    kill -TERM "$1"
    for second in 1 2 3; do sleep 1; kill -0 "$1" || exit 0; done
    kill -KILL "$1"`;
  const shell = spawn("/bin/sh", ["-c", script, "sh", String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", (error) => log(`the watchdog did not start: ${error.message}`));
  shell.stdin.on("error", () => undefined);
  return shell;
}

/** @param {string} reason */
async function restart(reason) {
  for (let waits = false; ;) {
    const space = noSpace.exec(reason)?.[0];
    if (space && !waits) log(`${space}: the server is started again when there is some`);
    waits = space !== undefined;
    await delay(waits ? pauseForSpace() : pauseAfterDeath(reason));
    if (stopping) return;
    try {
      await database.start();
      writeState();
      break;
    } catch (error) {
      serverReady = false;
      await database.stop();
      reason = `did not start again: ${describe(error)}`;
    }
  }
  if (stopping) return;
  log("the server runs again");
  for (const socket of waiting) greet(socket);
  waiting.clear();
}

/**
 * How long to wait before the server is started again, in milliseconds. Ends this process if the server has died too
 * often.
 * @param {string} reason
 */
function pauseAfterDeath(reason) {
  const now = performance.now();
  deaths = [...deaths.filter((time) => now - time < deathsWindow), now];
  log(`the server ${reason}`);
  if (deaths.length >= deathsAllowed) {
    log(`giving up: the server ended ${deathsAllowed} times within a minute`);
    process.exit(1);
  }
  return 100 * (deaths.length - 1);
}

/** The same for a full disk, for as long as it is full. Only a start shows whether there is enough space. */
function pauseForSpace() {
  const now = performance.now();
  if (now - fullDisk.last > deathsWindow) fullDisk.times = 0;
  fullDisk.last = now;
  return Math.min(1_000 * 2 ** fullDisk.times++, longestPause);
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof StorageInUse) return "its folder is in use";
  return error instanceof Error ? error.message : String(error);
}

function writeState() {
  const state = {
    pid: process.pid,
    folder: getIdentity("."),
    serverPid: current?.pid,
    serverPort,
    port: controlPort(),
    knock,
    answer,
  };
  const temporary = `${stateFile}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, JSON.stringify(state), { mode: 0o600, flag: "wx" });
  renameSync(temporary, stateFile);
}

function readState() {
  try {
    return JSON.parse(readFileSync(stateFile, "utf8"));
  } catch {
    return null;
  }
}

// Called while the server still locks its folder, so no other keeper can have written the file yet.
function removeState() {
  if (readState()?.knock === knock) rmSync(stateFile, { force: true });
}

/** @param {number} [code] */
async function stop(code = 0) {
  if (stopping) return;
  stopping = true;
  control.close();
  removeState();
  await database.stop();
  log("stopped");
  process.exit(code);
}

const control = createServer({ allowHalfOpen: true }, (socket) => {
  let request = "";
  const introduction = setTimeout(() => socket.destroy(), 5_000);
  socket.setEncoding("utf8");
  socket.on("data", (/** @type {string} */ text) => {
    if (request.endsWith("\n")) return;
    request += text;
    if (request.length > 1_000) socket.destroy();
    else if (request.endsWith("\n")) admit(socket, request.trim());
    else return;
    clearTimeout(introduction);
  });
  socket.on("error", () => socket.destroy());
  socket.once("end", () => leave(socket));
  socket.once("close", () => {
    clearTimeout(introduction);
    leave(socket);
  });
});

/** @param {Socket} socket @param {string} request */
function admit(socket, request) {
  const [word, mode, folder] = request.split(" ");
  if (stopping || word !== knock || folder !== getIdentity(".")) return socket.destroy();
  socket.write(`${answer} ${folder}\n`);
  if (mode === "hold") {
    clearTimeout(unclaimed);
    holders.add(socket);
  }
  if (serverReady) greet(socket);
  else waiting.add(socket);
}

/** @param {Socket} socket */
function greet(socket) {
  socket.write(`${database.uri()}\n`);
  if (!holders.has(socket)) socket.end();
}

/** @param {Socket} socket */
function leave(socket) {
  waiting.delete(socket);
  const held = holders.delete(socket);
  // The last one's connection stays open until this process ends, because that command waits for the server's end.
  if (held && holders.size === 0) void stop();
  else if (!stopping) socket.end();
}

function controlPort() {
  const address = control.address();
  return address && typeof address === "object" ? address.port : 0;
}

/**
 * Ends a server that a killed keeper may have left behind. The state file may be a copy, and its process ids may
 * belong to other programs by now, so only a server that works in this folder is ended.
 */
async function endOrphan() {
  const state = readState();
  const isOrphan = () => isHere(state?.serverPid, "--storage-path");
  if (isHere(state?.pid, "keeper.mjs") || !isOrphan()) return;
  log(`ending server ${state.serverPid}, left by a keeper that was killed`);
  const send = (/** @type {NodeJS.Signals} */ signal) => {
    try {
      process.kill(state.serverPid, signal);
    } catch {
      // It has ended meanwhile.
    }
  };
  await end(send, isOrphan);
}

/**
 * Starts the server at the port of the previous one, which the commands of a killed keeper still use. It gets another
 * port if that one is taken, or belonged to the folder that this one is a copy of.
 */
async function startFirst() {
  const state = readState();
  if (state?.folder === getIdentity(".") && Number.isInteger(state.serverPort))
    serverPort = state.serverPort;
  try {
    await database.start();
  } catch (error) {
    if (!(error instanceof PortInUse)) throw error;
    serverPort = 0;
    await database.start();
  }
}

/**
 * Whether a process with that word in its command line works in this folder; false if that cannot be read.
 * @param {unknown} pid
 * @param {string} word
 */
function isHere(pid, word) {
  if (!Number.isInteger(pid) || process.platform === "win32") return false;
  const output = (/** @type {string} */ file, /** @type {string[]} */ args) =>
    execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    const isLinux = process.platform === "linux";
    const line = isLinux
      ? readFileSync(`/proc/${pid}/cmdline`, "utf8")
      : output("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
    if (!line.includes(word)) return false;
    const folder = isLinux
      ? `/proc/${pid}/cwd`
      : /^n(.*)$/m.exec(output("lsof", ["-a", "-d", "cwd", "-F", "n", "-p", String(pid)]))?.[1];
    return folder !== undefined && getIdentity(folder) === getIdentity(".");
  } catch {
    return false;
  }
}

/** @param {Record<string, unknown>} outcome */
function report(outcome) {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(outcome, resolve);
    else resolve(null);
  });
}

/** @type {NodeJS.Timeout | undefined} */
let unclaimed;

process.on("SIGHUP", () => undefined);
// Files that the server writes are as private as the folder.
process.umask(0o077);
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void stop());
process.on("uncaughtException", (error) => {
  log(error.stack ?? error.message);
  void stop(1);
});

try {
  await endOrphan();
  await startFirst();
  await new Promise((resolve) => control.listen(0, host, () => resolve(null)));
  writeState();
  log(`server ${current?.pid} answers at port ${serverPort}`);
  unclaimed = setTimeout(() => void stop(), unclaimedLimit);
  await report({ ready: true });
} catch (error) {
  stopping = true;
  await database.stop();
  await report(error instanceof StorageInUse ? { busy: true } : { failed: describe(error) });
  process.exit(1);
}
