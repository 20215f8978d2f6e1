import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

// The behaviour that app/server/guard/remix-serve.server.ts relies on, asked of @remix-run/serve itself with an app
// that does nothing. If this fails after an upgrade, the guard no longer stands in front of the server: the patch needs
// another place.

const APP = `
import http from "node:http";
process.on("exit", () => console.log("made after the app was loaded:", made));
let made = false;
const createServer = http.createServer;
await new Promise((resolve) => setTimeout(resolve, 100));
http.createServer = (...args) => {
  made = true;
  const server = createServer(...args);
  server.once("listening", () => {
    console.log("listener:", typeof args.at(-1));
    const close = server.close.bind(server);
    server.close = () => {
      console.log("closed at SIGTERM");
      return close(() => process.exit(0));
    };
    process.kill(process.pid, "SIGTERM");
  });
  return server;
};
setTimeout(() => process.exit(1), 30_000);
export const future = {};
export const publicPath = "/build/";
export const assetsBuildDirectory = "public/build";
export const routes = {};
export const entry = { module: {} };
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tour-reviews-serve-"));
  await writeFile(join(folder, "app.mjs"), APP);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("remix-serve makes its server with http.createServer once the app is loaded, and closes it at SIGTERM", async () => {
  const cli = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");
  const { stdout } = await promisify(execFile)(process.execPath, [cli, join(folder, "app.mjs")], {
    env: { ...process.env, NODE_ENV: "production", PORT: "0", HOST: "127.0.0.1" },
    timeout: 60_000,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toContain("made after the app was loaded: true");
  expect(stdout).toContain("listener: function");
  expect(stdout).toContain("closed at SIGTERM");
});
