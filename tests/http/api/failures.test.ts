import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startApp, tokenOf } from "../../support/app";
import { databaseUri } from "../../support/database";
import { makeBookedExplorer } from "../../support/factories";
import { api, refusal, refused, reviewed, useApp } from "../../support/shared-app";

useApp();

describe("unexpected failures", () => {
  it("of the database are answered in time, and end when it is back", async () => {
    const { token, tour, tourId, path } = await reviewed();
    const explorer = await tokenOf(await makeBookedExplorer(tour));
    const proxy = await startProxy();
    // Directly through the proxy: a replica set would tell the driver its own address, which bypasses the proxy.
    const uri = databaseUri().replace(/\/\/[^/]+/, `//127.0.0.1:${proxy.port}`);
    const direct = uri.replace(/\?.*$|$/, "?directConnection=true");
    const cut = await startApp(direct);
    try {
      const all = () =>
        Promise.all([
          api("GET", "/healthz", {}, cut),
          api("GET", `/api/reviews?tourId=${tourId}`, {}, cut),
          api("POST", "/api/reviews", { token: explorer, body: { tourId, rating: 5 } }, cut),
          api("PATCH", path, { token, body: { rating: 5 } }, cut),
          api("GET", `/api/tours/${tourId}`, {}, cut),
          api("DELETE", path, { token: explorer }, cut),
        ]);
      expect((await all()).map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 403]);
      proxy.cut();
      const started = Date.now();
      const [health, ...answers] = await all();
      expect(Date.now() - started).toBeLessThan(25_000);
      expect([health.status, health.json]).toEqual([503, { status: "unavailable" }]);
      expect(answers.map(refusal)).toEqual([
        refused(500, "Failed to fetch reviews"),
        refused(500, "Failed to create review"),
        refused(500, "Failed to update review"),
        refused(500, "Failed to fetch tour"),
        refused(500, "Failed to delete review"),
      ]);
      proxy.mend();
      const recovered = Date.now() + 60_000;
      while ((await api("GET", "/healthz", {}, cut)).status !== 200 && Date.now() < recovered)
        await sleep(100);
      expect((await api("PATCH", path, { token, body: { rating: 5 } }, cut)).status).toBe(200);
    } finally {
      await cut.stop();
      proxy.close();
    }
  });
});

/** A connection to the database that can be cut. */
async function startProxy() {
  const [, host, port] = /\/\/([^/:,]+):(\d+)/.exec(databaseUri())!;
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer((client) => {
    if (!open) return client.destroy();
    const upstream = connect(Number(port), host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => [client, upstream].forEach((end) => end.destroy()));
      socket.on("error", () => {});
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    open = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => void (open = true),
    close() {
      cut();
      server.close();
    },
  };
}
