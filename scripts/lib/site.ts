import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, disconnectDatabase } from "../../app/infra/database.server";
import type { Env } from "../../app/infra/env.server";
import { hasUser } from "../../app/services/accounts/users.server";
import { importData, isEmptyDatabase } from "../../app/services/import/import.server";
import { DEMO_PASSWORD, demoData, demoLogins } from "../demo";
import { say, UsageError } from "./command";

/** Throws when the site cannot listen on that port, before anything is started for it. */
export async function checkPort(port: number): Promise<void> {
  // The address that remix-serve listens at.
  const server = createServer().listen({ port, host: process.env.HOST || undefined });
  try {
    await once(server, "listening");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "EADDRINUSE"
        ? `PORT ${port} is in use by another program`
        : `PORT ${port} cannot be used: ${message}`,
    );
  }
  server.close();
  await once(server, "close");
}

/** Aborts at the first SIGINT or SIGTERM, which from now on end this process no more. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => controller.abort());
  return controller.signal;
}

export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** The built app behind remix-serve, in a process of its own with that environment. */
export function serve(environment: NodeJS.ProcessEnv): ChildProcess {
  const remixServe = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
  return spawn(process.execPath, [remixServe, "build/index.js"], {
    // remix-serve's own access log on standard output prints whole addresses; ours, on standard error, does not.
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...environment, NODE_ENV: "production" },
  });
}

/** The secret that signs session cookies, made once and kept beside the data. */
export async function keptSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, "session-secret");
  await mkdir(dataDir, { recursive: true });
  const secret = randomBytes(32).toString("base64url");
  try {
    await writeFile(file, secret, { flag: "wx", mode: 0o600 });
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new UsageError(`DATA_DIR cannot be written: ${(error as Error).message}`);
    return readFile(file, "utf8");
  }
}

/** Fills an empty database, so that a first visit shows a living site. Gives whether the demo users are there. */
export async function loadDemoData(uri: string): Promise<boolean> {
  await connectDatabase(uri);
  try {
    if (await isEmptyDatabase()) {
      say("Loading the demo data …");
      await importData(demoData(new Date()));
    }
    return await hasUser(demoLogins[0]!.email);
  } finally {
    await disconnectDatabase();
  }
}

/** Resolves with true when the server answers, with false when it is gone. */
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

/** Tells on standard output where the site is and who can log in. */
export function announce(env: Env, embedded: boolean, hasDemo: boolean): void {
  const lines = [`Tour Reviews is at ${env.appUrl}`];
  if (embedded) lines.push(`Embedded database under ${env.dataDir} (set MONGODB_URI for your own)`);
  if (!env.sendgridApiKey) lines.push(`E-mails are kept, not sent: ${env.appUrl}/dev/mail`);
  if (hasDemo) {
    lines.push(`Demo log-ins, password "${DEMO_PASSWORD}":`);
    for (const { email, note } of demoLogins) lines.push(`  ${email}  ${note}`);
  }
  process.stdout.write(`\n${lines.join("\n")}\n\n`);
}
