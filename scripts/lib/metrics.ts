import cluster from "node:cluster";
import { createServer } from "node:http";
import { Counter, Gauge, prometheusContentType, Registry } from "prom-client";
import { type Env, isMissingAddress } from "~/config/env.server";
import { log } from "~/lib/log.server";
import { metricsText } from "~/lib/metrics.server";
import { version } from "../../package.json";
import { serverProcesses } from "./server-processes";

/** The metrics of this process, which starts the server processes. */
const registry = new Registry();
const registers = [registry];

const ended = new Counter({
  name: "tour_reviews_processes_replaced_total",
  help: "Server processes that have ended and were replaced.",
  registers,
});
const processes = new Gauge({
  name: "tour_reviews_processes",
  help: "Server processes by state: wanted (WEB_CONCURRENCY), running, and answering this request.",
  labelNames: ["state"] as const,
  registers,
});
const info = new Gauge({
  name: "tour_reviews_info",
  help: "The version of the service and of Node.js, as labels.",
  labelNames: ["version", "node"] as const,
  registers,
});

let requests = 0;

/**
 * Collects the metrics of the server processes that this process starts. It answers Prometheus at METRICS_PORT as
 * long as it runs, and gives them to the server processes, which answer on the site's port.
 */
export function provideMetrics({ webConcurrency, metricsPort, hosts }: Env): void {
  info.set({ version, node: process.versions.node }, 1);
  processes.set({ state: "wanted" }, webConcurrency);
  cluster.on("exit", () => ended.inc());
  if (metricsPort === undefined) return;
  for (const [index, host] of (hosts.length > 0 ? hosts : [undefined]).entries())
    listen(metricsPort, host, index > 0);
}

const logFailure = (error: unknown) => log.error({ err: error }, "metrics cannot be collected");

/** The metrics of all processes as one, without those of a process that hangs. */
export async function siteMetrics(): Promise<string> {
  const running = serverProcesses();
  // A different process reads the database each time, so that one that hangs does not hide its figures for long.
  const turn = requests++ % Math.max(1, running.length);
  const answers = await Promise.all(
    running.map((process, n) => process.processMetrics(n === turn).catch(() => null)),
  );
  const answering = answers.filter((metrics) => metrics !== null);
  processes.set({ state: "running" }, running.length);
  processes.set({ state: "answering" }, answering.length);
  return metricsText([await registry.getMetricsAsJSON(), ...answering.flat()]);
}

/** Answers `GET /metrics` on that port; this does not keep the process from ending. */
function listen(port: number, host: string | undefined, mayBeMissing: boolean): void {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    siteMetrics()
      .then((text) => response.writeHead(200, { "Content-Type": prometheusContentType }).end(text))
      .catch((error: unknown) => {
        logFailure(error);
        response.destroy();
      });
  });
  server.on("connection", (socket) => socket.unref());
  server.on("error", (error) => {
    if (mayBeMissing && isMissingAddress(error)) return;
    log.error({ err: error }, "METRICS_PORT cannot be used: no metrics are answered there");
  });
  server.listen(port, host).unref();
}
