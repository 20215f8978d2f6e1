import { spawn } from "node:child_process";
import { chmodSync, closeSync, lstatSync, openSync } from "node:fs";
import { mkdir, readFile, realpath } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { openDataFolder } from "../lib/data-folder";
import { getIdentity } from "./folder.mjs";
import { cleanEnvironment, DatabaseError, prepareServer, type ServerCommand } from "./install.js";

export { DatabaseError };

export interface EmbeddedDatabase {
  uri: string;
  /**
   * Says that this command no longer needs the server. The last command to do so stops the server, and its promise
   * resolves after the server's process has ended. May be called again.
   */
  release(): Promise<void>;
  /**
   * Resolves when the server's keeper has ended unexpectedly: then the server ends, too, and `acquireDatabase` starts
   * both again, with the same URI unless another program has taken its port.
   */
  lost: Promise<void>;
}

/** The parts of a running keeper's state file that are read here. */
const KeeperState = z.object({
  port: z.int().min(1).max(65_535),
  knock: z.string(),
  answer: z.string(),
});

const host = "127.0.0.1";
const keeperScript = resolve("scripts/database/keeper.mjs");
// Limits are in milliseconds, and in bytes for the log.
const joinLimit = 3_000;
const restartLimit = 30_000;
const busyLimit = 30_000;
const releaseLimit = 10_000;

interface DatabaseOptions {
  dataDir: string;
  onProgress?: (message: string) => void;
  /** Gets a line when the server ends unexpectedly and one when it runs again. */
  onNotice?: (message: string) => void;
}

/**
 * Joins the running server of this data folder, or installs and starts one (with the patches that it needs, see
 * patches.py and docs/decisions/005-embedded-database.md). Throws `DatabaseError`.
 */
export async function acquireDatabase(options: DatabaseOptions): Promise<EmbeddedDatabase> {
  const dataDir = await makeDataDir(options.dataDir, options.onProgress);
  let server: ServerCommand | undefined;
  let busySince: number | undefined;
  for (;;) {
    const joined = await joinKeeper(dataDir, "hold");
    if (joined) return holdDatabase(joined, options.onNotice);
    server ??= await prepareServer({ onProgress: options.onProgress });
    if ((await startKeeper(dataDir, server)) === "ready") continue;

    // Another command is just starting or stopping a server in this folder.
    busySince ??= performance.now();
    if (performance.now() - busySince > busyLimit)
      throw new DatabaseError(
        `The database in ${dataDir} is in use by another program that does not share it.`,
      );
    await delay(200);
  }
}

/** The URI of the running server of this data folder, or null; never starts one. */
export async function findDatabase(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null);
  if (folder === null) return null;
  const joined = await joinKeeper(folder, "look");
  joined?.socket.destroy();
  return joined?.uri ?? null;
}

async function makeDataDir(dataDir: string, warn?: (message: string) => void): Promise<string> {
  try {
    const folder = await openDataFolder(dataDir, warn);
    await mkdir(join(folder, "database"), { recursive: true, mode: 0o700 });
    return folder;
  } catch (error) {
    throw new DatabaseError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}

async function readState(dataDir: string): Promise<z.output<typeof KeeperState> | null> {
  try {
    const text = await readFile(join(dataDir, "database.json"), "utf8");
    return KeeperState.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

interface Joined {
  socket: Socket;
  uri: string;
  /** The keeper's later messages, line by line. */
  lines: NodeJS.EventEmitter;
}

/** A connection to the folder's keeper, or null if none is running: the state file may be stale, or a copy. */
async function joinKeeper(dataDir: string, mode: "hold" | "look"): Promise<Joined | null> {
  const state = await readState(dataDir);
  if (!state) return null;
  const folder = getIdentity(dataDir);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: state.port });
    let timer = setTimeout(() => socket.destroy(), joinLimit);
    const lines = createInterface({ input: socket });
    socket.once("connect", () => socket.write(`${state.knock} ${mode} ${folder}\n`));
    lines.once("line", (answer) => {
      clearTimeout(timer);
      if (answer !== `${state.answer} ${folder}`) {
        socket.destroy();
        return;
      }
      timer = setTimeout(() => {
        // The keeper must not be taken for ended: it waits, too, for example for space on the disk.
        reject(
          new DatabaseError(
            `The embedded database has ended and does not start again (more in ${join(dataDir, "database.log")}).`,
          ),
        );
        socket.destroy();
      }, restartLimit);
      lines.once("line", (uri) => {
        clearTimeout(timer);
        resolve({ socket, uri, lines });
      });
    });
    // It forwards the errors of its socket.
    lines.on("error", () => undefined);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}

function holdDatabase(
  { socket, uri, lines }: Joined,
  onNotice: (message: string) => void = () => undefined,
): EmbeddedDatabase {
  let gone = false;
  lines.on("line", (line) => onNotice(`The embedded database: ${line}`));
  const closed = new Promise<void>((resolve) =>
    socket.once("close", () => {
      gone = true;
      resolve();
    }),
  );
  // The open connection tells the keeper that this command is running; it must not keep the command running.
  socket.unref();

  let released: Promise<void> | undefined;
  const release = async () => {
    if (gone) return;
    socket.ref();
    const timer = setTimeout(() => socket.destroy(), releaseLimit);
    socket.end();
    await closed;
    clearTimeout(timer);
  };
  const lost = closed.then(() => (released ? new Promise<never>(() => undefined) : undefined));
  return { uri, release: () => (released ??= release()), lost };
}

function startKeeper(dataDir: string, server: ServerCommand): Promise<"ready" | "busy"> {
  const logFile = join(dataDir, "database.log");
  const log = openLog(logFile);
  // In a process group of its own: otherwise a signal to the command's group, such as that of Ctrl-C, would end the
  // server before the command has finished its last requests.
  const keeper = spawn(process.execPath, [keeperScript, JSON.stringify(server)], {
    cwd: dataDir,
    detached: true,
    env: cleanEnvironment(),
    stdio: ["ignore", log, log, "ipc"],
    windowsHide: true,
  });
  closeSync(log);
  return new Promise<"ready" | "busy">((resolve, reject) => {
    const fail = (reason: string) =>
      reject(
        new DatabaseError(`The embedded database did not start: ${reason} (more in ${logFile}).`),
      );
    keeper.once("error", (error) => fail(error.message));
    keeper.once("exit", (code, signal) =>
      fail(`its keeper ended with ${signal ?? `code ${code}`}`),
    );
    keeper.once("message", (outcome: { ready?: true; failed?: string }) => {
      if (outcome.failed !== undefined) fail(outcome.failed);
      else resolve(outcome.ready ? "ready" : "busy");
    });
  }).finally(() => {
    if (keeper.connected) keeper.disconnect();
    keeper.unref();
  });
}

function openLog(file: string): number {
  try {
    // A link is left unchanged: what it leads to is not ours.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) chmodSync(file, 0o600);
    return openSync(file, "a", 0o600);
  } catch (error) {
    throw new DatabaseError(`DATA_DIR cannot be used: ${(error as Error).message}`);
  }
}
