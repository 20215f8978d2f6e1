import { buildIfStale, keepInUse } from "./lib/build";
import { provideMetrics } from "./lib/metrics";
import { serveByProcesses } from "./lib/processes";
import { runSite } from "./lib/site";

/** Serves the site, with everything that it needs, until SIGINT or SIGTERM. */
export default async function start(args: string[]): Promise<number> {
  let serverBuild: string;
  return runSite(args, {
    command: "npm start",
    prepare: async () => {
      serverBuild = await buildIfStale();
      keepInUse(serverBuild);
    },
    serve: (environment, env) => {
      provideMetrics(env);
      return serveByProcesses(serverBuild, env.webConcurrency, environment);
    },
  });
}
