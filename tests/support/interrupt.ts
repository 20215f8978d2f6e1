import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { build } from "esbuild";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
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

/** The code of an error by which of two transactions the later one is run again. */
const WRITE_CONFLICT = 112;

/** Far longer than `other` takes, unless it waits for the transaction itself, as a write without one does. */
const WAITS_MS = 1_000;

/**
 * Runs `other` when the next transaction has done all its work and is about to be committed, as another process might.
 * It is committed once `other` is done, or has met a write conflict or waits, which holds it up until then. Resolves when both are
 * over: to what `other` returned or threw, and whether it was done first.
 */
export function beforeCommit<Result>(other: () => Promise<Result>) {
  const { commitTransaction } = mongoose.mongo.ClientSession.prototype;
  return new Promise<{ result: Result | Error; wasFirst: boolean }>((resolve) => {
    const commit = async function (this: mongoose.mongo.ClientSession) {
      const client = mongoose.connection.getClient();
      let isDone = false;
      const done = other()
        .catch((error: Error) => error)
        .finally(() => (isDone = true));
      const heldUp = new Promise<void>((conflict) => {
        const noteConflict = ({ failure }: mongoose.mongo.CommandFailedEvent) => {
          if ((failure as { code?: unknown }).code === WRITE_CONFLICT) conflict();
        };
        client.on("commandFailed", noteConflict);
        void done.finally(() => client.off("commandFailed", noteConflict));
      });
      await Promise.race([done, heldUp, delay(WAITS_MS)]);
      const wasFirst = isDone;
      void done.then((result) => resolve({ result, wasFirst }));
      return commitTransaction.call(this);
    };
    const spy = vi.spyOn(mongoose.mongo.ClientSession.prototype, "commitTransaction");
    spy.mockImplementationOnce(commit);
    onTestFinished(() => spy.mockRestore());
  });
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
