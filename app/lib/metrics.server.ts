import { AggregatorRegistry, Counter, Histogram, Registry } from "prom-client";
import { NOT_ASKED } from "#models/review-request";

/** Holds the metrics of one server process; those of a site's processes are added up (docs/monitoring.md). */
export const processRegistry = new Registry();

/** Holds those of the database, which one process reads for all. */
export const databaseRegistry = new Registry();

export type Metrics = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Adds up the metrics of several processes, in the text format of Prometheus. */
export const metricsText = (metrics: Metrics[]): Promise<string> =>
  AggregatorRegistry.aggregate(metrics).metrics();

const registers = [processRegistry];

export const requestDuration = new Histogram({
  name: "tour_reviews_http_request_duration_seconds",
  help: "Requests, from the end of their head to the end of their answer, by the pattern of their route.",
  labelNames: ["method", "route", "status"] as const,
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const failuresLogged = new Counter({
  name: "tour_reviews_failures_logged_total",
  help: "Lines of the log at level error or fatal.",
  labelNames: ["level"] as const,
  registers,
});

export const transactions = new Counter({
  name: "tour_reviews_transactions_total",
  help: "Transactions by how they ended; aborted ones include those that a check refused.",
  labelNames: ["result"] as const,
  registers,
});

export const transactionRetries = new Counter({
  name: "tour_reviews_transaction_retries_total",
  help: "How often a transaction began again, because another one changed the same document.",
  registers,
});

export const mailAttempts = new Counter({
  name: "tour_reviews_mail_attempts_total",
  help: "Attempts to deliver an e-mail: sent, captured, failed (and retried), given_up.",
  labelNames: ["result"] as const,
  registers,
});

export const reviewRequests = new Counter({
  name: "tour_reviews_review_requests_total",
  help: "Guests who were to be asked for a review of a tour: asked, reminded, or why not.",
  labelNames: ["result"] as const,
  registers,
});

// From the start: Prometheus does not see the increase with which a series begins.
for (const level of ["error", "fatal"]) failuresLogged.inc({ level }, 0);
for (const result of ["committed", "aborted"]) transactions.inc({ result }, 0);
for (const result of ["sent", "captured", "failed", "given_up"]) mailAttempts.inc({ result }, 0);
for (const result of ["asked", "reminded", ...NOT_ASKED]) reviewRequests.inc({ result }, 0);
