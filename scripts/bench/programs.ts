import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../lib/ports";
import { SESSION_SECRET } from "./seed";

/** A server process that is measured. */
export interface Program {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

const running = new Set<ChildProcess>();

/** Ends all programs at once; whatever is being measured fails. */
export const endPrograms = () => running.forEach((child) => child.kill("SIGKILL"));
// However this process ends, the programs that it started end, too.
process.on("exit", endPrograms);

const START_MS = 60_000;

async function start(
  file: string,
  args: string[],
  environment: Record<string, string>,
  cwd?: string,
): Promise<Program> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    cwd,
    env: {
      ...process.env,
      NODE_ENV: "production",
      APP_URL: url,
      HOST: "127.0.0.1",
      PORT: String(port),
      SESSION_SECRET,
      SENDGRID_API_KEY: "",
      BOOKING_COMPLETION: "automatic",
      LOG_LEVEL: "warn",
      ...environment,
    },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-5_000)));
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  const deadline = performance.now() + START_MS;
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (isGone()) throw new Error(`${file} ended at its start:\n${output}`);
    if (performance.now() > deadline) throw new Error(`${file} does not answer:\n${output}`);
    await sleep(50);
  }
  return {
    url,
    pid: child.pid!,
    async stop() {
      if (isGone()) return;
      child.kill("SIGTERM");
      await once(child, "exit");
      if (output) process.stderr.write(output);
    },
  };
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The built app as remix-serve serves it, of this checkout or of `checkout`. */
export const startApp = (uri: string, { checkout = process.cwd() } = {}): Promise<Program> =>
  start(
    createRequire(`${checkout}/package.json`).resolve("@remix-run/serve/dist/cli.js"),
    ["build/index.js"],
    { MONGODB_URI: uri },
    checkout,
  );

/** `npm start` with that many server processes behind one port. */
export const startSite = (uri: string, processes: number): Promise<Program> =>
  start(here("../run.mjs"), ["start"], { MONGODB_URI: uri, WEB_CONCURRENCY: String(processes) });

/** The programs in this folder that are compared with the app. */
export const startBare = (uri: string) => start(here("bare.mjs"), [], { MONGODB_URI: uri });
export const startExpress = (uri: string) => start(here("express.mjs"), [], { MONGODB_URI: uri });
/** `page` is the address of the app's page that the program renders. */
export const startRender = (uri: string, page: string) =>
  start(here("render.mjs"), [], {
    MONGODB_URI: uri,
    PAGE: page,
    // A text that the page contains.
    APP_URL: new URL(page).origin,
  });
