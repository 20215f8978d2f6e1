import { parseEnv } from "../app/infra/env.server";
import { buildIfStale } from "./lib/build";
import { openDatabase } from "./lib/command";
import {
  announce,
  checkPort,
  exitCode,
  healthy,
  keptSecret,
  loadDemoData,
  serve,
  stopSignal,
} from "./lib/site";

/** Serves the site until SIGINT or SIGTERM, with everything that it needs. */
export default async function start(): Promise<number> {
  const env = parseEnv(process.env);
  const stopped = stopSignal();
  await checkPort(env.port);
  const sessionSecret = env.sessionSecret ?? (await keptSecret(env.dataDir));
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
      SESSION_SECRET: sessionSecret,
    });
    stopped.addEventListener("abort", () => server.kill("SIGTERM"));
    const exited = exitCode(server);
    const gone = new AbortController();
    void exited.finally(() => gone.abort());
    if (await healthy(env.port, gone.signal)) announce(env, embedded, hasDemo);
    const code = await exited;
    return stopped.aborted ? 0 : code;
  } finally {
    if (opened.status === "fulfilled") await opened.value.release();
  }
}
