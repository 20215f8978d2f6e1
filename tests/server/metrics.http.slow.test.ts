import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Notification } from "#models/notification";
import { freePort } from "../../scripts/lib/ports";
import {
  answeringProcesses,
  type App,
  call,
  logIn,
  readMetrics,
  startApp,
  startSite,
  tokenOf,
  metricValue,
} from "../support/app";
import { until } from "../support/commands";
import { databaseUri } from "../support/database";
import { makeBookedExplorer, makeTour } from "../support/factories";
import { app, useApp } from "../support/shared-app";
import { exchange, head } from "../support/sockets";

useApp();

const REQUESTS = "tour_reviews_http_request_duration_seconds_count";
const metricsOf = async ({ url }: Pick<App, "url">) => (await readMetrics(new URL(url).port))!;

describe("/metrics on the site's port", () => {
  it("is only for programs on this machine", async () => {
    const { status, headers, text } = await call(app, "GET", "/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/^tour_reviews_database_up 1$/m);
    const forwarded = head("GET", "/metrics", "X-Forwarded-For: 192.0.2.1");
    expect((await exchange(app, forwarded)).status).toBe(404);
    const { port } = new URL(app.url);
    const foreign = `GET /metrics HTTP/1.1\r\nHost: evil.example:${port}\r\n\r\n`;
    expect((await exchange(app, foreign)).status).toBe(404);
  });

  it("is for no visitor of a public site, however its proxy passes requests on", async () => {
    const site = { APP_URL: "https://reviews.example.com" };
    const [open, named] = await Promise.all([
      startApp(databaseUri(), site),
      startApp(databaseUri(), { ...site, TRUST_PROXY: "true" }),
    ]);
    try {
      // As nginx does it without any `proxy_set_header`, before 1.29.7 and since.
      const passedOn = ({ url }: Pick<App, "url">, version: string, ...fields: string[]) =>
        `GET /metrics HTTP/${version}\r\n${["Host: " + new URL(url).host, ...fields].join("\r\n")}\r\n\r\n`;
      const statusOf = async (to: Pick<App, "url">, ...request: [string, ...string[]]) =>
        (await exchange(to, passedOn(to, ...request))).status;
      for (const to of [app, open, named])
        expect(await statusOf(to, "1.0", "Connection: close")).toBe(404);
      expect(await statusOf(open, "1.1")).toBe(404);
      expect(await statusOf(named, "1.1", "X-Forwarded-For: 192.0.2.1")).toBe(404);
      // Prometheus beside a site whose proxy names its clients.
      expect(await statusOf(named, "1.1")).toBe(200);
      const state = async (to: App) => (await call(to, "GET", "/healthz?verbose")).json;
      expect(await state(open)).toEqual({ status: "ok" });
      expect(await state(named)).toHaveProperty("version");
    } finally {
      await Promise.all([open.stop(), named.stop()]);
    }
  });

  it("counts requests by the pattern of their route, and puts unknown words under one label", async () => {
    const before = await metricsOf(app);
    for (const path of ["/tours/a", "/tours/b", "/nope-1", "/nope/2/x"])
      await call(app, "GET", path);
    for (const method of ["PURGE", "LINK"]) await exchange(app, head(method, "/tours/a"));
    let after = before;
    const grown = (labels: Record<string, string>) =>
      (metricValue(after, REQUESTS, labels) ?? 0) - (metricValue(before, REQUESTS, labels) ?? 0);
    await until(async () => {
      after = await metricsOf(app);
      return grown({ method: "other" }) === 2;
    });
    expect(grown({ route: "/tours/:slug", method: "GET", status: "4xx" })).toBe(2);
    expect(grown({ route: "/*", method: "GET", status: "4xx" })).toBe(2);
    expect(grown({ route: "/tours/:slug", method: "other", status: "4xx" })).toBe(2);
    expect(JSON.stringify(after)).not.toMatch(/nope|PURGE/);
  });

  it("reports transactions, caches, the database and the event loop", async () => {
    const tour = await makeTour();
    const token = await tokenOf(await makeBookedExplorer(tour));
    const before = await metricsOf(app);
    const body = { tourId: tour._id.toString(), rating: 5 };
    expect((await call(app, "POST", "/api/reviews", { token, body })).status).toBe(201);
    const path = `/api/reviews?tourId=${tour._id.toString()}`;
    for (let n = 0; n < 3; n++) await call(app, "GET", path);

    const after = await metricsOf(app);
    const grown = (...of: [string, Record<string, string>?]) =>
      metricValue(after, ...of)! - (metricValue(before, ...of) ?? 0);
    expect(grown("tour_reviews_transactions_total", { result: "committed" })).toBeGreaterThan(0);
    expect(metricValue(after, "tour_reviews_changes_waiting")).toBe(0);
    const lists = { cache: "lists of reviews", result: "hit" };
    expect(grown("tour_reviews_cache_requests_total", lists)).toBeGreaterThan(0);
    expect(grown("tour_reviews_database_command_seconds_count")).toBeGreaterThan(0);
    expect(metricValue(after, "tour_reviews_database_connections", { state: "waiting" })).toBe(0);
    expect(metricValue(after, "nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  });

  it("reveals nothing about a person", async () => {
    const user = await makeBookedExplorer(await makeTour(), {
      email: "metrics-quokka@example.test",
    });
    const cookie = await logIn(app, user.email);
    await call(app, "GET", "/me?token=quokka", { cookie });
    await call(app, "GET", "/reset/token-quokka");
    const { text } = await call(app, "GET", "/metrics");
    expect(text).not.toContain("quokka");
    expect(text).not.toContain(user._id.toString());
    expect(text).not.toContain("127.0.0.1");
  });
});

describe("METRICS_PORT of a site of two processes", () => {
  let site: App;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    site = await startSite(databaseUri(), { METRICS_PORT: String(port) });
  });
  afterAll(() => site.stop());

  it("answers only there, and adds up what both processes have done", async () => {
    expect((await call(site, "GET", "/metrics")).status).toBe(404);
    const labels = { route: "/tours/:slug", method: "GET", status: "4xx" };
    for (let n = 0; n < 12; n++)
      await call(site, "GET", "/tours/nope", { headers: { connection: "close" } });
    await until(async () => metricValue((await readMetrics(port))!, REQUESTS, labels) === 12);
    // One of the processes reads the outbox for both.
    await Notification.collection.insertOne({ state: "dead", kind: "account" });
    await until(
      async () =>
        metricValue((await readMetrics(port))!, "tour_reviews_mails", { state: "dead" }) === 1,
    );
  });

  it("continues while a process hangs, and counts the one that is replaced", async () => {
    const [hanging] = await answeringProcesses(site);
    process.kill(hanging!, "SIGSTOP");
    const answering = { state: "answering" };
    const stopped = (await readMetrics(port))!;
    expect(metricValue(stopped, "tour_reviews_processes", answering)).toBe(1);
    expect(metricValue(stopped, "tour_reviews_processes", { state: "wanted" })).toBe(2);
    process.kill(hanging!, "SIGKILL");
    await until(
      async () =>
        metricValue((await readMetrics(port))!, "tour_reviews_processes", answering) === 2,
    );
    expect(metricValue((await readMetrics(port))!, "tour_reviews_processes_replaced_total")).toBe(
      1,
    );
  });
});

describe("SLOW_COMMAND_MS", () => {
  it("logs slow commands with their shapes, and no value", async () => {
    const slow = await startApp(databaseUri(), { SLOW_COMMAND_MS: "1" });
    await call(slow, "GET", "/tours/slow-quokka");
    await call(slow, "POST", "/api/reviews", { token: "trt_slowquokka", body: {} });
    await slow.stop();
    const lines = slow
      .log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { shape?: string; ms: number })
      .filter(({ shape }) => shape !== undefined);
    expect(lines.length).toBeGreaterThan(0);
    for (const { shape, ms } of lines) {
      expect(shape).toMatch(/^\w+( [\w.]+)?( \{[\w.$, :[\]{}]*\})?$/);
      expect(ms).toBeGreaterThanOrEqual(1);
    }
    expect(JSON.stringify(lines)).not.toContain("quokka");
  });
});
