import { detectLanguages } from "~/search/language-detector.server";
import { buildIfStale, keepInUse } from "./lib/build";
import { provideMetrics, siteMetrics } from "./lib/metrics";
import { serveByProcesses } from "./lib/processes";
import { answerServerProcesses } from "./lib/server-processes";
import { runSite } from "./lib/site";

/** Serves the site, with everything that it needs, until SIGINT or SIGTERM. */
export default async function start(args: string[]): Promise<number> {
  let serverBuild: string;
  return runSite(args, {
    command: "npm start",
    prepare: async () => {
      serverBuild = await buildIfStale();
      keepInUse(serverBuild);
      // Loads the languages now: later, somebody may have replaced the packages of the running site.
      await detectLanguages([]);
    },
    serve: (environment, env) => {
      provideMetrics(env);
      answerServerProcesses({ siteMetrics, detectLanguages });
      return serveByProcesses(serverBuild, env.webConcurrency, environment);
    },
  });
}
