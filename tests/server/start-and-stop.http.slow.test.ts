import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, test } from "vitest";
import { Review } from "#models/review";
import { call, imported, startApp, tokenOf } from "../support/app";
import { databaseUri } from "../support/database";
import { app, useApp } from "../support/shared-app";
import { head, speak } from "../support/sockets";
import { makeBookedExplorer, makeTour } from "../support/factories";

useApp();

describe("stopping the site", () => {
  it("waits for a request that is being answered and accepts no new one", async () => {
    const ending = await startApp(databaseUri());
    const tour = await makeTour();
    const token = await tokenOf(await makeBookedExplorer(tour));
    const body = JSON.stringify({ tourId: tour._id.toString(), rating: 5 });
    const fields = [`Authorization: Bearer ${token}`, `Content-Length: ${body.length}`];
    const idle = speak(ending, head("GET", "/healthz"));
    await idle.answer;
    const { socket, answer } = speak(
      ending,
      head("POST", "/api/reviews", ...fields),
      body.slice(0, 10),
    );
    await sleep(200);
    const exited = once(ending.process, "exit") as Promise<[number | null]>;
    const signalled = Date.now();
    ending.process.kill("SIGTERM");
    // The parent's signal and the terminal's may both arrive.
    ending.process.kill("SIGINT");
    const isRefused = () =>
      call(ending, "GET", "/healthz").then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused).toBe(true);
    socket.write(body.slice(10));
    const { status, headers } = await answer;
    expect([status, headers.get("connection")]).toEqual([201, "close"]);
    expect((await exited)[0]).toBe(0);
    expect(Date.now() - signalled).toBeLessThan(20_000);
    expect(await Review.countDocuments({ tourId: tour._id })).toBe(1);
  });

  it("answers what has reached this machine, however long the process was kept from reading it", async () => {
    // Blocks the event loop right after the signal, as on a machine without a free processor.
    const busy = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)";
    const module = `process.on("SIGTERM", () => setImmediate(() => ${busy}))`;
    const ending = await startApp(databaseUri(), imported(module));
    const exited = once(ending.process, "exit") as Promise<[number | null]>;
    ending.process.kill("SIGSTOP");
    const sent = Array.from({ length: 20 }, () => speak(ending, head("GET", "/healthz")));
    await Promise.all(sent.map(({ socket }) => once(socket, "connect")));
    ending.process.kill("SIGTERM");
    ending.process.kill("SIGCONT");
    const answers = await Promise.all(sent.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect((await exited)[0]).toBe(0);
  });

  it("does not wait forever", async () => {
    const ending = await startApp(databaseUri());
    const { socket } = speak(ending, head("POST", "/api/reviews", "Content-Length: 100"), "{");
    await sleep(200);
    const exited = once(ending.process, "exit") as Promise<[number | null]>;
    const signalled = Date.now();
    ending.process.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    expect(Date.now() - signalled).toBeLessThan(25_000);
    socket.destroy();
  });
});

describe.concurrent("a start that must fail", () => {
  const serve = createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js");

  async function start(settings: Record<string, string | undefined>) {
    const child = spawn(process.execPath, [serve, "build/index.js"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NODE_ENV: "production", LOG_LEVEL: "info", ...settings },
    });
    let errors = "";
    let output = "";
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, errors, output };
  }

  test.each<[string, RegExp, Record<string, string | undefined>]>([
    [
      "a PORT that is taken",
      /^PORT \d+ cannot be used: .*EADDRINUSE/,
      { PORT: new URL(app.url).port },
    ],
    ["no SESSION_SECRET", /^SESSION_SECRET is required/, { SESSION_SECRET: undefined }],
    [
      "a database that does not answer",
      /^The database of MONGODB_URI does not answer/,
      { MONGODB_URI: "mongodb://127.0.0.1:1/x" },
    ],
    [
      "an embedded database that does not answer",
      /^The embedded database does not answer/,
      { MONGODB_URI: "mongodb://127.0.0.1:1/tour_reviews?replicaSet=secantus" },
    ],
  ])("%s is one line and exit code 1", async (_, line, settings) => {
    const { code, errors, output } = await start({
      PORT: "3999",
      APP_URL: "http://localhost:3999",
      MONGODB_URI: databaseUri(),
      ...settings,
    });
    expect([code, errors.trimEnd().split("\n")]).toEqual([1, [expect.stringMatching(line)]]);
    expect(output).toBe("");
  });
});
