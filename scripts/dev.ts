import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Server } from "./lib/processes";
import { runSite } from "./lib/site";

/** Serves the site with live reload until SIGINT or SIGTERM. */
export default async function dev(args: string[]): Promise<number> {
  return runSite(args, { command: "npm run dev", prepare: async () => {}, serve });
}

function serve(environment: NodeJS.ProcessEnv): Server {
  const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
  const server = spawn(process.execPath, [remix, "dev"], {
    stdio: "inherit",
    env: { ...environment, NODE_ENV: "development" },
  });
  const ended = new Promise<number>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", (code) => resolve(code ?? 1));
  });
  return { ended, answers: () => {}, stop: () => void server.kill("SIGTERM") };
}
