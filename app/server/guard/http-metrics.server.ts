import cluster from "node:cluster";
import { collectDefaultMetrics, prometheusContentType } from "prom-client";
import { isDatabaseSilent } from "~/db/database.server";
import { env } from "~/config/env.server";
import { databaseRegistry, type Metrics, metricsText, processRegistry } from "~/lib/metrics.server";
import { log } from "~/lib/log.server";
import { requestScope } from "~/lib/request-scope.server";
import { withTimeout } from "~/db/transaction.server";
import { measureOutbox } from "~/mail/outbox-metrics.server";

/** How long the database may take to answer, and the command that started this process to ask all others. */
const DATABASE_MS = 2_000;
const SITE_MS = 4_000;

/** Between the command that started the server processes and each of them. */
export type MetricsMessage =
  | { type: "tour-reviews:metrics"; id: number; withDatabase?: boolean; metrics?: Metrics[] }
  | { type: "tour-reviews:site-metrics"; text?: string };

export function offerMetrics(): void {
  collectDefaultMetrics({ register: processRegistry });
  measureOutbox();
  if (!cluster.isWorker) return;
  process.on("message", (message: MetricsMessage | null) => {
    if (message?.type !== "tour-reviews:metrics") return;
    ownMetrics(message.withDatabase)
      .then((metrics) => send({ ...message, metrics }))
      .catch((error: unknown) => log.error({ err: error }, "metrics cannot be read"));
  });
}

/** Includes what stands in the database if that is asked for, and if it answers. */
async function ownMetrics(withDatabase = true): Promise<Metrics[]> {
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
  const text = cluster.isWorker
    ? await withTimeout(SITE_MS, (asked ??= siteMetrics().finally(() => (asked = undefined))))
    : await metricsText(await ownMetrics());
  return new Response(text, { headers: { "Content-Type": prometheusContentType } });
}

/** Shared by all who ask while it is collected. */
let asked: Promise<string> | undefined;

function siteMetrics(): Promise<string> {
  return new Promise((resolve) => {
    process.on("message", function take(message: MetricsMessage | null) {
      if (message?.type !== "tour-reviews:site-metrics" || message.text === undefined) return;
      process.off("message", take);
      resolve(message.text);
    });
    send({ type: "tour-reviews:site-metrics" });
  });
}

/** Does nothing when that command has just ended. */
function send(message: MetricsMessage): void {
  process.send?.(message, () => {});
}
