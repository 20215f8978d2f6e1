import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, parseEnv } from "~/config/env.server";
import { DEMO_PASSWORD } from "~/accounts/log-in/demo-log-ins.server";
import { log } from "~/lib/log.server";
import { devMailboxKey } from "~/mail/dev-mailbox-key.server";
import { version } from "../../package.json";
import type { demoLogins } from "../demo/index";
import { readOptions } from "./command";
import { keepDatabase } from "./keep-database";
import { openDatabase, type OpenDatabase } from "./open-database";
import { checkPort } from "./ports";
import { prepareDatabase } from "./prepare-database";
import type { Server } from "./processes";
import { storedSessionSecret } from "./session-secret";
import { stopSignal } from "./stop";

interface SiteCommand {
  command: string;
  /** Makes ready what is to be served. */
  prepare: () => Promise<void>;
  serve: (environment: NodeJS.ProcessEnv, env: Env) => Server;
}

/**
 * Serves the site for `npm start` and `npm run dev`, which differ in `serve`, until the first SIGINT or SIGTERM.
 * Returns the exit code of the command.
 */
export async function runSite(
  args: string[],
  { command, prepare, serve }: SiteCommand,
): Promise<number> {
  const usage = `Usage: ${command} [-- --demo]  (--demo: with demo data)`;
  const { demo = false } = readOptions(args, { demo: { type: "boolean" } }, usage);
  const env = parseEnv(process.env);
  const stopped = stopSignal();
  await checkPort(env);
  const sessionSecret = env.sessionSecret ?? (await storedSessionSecret(env.dataDir));

  let database: OpenDatabase | undefined;
  // Also when it is opened again: that one is released at the end.
  const open = async () => (database = await openDatabase({ onNotice: (line) => log.error(line) }));
  const openPrepared = async () => {
    await open();
    return prepareDatabase({ demo, stopped });
  };
  try {
    const preparing = Promise.allSettled([openPrepared(), prepare()]);
    const prepared = await Promise.race([preparing, aborted(stopped)]);
    if (!prepared) return 0;
    const [opened, others] = prepared;
    if (opened.status === "rejected") throw opened.reason;
    if (others.status === "rejected") throw others.reason;
    const demoLogins = opened.value;
    // It has said why.
    if (!demoLogins) return 1;
    const { uri, embedded } = database!;
    const environment = {
      ...process.env,
      PORT: String(env.port),
      APP_URL: env.appUrl,
      MONGODB_URI: uri,
      // The server cannot tell from the URI whose database it is.
      BOOKING_COMPLETION: env.bookingCompletion,
      REVIEW_REQUESTS: env.reviewRequests ? "on" : "off",
      // The demo's numbers reveal nobody's sales.
      ...(demoLogins.length > 0 &&
        !process.env.SHOW_PARTICIPATION && { SHOW_PARTICIPATION: "true" }),
      SESSION_SECRET: sessionSecret,
    };
    const server = serve(environment, env);
    const kept = keepDatabase(database!, open, stopped);
    const site = { env, stopped, kept, sessionSecret, embedded, demo: demoLogins };
    return await supervise(server, site);
  } finally {
    await database?.release();
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener("abort", () => resolve(null));
  });

interface AnnouncedSite {
  embedded: boolean;
  demo: typeof demoLogins;
  sessionSecret: string;
}

interface SupervisedSite extends AnnouncedSite {
  env: Env;
  stopped: AbortSignal;
  kept: Promise<void>;
}

/**
 * Announces the site once `server` answers, and stops it when `stopped` aborts or `kept` rejects. Returns the
 * command's exit code after `server` has ended; throws the reason if `kept` has rejected.
 */
async function supervise(
  server: Server,
  { env, stopped, kept, ...site }: SupervisedSite,
): Promise<number> {
  stopped.addEventListener("abort", () => server.stop());
  let failure: Error | undefined;
  kept.catch((error: Error) => {
    failure = error;
    server.stop();
  });
  const gone = new AbortController();
  void server.ended.finally(() => gone.abort());
  if (await healthy(env, gone.signal)) {
    server.answers();
    announce(env, site);
  }
  const code = await server.ended;
  if (failure) throw failure;
  return stopped.aborted ? 0 : code;
}

/** Resolves with true when the site with these settings is healthy, or with false if `gone` aborts first. */
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

/** The host by which this machine reaches a site that listens at `host`. */
function reachable(host = "0.0.0.0"): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}

/** Prints on standard output the site's address and who can log in. */
function announce(env: Env, { embedded, demo, sessionSecret }: AnnouncedSite): void {
  const lines = [`Tour Reviews is at ${env.appUrl}`, `Version ${version}`];
  if (embedded) lines.push(`Embedded database under ${env.dataDir} (set MONGODB_URI for your own)`);
  lines.push(
    env.bookingCompletion === "automatic"
      ? "Bookings are completed by guides, and 24 hours after their departure (BOOKING_COMPLETION=automatic)"
      : "Bookings are completed by the platform, never here (BOOKING_COMPLETION=platform)",
  );
  if (!env.emailsArrive)
    lines.push(
      "No e-mails are delivered, so nobody can sign up, reset a password or change an address: set SENDGRID_API_KEY and MAIL_FROM",
    );
  else if (!env.sendgridApiKey)
    lines.push(
      `E-mails are captured, not sent: ${env.appUrl}/dev/mail?key=${devMailboxKey(sessionSecret)}`,
    );
  if (!env.contactIsNamed && !env.local)
    lines.push(
      `Visitors and authorities are told to write to ${env.contact}, which only sends e-mails: set CONTACT_URL`,
    );
  if (env.loginUrl) lines.push(`Users log in at ${new URL(env.loginUrl).origin}`);
  else if (demo.length > 0 && env.local) {
    lines.push(`Demo log-ins, password "${DEMO_PASSWORD}":`);
    for (const { email, note } of demo) lines.push(`  ${email}  ${note}`);
  } else if (demo.length > 0)
    lines.push(
      "Demo log-ins are closed, because everybody knows their password and APP_URL is public: use a database without demo data (DATA_DIR or MONGODB_URI), or try them with an APP_URL of this machine",
    );
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
