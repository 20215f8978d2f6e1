import { parseEnv } from "~/infra/env.server";
import { buildIfStale } from "./lib/build";
import { openDatabase } from "./lib/command";
import { loadDemoData } from "./lib/demo-data";
import { checkPort } from "./lib/ports";
import { storedSessionSecret } from "./lib/session-secret";
import { serve, stopSignal, superviseSite } from "./lib/site";

/** Serves the site until SIGINT or SIGTERM, with everything that it needs. */
export default async function start(): Promise<number> {
  const env = parseEnv(process.env);
  const stopped = stopSignal();
  await checkPort(env.port);
  const sessionSecret = env.sessionSecret ?? (await storedSessionSecret(env.dataDir));
  const [opened, built] = await Promise.allSettled([openDatabase(), buildIfStale()]);
  try {
    if (stopped.aborted) return 0;
    if (opened.status === "rejected") throw opened.reason;
    if (built.status === "rejected") throw built.reason;
    const { uri, embedded } = opened.value;
    const hasDemo = embedded && (await loadDemoData(uri));
    if (stopped.aborted) return 0;
    const server = serve({
      ...process.env,
      PORT: String(env.port),
      MONGODB_URI: uri,
      // The server cannot tell by that whose database it is.
      BOOKING_COMPLETION: env.bookingCompletion,
      SESSION_SECRET: sessionSecret,
    });
    return await superviseSite(server, { env, stopped, embedded, hasDemo });
  } finally {
    if (opened.status === "fulfilled") await opened.value.release();
  }
}
