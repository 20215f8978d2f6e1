import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { parseEnv } from "~/infra/env.server";
import { openDatabase } from "./lib/command";
import { loadDemoData } from "./lib/demo-data";
import { checkPort } from "./lib/ports";
import { storedSessionSecret } from "./lib/session-secret";
import { stopSignal, superviseSite } from "./lib/site";

/** Serves the site with live reload until SIGINT or SIGTERM. */
export default async function dev(): Promise<number> {
  const env = parseEnv(process.env);
  const stopped = stopSignal();
  await checkPort(env.port);
  const sessionSecret = env.sessionSecret ?? (await storedSessionSecret(env.dataDir));
  const { uri, embedded, release } = await openDatabase();
  try {
    const hasDemo = embedded && (await loadDemoData(uri));
    if (stopped.aborted) return 0;
    const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
    const server = spawn(process.execPath, [remix, "dev"], {
      stdio: "inherit",
      env: {
        ...process.env,
        NODE_ENV: "development",
        PORT: String(env.port),
        MONGODB_URI: uri,
        // The server cannot tell by that whose database it is.
        BOOKING_COMPLETION: env.bookingCompletion,
        SESSION_SECRET: sessionSecret,
      },
    });
    return await superviseSite(server, { env, stopped, embedded, hasDemo });
  } finally {
    await release();
  }
}
