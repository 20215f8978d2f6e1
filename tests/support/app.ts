import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { Types } from "mongoose";
import { startSession } from "~/http/session.server";
import { createToken } from "~/services/accounts/tokens.server";
import { freePort } from "../../scripts/lib/ports";
import { PASSWORD } from "./factories";
import { confirmOperator } from "./operator";

/** The built app in a process of its own, served by remix-serve as in production. */
export interface App {
  url: string;
  /** The lines that it has logged so far. */
  log: () => string;
  /** What remix-serve itself has printed so far. */
  printed: () => string;
  process: ChildProcess;
  /** Ends it as a service manager would; gives its exit code. */
  stop: () => Promise<number | null>;
}

/** Starts the app on a free port with the given database and further settings. */
export function startApp(mongodbUri: string, settings: Record<string, string> = {}): Promise<App> {
  const remixServe = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
  return launch([remixServe, "build/index.js"], {
    NODE_ENV: "production",
    MONGODB_URI: mongodbUri,
    ...settings,
  });
}

/** The same with `npm start`: two server processes behind one port, once both answer. */
export async function startSite(
  mongodbUri: string,
  settings: Record<string, string> = {},
): Promise<App> {
  const site = await launch(["scripts/run.mjs", "start"], {
    MONGODB_URI: mongodbUri,
    WEB_CONCURRENCY: "2",
    ...settings,
  });
  await answeringProcesses(site);
  return site;
}

/** The setting that makes Node.js run a module with this source before the app. */
export const imported = (module: string) => ({
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}`,
});

/** Sends requests to a site of two processes until both have answered; returns their ids. */
export async function answeringProcesses(site: App): Promise<number[]> {
  const pids = new Set<number>();
  while (pids.size < 2) {
    if (site.process.exitCode !== null) throw new Error(`The site has ended:\n${site.log()}`);
    // Not /healthz, which is logged only at level debug.
    const ask = () => call(site, "GET", "/robots.txt", { headers: { connection: "close" } });
    const answers = await Promise.allSettled([ask(), ask(), ask()]);
    await sleep(50);
    for (const answer of answers)
      if (answer.status === "fulfilled") {
        const pid = servedBy(site, answer.value);
        if (pid !== undefined) pids.add(pid);
      }
  }
  return [...pids];
}

/** The id of the process that gave that answer, from the line of the log with the request's id. */
export function servedBy({ log }: App, { headers }: { headers: Headers }): number | undefined {
  const id = headers.get("x-request-id")!;
  const line = log()
    .split("\n")
    .find((line) => line.includes(id));
  return line === undefined ? undefined : (JSON.parse(line) as { pid: number }).pid;
}

/** Runs a Node program until the site that it serves answers. */
async function launch(args: string[], settings: Record<string, string>): Promise<App> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      APP_URL: url,
      HOST: "",
      PORT: String(port),
      LOG_LEVEL: "info",
      BOOKING_COMPLETION: "automatic",
      ...settings,
    },
  });
  let output = "";
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  while (!(await fetch(`${url}/healthz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`The app ended at its start:\n${output}`);
    await sleep(50);
  }
  return {
    url,
    log: () => output.slice(0, output.lastIndexOf("\n") + 1),
    printed: () => printed,
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      return child.exitCode;
    },
  };
}

export interface Answer<Body = { error?: string }> {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  json: Body | undefined;
}

/** One request to the app. `token` sends a personal access token, `cookie` a session. */
export async function call<Body = { error?: string }>(
  app: Pick<App, "url">,
  method: string,
  path: string,
  options: {
    body?: unknown;
    raw?: BodyInit;
    token?: string;
    cookie?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Answer<Body>> {
  const { body, raw, token, cookie, headers } = options;
  const response = await fetch(app.url + path, {
    method,
    redirect: "manual",
    body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(cookie && { cookie }),
      ...headers,
    },
  });
  const text = await response.text();
  let json: Body | undefined;
  try {
    json = JSON.parse(text) as Body;
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** A personal access token of that user, created in the test's own process. */
export function tokenOf(user: { email: string }): Promise<string> {
  return createToken(user.email, "Test");
}

/** The session cookie that the log-in form sets. */
export async function logIn(
  app: Pick<App, "url">,
  email: string,
  password = PASSWORD,
): Promise<string> {
  const answer = await call(app, "POST", "/login", {
    raw: new URLSearchParams({ email, password }),
  });
  const cookie = answer.headers.getSetCookie().map((value) => value.split(";")[0]);
  if (answer.status !== 302 || cookie.length === 0)
    throw new Error(`Log-in of ${email}: ${answer.status}`);
  return cookie.join("; ");
}

/** A session cookie of that user, or of no user, created in the test's own process. */
export async function sessionOf(user: { _id: Types.ObjectId } | null): Promise<string> {
  const setCookie = await startSession(new Request("http://x"), user && user._id.toString());
  if (user) await confirmOperator(user._id);
  return setCookie.split(";")[0]!;
}
