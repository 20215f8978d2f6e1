import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/lib/ports";
import { call, startApp } from "../support/app";
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

test("the API bypasses remix-serve's files and log", async () => {
  const app = await startApp(databaseUri());
  // A file that remix-serve would serve if the request reached it.
  const name = `test-${process.pid}.txt`;
  await mkdir("public/api", { recursive: true });
  try {
    for (const path of [`public/${name}`, `public/api/${name}`]) await writeFile(path, "a file");
    expect((await call(app, "GET", `/${name}`)).text).toBe("a file");
    const answers = [
      await call(app, "GET", `/api/${name}`),
      await call(app, "GET", "/api/reviews?tourId=x"),
      await call(app, "POST", "/api/reviews", { body: {} }),
      await call(app, "GET", "/healthz"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 200, 401, 200]);
    expect(answers[0]!.json).toEqual({ error: "Not found" });
    await call(app, "GET", "/login");
    await expect.poll(app.printed).toContain("GET /login 200");
    expect(app.printed()).not.toMatch(/api|healthz/);
    // Our log has all of them.
    for (const path of [`/api/${name}`, "/api/reviews", "/login"])
      await expect.poll(app.log).toContain(`"path":"${path}"`);
  } finally {
    await app.stop();
    await Promise.all([rm(`public/${name}`), rm("public/api", { recursive: true })]);
  }
});
