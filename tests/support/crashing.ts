import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import mongoose from "mongoose";
import { afterAll, beforeAll, expect } from "vitest";
import { databaseUri } from "./database";

/**
 * Builds a file of tests/support whose process calls `killBefore`, in one file, which takes a third of the processor's
 * time to load; beside the packages that it needs. Returns a function that runs one operation in such a process, which
 * kills itself before the nth command to the database.
 */
export function useCrashing<Operation extends string>(entry: string) {
  const script = `node_modules/.cache/${basename(entry, ".ts")}-${process.pid}.mjs`;
  beforeAll(async () => {
    const { dependencies } = JSON.parse(await readFile("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    await build({
      entryPoints: [entry],
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      external: Object.keys(dependencies),
    });
  });
  afterAll(() => rm(script, { force: true }));

  return async (operation: Operation, args: string[], nth: number): Promise<"killed" | "done"> => {
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
