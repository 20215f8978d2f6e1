import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import mongoose from "mongoose";
import { withDatabaseName } from "~/infra/mongodb-uri";
import { acquireDatabase } from "../database";
import { say, UsageError } from "../lib/command";
import { dropDatabase } from "../../tests/support/collections";

/** The databases that a run can measure: the embedded one with its default or its native server, or `MONGODB_URI`. */
export const ENGINES = ["python", "rs", "mongodb"] as const;
export type EngineId = (typeof ENGINES)[number];

export interface Engine {
  id: EngineId;
  /** The server's own name. */
  name: string;
  /** The URI of a database of this run with that name. */
  uri: (name: string) => string;
  /** The server's processes on this machine; none if it runs elsewhere. */
  pids: () => number[];
}

/** The engines that can be used here. */
export function enginesHere(): EngineId[] {
  if (process.env.MONGODB_URI) return ["mongodb"];
  return nativeFolders().length > 0 ? ["python", "rs"] : ["python"];
}

const NATIVE = "secantusd-rs";

function nativeFolders(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => {
    try {
      accessSync(join(folder, NATIVE), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Throws `UsageError` with one line if that engine cannot be used. */
export function requireEngine(id: EngineId): void {
  const given = process.env.MONGODB_URI;
  if (id === "mongodb" && !given) throw new UsageError("--engine mongodb needs MONGODB_URI");
  if (id !== "mongodb" && given)
    throw new UsageError(`--engine ${id} is embedded: unset MONGODB_URI`);
  if (id === "rs" && nativeFolders().length === 0)
    throw new UsageError(`--engine rs needs ${NATIVE} on the PATH`);
}

/** Runs `work` on a server that nobody else uses, or in databases of its own on the server of `MONGODB_URI`. */
export async function withEngine<Result>(
  id: EngineId,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  requireEngine(id);
  if (id === "mongodb") return measured(id, process.env.MONGODB_URI!, () => [], work);
  const path = process.env.PATH;
  if (id === "python") {
    const native = new Set(nativeFolders());
    const others = (path ?? "").split(delimiter).filter((folder) => !native.has(folder));
    process.env.PATH = others.join(delimiter);
  }
  const dataDir = await mkdtemp(join(tmpdir(), "tour-reviews-bench-"));
  const { uri, release } = await acquireDatabase({ dataDir, onProgress: say }).finally(
    () => (process.env.PATH = path),
  );
  try {
    return await measured(id, uri, () => processesWith(dataDir), work);
  } finally {
    await release();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measured<Result>(
  id: EngineId,
  server: string,
  pids: () => number[],
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const names = new Set<string>();
  const uri = (name: string) => {
    names.add(`bench_${process.pid}_${name}`);
    return withDatabaseName(server, `bench_${process.pid}_${name}`);
  };
  const admin = await mongoose.createConnection(server).asPromise();
  const { secantusVersion, version } = await admin.db!.admin().buildInfo();
  await admin.close();
  const name = { python: "SecantusDB", rs: NATIVE, mongodb: "MongoDB" }[id];
  try {
    return await work({ id, uri, pids, name: `${name} ${String(secantusVersion ?? version)}` });
  } finally {
    // An embedded server's folder is removed as a whole.
    if (id === "mongodb")
      for (const database of names) {
        const connection = await mongoose
          .createConnection(withDatabaseName(server, database))
          .asPromise();
        await dropDatabase(connection);
        await connection.close();
      }
  }
}

/** The processes with that text among their arguments, if the system tells. */
function processesWith(text: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
      } catch {
        return false; // It has ended since.
      }
    })
    .map(Number);
}
