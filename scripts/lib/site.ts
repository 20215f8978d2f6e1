import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, parseEnv } from "../../app/infra/env.server";
import { DEMO_PASSWORD, demoLogins } from "../demo";
import { openDatabase, type OpenDatabase, UsageError } from "./command";
import { provideDemoData } from "./demo-data";
import { checkPort } from "./ports";
import { storedSessionSecret } from "./session-secret";
import { stopSignal } from "./stop";

/** Starts remix-serve with the built app, in a process of its own with that environment. */
export function serve(environment: NodeJS.ProcessEnv): ChildProcess {
  const remixServe = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
  return spawn(process.execPath, [remixServe, "build/index.js"], {
    // remix-serve's own access log on standard output shows whole addresses; ours, on standard error, does not.
    // By the channel the app learns of this process's end, however it came (app/http/remix-serve.server.ts).
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...environment, NODE_ENV: "production" },
  });
}

/**
 * Serves the site as `npm start` and `npm run dev` do, in what differs by `serve`, until the first SIGINT
 * or SIGTERM. `prepare` makes ready what is to be served. Returns the exit code of the command.
 */
export async function runSite(
  args: string[],
  {
    command,
    prepare,
    serve,
  }: {
    command: string;
    prepare: () => Promise<void>;
    serve: (environment: NodeJS.ProcessEnv) => ChildProcess;
  },
): Promise<number> {
  const demo = args.includes("--demo");
  if (args.some((arg) => arg !== "--demo"))
    throw new UsageError(`Usage: ${command} [-- --demo]  (--demo: with demo data)`);
  const env = parseEnv(process.env);
  const stopped = stopSignal();
  await checkPort(env);
  const sessionSecret = env.sessionSecret ?? (await storedSessionSecret(env.dataDir));

  let database: OpenDatabase | undefined;
  const makeReady = async () => {
    const opening = openDatabase().then((opened) => (database = opened));
    const [opened, prepared] = await Promise.allSettled([opening, prepare()]);
    if (opened.status === "rejected") throw opened.reason;
    if (prepared.status === "rejected") throw prepared.reason;
    const { uri, embedded } = opened.value;
    return { uri, embedded, hasDemo: await provideDemoData({ uri, embedded, env, demo }) };
  };
  try {
    const ready = await Promise.race([makeReady(), aborted(stopped)]);
    if (!ready) return 0;
    const server = serve({
      ...process.env,
      PORT: String(env.port),
      APP_URL: env.appUrl,
      MONGODB_URI: ready.uri,
      // The server cannot tell by that whose database it is.
      BOOKING_COMPLETION: env.bookingCompletion,
      SESSION_SECRET: sessionSecret,
    });
    return await supervise(server, { env, stopped, ...ready });
  } finally {
    await database?.release();
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null)));

/**
 * Announces the site once `server` answers, and stops it when `stopped` aborts. Returns the exit code
 * of the command after `server` has ended.
 */
async function supervise(
  server: ChildProcess,
  {
    env,
    stopped,
    ...database
  }: { env: Env; stopped: AbortSignal; embedded: boolean; hasDemo: boolean },
): Promise<number> {
  stopped.addEventListener("abort", () => server.kill("SIGTERM"));
  const exited = exitCode(server);
  const gone = new AbortController();
  void exited.finally(() => gone.abort());
  if (await healthy(env, gone.signal)) announce(env, database);
  const code = await exited;
  return stopped.aborted ? 0 : code;
}

export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Resolves with true when the site of these settings is healthy, with false when `gone` aborts first. */
export async function healthy(
  { port, hosts }: Pick<Env, "port" | "hosts">,
  gone: AbortSignal,
): Promise<boolean> {
  const url = `http://${reachable(hosts[0])}:${port}/healthz`;
  while (!gone.aborted) {
    const response = await fetch(url, { signal: gone }).catch(() => null);
    if (response?.ok) return true;
    await sleep(100);
  }
  return false;
}

/** Under which host this machine reaches a site that listens at `host`. */
function reachable(host = "0.0.0.0"): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}

/** Prints on standard output where the site is and who can log in. */
function announce(env: Env, { embedded, hasDemo }: { embedded: boolean; hasDemo: boolean }): void {
  const lines = [`Tour Reviews is at ${env.appUrl}`];
  if (embedded) lines.push(`Embedded database under ${env.dataDir} (set MONGODB_URI for your own)`);
  lines.push(
    env.bookingCompletion === "automatic"
      ? "Bookings are completed by guides, and 24 hours after their departure (BOOKING_COMPLETION=automatic)"
      : "Bookings are completed by the platform, never here (BOOKING_COMPLETION=platform)",
  );
  if (!env.sendgridApiKey) lines.push(`E-mails are captured, not sent: ${env.appUrl}/dev/mail`);
  if (hasDemo) {
    lines.push(`Demo log-ins, password "${DEMO_PASSWORD}":`);
    for (const { email, note } of demoLogins) lines.push(`  ${email}  ${note}`);
  }
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
