import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { Env } from "../../app/infra/env.server";
import { DEMO_PASSWORD, demoLogins } from "../demo";

/** Aborts at the first SIGINT or SIGTERM, which from now on no longer end this process by themselves. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

/** Starts remix-serve with the built app, in a process of its own with that environment. */
export function serve(environment: NodeJS.ProcessEnv): ChildProcess {
  const remixServe = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
  return spawn(process.execPath, [remixServe, "build/index.js"], {
    // remix-serve's own access log on standard output shows whole addresses; ours, on standard error, does not.
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...environment, NODE_ENV: "production" },
  });
}

/**
 * Announces the site once `server` answers, and stops it when `stopped` aborts. Returns the exit code
 * of the command after `server` has ended.
 */
export async function superviseSite(
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
  if (await healthy(env.port, gone.signal)) announce(env, database);
  const code = await exited;
  return stopped.aborted ? 0 : code;
}

export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Resolves with true when the site on that port is healthy, with false when `gone` aborts first. */
export async function healthy(port: number, gone: AbortSignal): Promise<boolean> {
  while (!gone.aborted) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: gone }).catch(
      () => null,
    );
    if (response?.ok) return true;
    await sleep(100);
  }
  return false;
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
