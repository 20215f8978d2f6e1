import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { databaseUri } from "./database";

/** Runs `happens` after an operation's first reads and before its transaction, as another process might. */
export function beforeTransaction(happens: () => Promise<unknown>): void {
  const { connection } = mongoose;
  const startSession = connection.startSession.bind(connection);
  vi.spyOn(connection, "startSession").mockImplementationOnce(async () => {
    await happens();
    return startSession();
  });
}

/** Far longer than what happens then takes, unless it waits for the transaction itself. */
const CONFLICT_MS = 1_000;

/**
 * Lets `happens` begin when the next transaction has done its work and is about to commit, and go first if nothing that
 * the transaction has written stands in its way. Returns a function that waits until it is done, and says whether it
 * went first.
 */
export function beforeCommit(happens: () => Promise<unknown>): () => Promise<boolean> {
  const { connection } = mongoose;
  const startSession = connection.startSession.bind(connection);
  let done: Promise<unknown> | undefined;
  let wentFirst = false;
  vi.spyOn(connection, "startSession").mockImplementationOnce(async () => {
    const session = await startSession();
    const commit = session.commitTransaction.bind(session);
    vi.spyOn(session, "commitTransaction").mockImplementationOnce(async () => {
      done = happens();
      const first = done.then(() => true);
      wentFirst = await Promise.race([first, delay(CONFLICT_MS, false)]);
      return commit();
    });
    return session;
  });
  return async () => {
    expect(done, "the transaction has come to its commit").toBeDefined();
    await done;
    return wentFirst;
  };
}

/**
 * Builds `crashing.ts` as one file, which takes a third of the processor's time to load, beside the packages that it
 * needs. Returns a function that runs one of its operations in a process that kills itself before the nth write.
 */
export function useCrashing() {
  const script = `node_modules/.cache/crashing-${process.pid}.mjs`;
  beforeAll(async () => {
    const { dependencies } = JSON.parse(await readFile("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    await build({
      entryPoints: ["tests/support/crashing.ts"],
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      external: Object.keys(dependencies),
    });
  });
  afterAll(() => rm(script, { force: true }));

  return async (operation: string, args: string[], nth: number): Promise<"killed" | "done"> => {
    const child = spawn(
      process.execPath,
      [script, databaseUri(), operation, String(nth), ...args],
      {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, NODE_NO_WARNINGS: "1" },
      },
    );
    let session = "";
    child.stdout.on("data", (chunk: Buffer) => (session += chunk.toString()));
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (signal !== "SIGKILL") {
      expect(code).toBe(0);
      return "done";
    }
    // The server ends a dead client's transaction after a minute; here it is told to, so that what
    // the transaction had claimed does not hold up the next test.
    if (session)
      await mongoose.connection.db!.admin().command({
        killSessions: [{ id: new mongoose.mongo.Binary(Buffer.from(session, "hex"), 4) }],
      });
    return "killed";
  };
}
