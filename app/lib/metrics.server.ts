import { AggregatorRegistry, Counter, Registry } from "prom-client";

/** Holds the metrics of one server process; those of a site's processes are added up (docs/monitoring.md). */
export const processRegistry = new Registry();

/** Holds those of the database, which one process reads for all. */
export const databaseRegistry = new Registry();

export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Adds up the metrics of several processes, in the text format of Prometheus. */
export const metricsText = (metrics: Metrics[]): Promise<string> =>
  AggregatorRegistry.aggregate(metrics).metrics();

export const failuresLogged = new Counter({
  name: "tour_reviews_failures_logged_total",
  help: "Lines of the log at level error or fatal.",
  labelNames: ["level"] as const,
  registers: [processRegistry],
});

// From the start: Prometheus does not see the increase with which a series begins.
for (const level of ["error", "fatal"]) failuresLogged.inc({ level }, 0);
