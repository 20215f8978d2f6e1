import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { parseEnv } from "~/infra/env.server";
import { openDatabase } from "./lib/command";
import {
  announce,
  checkPort,
  exitCode,
  healthy,
  keptSecret,
  loadDemoData,
  stopSignal,
} from "./lib/site";

/** Serves the site with live reload until SIGINT or SIGTERM. */
export default async function dev(): Promise<number> {
  const env = parseEnv(process.env);
  const stopped = stopSignal();
  await checkPort(env.port);
  const sessionSecret = env.sessionSecret ?? (await keptSecret(env.dataDir));
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
        SESSION_SECRET: sessionSecret,
      },
    });
    stopped.addEventListener("abort", () => server.kill("SIGTERM"));
    const exited = exitCode(server);
    const gone = new AbortController();
    void exited.finally(() => gone.abort());
    if (await healthy(env.port, gone.signal)) announce(env, embedded, hasDemo);
    const code = await exited;
    return stopped.aborted ? 0 : code;
  } finally {
    await release();
  }
}
