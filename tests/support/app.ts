import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { Types } from "mongoose";
import { startSession } from "~/server/session.server";
import { CONFIRMED_MS } from "~/moderation/operators.server";
import { createToken } from "~/accounts/tokens.server";
import { devMailboxKey } from "~/mail/dev-mailbox-key.server";
import { Operator } from "#models/operator";
import { Session } from "#models/session";
import { freePort } from "../../scripts/lib/ports";
import { PASSWORD, provenUser } from "./factories";

/** The built app in a process of its own, served by remix-serve as in production. */
export interface App {
  url: string;
  log: () => string;
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
export async function launch(args: string[], settings: Record<string, string>): Promise<App> {
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
  return { status: response.status, headers: response.headers, text, json: parsed<Body>(text) };
}

function parsed<Body>(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
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
  const raw = new URLSearchParams({ email, password });
  const answer = await call(app, "POST", "/login", { raw });
  const cookie = cookieOf(answer);
  if (answer.status !== 302 || !cookie) throw new Error(`Log-in of ${email}: ${answer.status}`);
  return cookie;
}

/** Lets the sessions of an operator decide, as if they had just given their password; does nothing for anybody else. */
export async function confirmOperator(userId: Types.ObjectId): Promise<void> {
  if (!(await Operator.exists({ _id: userId }))) return;
  const confirmed = { "data.operatorUntil": Date.now() + CONFIRMED_MS };
  await Session.updateMany({ userId }, { $set: confirmed });
}

/** A session cookie of that user, or of no user, created in the test's own process. */
export async function sessionOf(user: { _id: Types.ObjectId } | null): Promise<string> {
  const setCookie = await startSession(
    new Request("http://x"),
    user && (await provenUser(user._id)),
  );
  if (user) await confirmOperator(user._id);
  return setCookie.split(";")[0]!;
}

interface Page {
  text: string;
}

export const title = ({ text }: Page) => /<title[^>]*>(.*?)<\/title>/.exec(text)?.[1];

/** The text that a reader sees, on one line. */
export const shown = ({ text }: Page) =>
  text
    .replace(/<(script|style)\b.*?<\/\1>/gs, "")
    .replace(/<!--.*?-->|<[^>]+>/gs, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

/** The words of a page without the markup, with each element's words on lines of their own. */
export const words = ({ text }: Page) =>
  text
    .replace(/<script.*?<\/script>/gs, "")
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, "\n");

export const inputs = ({ text }: Page) => [...text.matchAll(/<input [^>]*>/g)].map(String);

/** The cookies that an answer sets, as a browser sends them back. */
export const cookieOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .map((value) => value.split(";")[0]!)
    .join("; ");

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The samples of an answer in the text format of Prometheus. */
export const metricSamples = (text: string): Sample[] =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = "", value]) => ({
    name: name!,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label!, of!]),
    ),
    value: Number(value),
  }));

/** The sum of the samples with that name and these labels; undefined if there is none. */
export function metricValue(
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length > 0 ? found.reduce((sum, { value }) => sum + value, 0) : undefined;
}

export async function readMetrics(port: number | string): Promise<Sample[] | null> {
  const answer = await fetch(`http://localhost:${port}/metrics`).catch(() => null);
  return answer && metricSamples(await answer.text());
}

// The pages of captured e-mails, for anybody with the key that the start prints.

const key = () => devMailboxKey(process.env.SESSION_SECRET!);

/** The address with the key; `mail` is the id of the e-mail to show. */
export const mailsPath = (mail?: string) =>
  `/dev/mail?key=${key()}${mail === undefined ? "" : `&mail=${mail}`}`;

/** The cookie that this address sets, or one with another key. */
export const mailsCookie = (value = key()) =>
  `dev-mailbox=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString("base64"))}`;

/** A page without the script of those that come without React (app/entry.reader.ts), which is the same on each. */
export const withoutReaderScript = (html: string) =>
  html.replace(/<script type="module">[^]*?<\/script>/, "");
