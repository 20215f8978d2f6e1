import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { acquireDatabase } from "../database/index";
import { say, UsageError } from "../lib/command";
import { freePort } from "../lib/ports";
import { SESSION_SECRET } from "./seed";

export const ENGINES = ["python", "rs", "mongodb"] as const;
export type Engine = (typeof ENGINES)[number];

const folders = (process.env.PATH ?? "").split(delimiter);
const isNative = (folder: string) => existsSync(join(folder, "secantusd-rs"));

/** The engine that `npm start` would use here, or the chosen one if it can be used. */
export function engineOf(chosen?: string): Engine {
  const native = folders.some(isNative);
  if (chosen === "rs" && !native)
    throw new UsageError("--engine rs needs secantusd-rs on the PATH");
  if (chosen === "mongodb" && !process.env.MONGODB_URI)
    throw new UsageError("--engine mongodb needs MONGODB_URI");
  return (chosen as Engine) ?? (process.env.MONGODB_URI ? "mongodb" : native ? "rs" : "python");
}

/** A server of its own, or that of `MONGODB_URI`. */
export async function startEngine(engine: Engine) {
  if (engine === "mongodb") return { uri: process.env.MONGODB_URI!, release: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), "tour-reviews-bench-"));
  if (engine === "python")
    process.env.PATH = folders.filter((folder) => !isNative(folder)).join(delimiter);
  const { uri, release } = await acquireDatabase({ dataDir, onProgress: say });
  return {
    uri,
    async release() {
      await release();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const FILES = {
  app: "node_modules/@remix-run/serve/dist/cli.js",
  bare: "scripts/bench/bare.mjs",
  express: "scripts/bench/express.mjs",
};

/** Starts a program on that database; it ends with the signal, or with this process. */
export async function startProgram(
  name: keyof typeof FILES,
  MONGODB_URI: string,
  signal: AbortSignal,
): Promise<{ url: string; stop: () => Promise<void> }> {
  signal.throwIfAborted();
  const PORT = String(await freePort());
  const url = `http://127.0.0.1:${PORT}`;
  const child = spawn(process.execPath, [FILES[name], "build/index.js"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      APP_URL: url,
      HOST: "127.0.0.1",
      PORT,
      MONGODB_URI,
      SESSION_SECRET,
      SENDGRID_API_KEY: "",
      BOOKING_COMPLETION: "automatic",
      LOG_LEVEL: "warn",
    },
  });
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  process.on("exit", kill);
  const ended = once(child, "exit");
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null || child.signalCode) throw new Error(`${name} ended at its start`);
    await sleep(50);
  }
  return {
    url,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
