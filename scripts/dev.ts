import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { runSite } from "./lib/site";

/** Serves the site with live reload until SIGINT or SIGTERM. */
export default async function dev(args: string[]): Promise<number> {
  return runSite(args, { command: "npm run dev", prepare: async () => {}, serve });
}

function serve(environment: NodeJS.ProcessEnv): ChildProcess {
  const remix = createRequire(import.meta.url).resolve("@remix-run/dev/dist/cli.js");
  return spawn(process.execPath, [remix, "dev"], {
    stdio: "inherit",
    env: { ...environment, NODE_ENV: "development" },
  });
}
