import { collectDefaultMetrics, prometheusContentType } from "prom-client";
import { isDatabaseSilent } from "~/db/database.server";
import { env } from "~/config/env.server";
import { firstProcess } from "~/lib/first-process.server";
import { databaseRegistry, type Metrics, metricsText, processRegistry } from "~/lib/metrics.server";
import { log } from "~/lib/log.server";
import { requestScope } from "~/lib/request-scope.server";
import { withTimeout } from "~/db/transaction.server";
import { measureOutbox } from "~/mail/outbox-metrics.server";

/** How long the database may take to answer. */
const DATABASE_MS = 2_000;

export function offerMetrics(): void {
  collectDefaultMetrics({ register: processRegistry });
  measureOutbox();
  if (firstProcess) firstProcess.$functions.processMetrics = processMetrics;
}

/** Includes what stands in the database if that is asked for, and if it answers. */
async function processMetrics(withDatabase: boolean): Promise<Metrics[]> {
  const own = processRegistry.getMetricsAsJSON();
  const stored =
    withDatabase && !isDatabaseSilent()
      ? withTimeout(DATABASE_MS, databaseRegistry.getMetricsAsJSON()).catch((error: unknown) => {
          log.warn({ err: error }, "the metrics of the outbox cannot be read");
          return [];
        })
      : [];
  return Promise.all([own, stored]);
}

/** Throws 404 for other machines, and where METRICS_PORT is there for it. */
export async function answerMetrics(): Promise<Response> {
  if (env().metricsPort || !requestScope.getStore()?.fromThisMachine)
    throw new Response(null, { status: 404 });
  const text = firstProcess
    ? await (asked ??= firstProcess.siteMetrics().finally(() => (asked = undefined)))
    : await metricsText(await processMetrics(true));
  return new Response(text, { headers: { "Content-Type": prometheusContentType } });
}

/** Shared by all who ask while it is collected. */
let asked: Promise<string> | undefined;
