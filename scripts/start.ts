import { buildIfStale } from "./lib/build";
import { serveByProcesses } from "./lib/processes";
import { runSite } from "./lib/site";

/** Serves the site until SIGINT or SIGTERM, with everything that it needs. */
export default async function start(args: string[]): Promise<number> {
  return runSite(args, {
    command: "npm start",
    prepare: buildIfStale,
    serve: (environment, { webConcurrency }) => serveByProcesses(webConcurrency, environment),
  });
}
