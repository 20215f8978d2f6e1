import { format } from "node:util";
import { switchOff } from "~/requests/worker.server";
import { connectDatabase, disconnectDatabase } from "~/db/database.server";
import { env, required } from "~/config/env.server";
import { DatabaseError } from "~/lib/errors.server";
import { log } from "~/lib/log.server";
import { logMalformedValues } from "~/db/malformed-values.server";
import { startJobs, stopJobs } from "~/server/jobs.server";
import { shared } from "~/server/reloads.server";
import { offerMetrics } from "./http-metrics.server";
import { wrapRemixServe } from "./remix-serve.server";

/**
 * Starts the guard, the database and the workers, once, however often the development server loads the app again. Ends
 * the process with one line when something is missing.
 */
export async function startServer(): Promise<void> {
  return (shared.started ??= start());
}

async function start(): Promise<void> {
  // Output of libraries becomes a line of the log.
  for (const level of ["warn", "error"] as const)
    console[level] = (...printed: unknown[]) => log[level](format(...printed));
  // Node would print these as text.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "a warning of Node.js"));
  logMalformedValues();
  try {
    const mongodbUri = required(env().mongodbUri, "MONGODB_URI");
    offerMetrics();
    wrapRemixServe(async () => {
      await stopJobs();
      await disconnectDatabase();
    });
    for (const warning of await connectDatabase(mongodbUri, {
      slowCommandMs: env().slowCommandMs,
    }))
      log.warn(warning);
    if (!env().reviewRequests) await switchOff();
    startJobs();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  for (const event of ["unhandledRejection", "uncaughtException"])
    process.on(event, (error) => {
      log.fatal({ err: error as unknown }, `an error that nobody expected (${event})`);
      process.exit(1);
    });
}
