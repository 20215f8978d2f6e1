import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/lib/ports";
import { databaseUri, useDatabase } from "../support/database";

useDatabase();

/** Serves the build as a remix-serve would that takes `createServer` before it loads the app. */
const PAST_THE_GUARD = `
const { createServer } = require("node:http");
import(require("node:url").pathToFileURL("build/index.js").href).then(() =>
  createServer((request, response) => response.end("unguarded")).listen(process.env.PORT, () =>
    console.log("listening"),
  ),
);`;

test("a server that bypasses the guard ends the process before its first answer", async () => {
  const port = await freePort();
  const child = spawn(process.execPath, ["-e", PAST_THE_GUARD], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      APP_URL: `http://localhost:${port}`,
      PORT: String(port),
      MONGODB_URI: databaseUri(),
      LOG_LEVEL: "info",
    },
  });
  let log = "";
  child.stderr.on("data", (text: Buffer) => (log += text.toString()));
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
  const [code] = (await closed) as [number | null];
  expect(code).toBe(1);
  expect(log).toContain("past the guard");
});
