import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import {
  connectDatabase,
  DatabaseError,
  disconnectDatabase,
} from "../../app/infra/database.server";
import { EnvError, parseEnv } from "../../app/infra/env.server";
import { ServiceError } from "../../app/infra/errors.server";
import { ImportError } from "../../app/services/import/file.server";
import { acquireDatabase, DatabaseError as EmbeddedDatabaseError } from "../database";

/** A command that was called the wrong way. */
export class UsageError extends Error {}

/** Whether the message of `error` is all that a person needs to see. */
export function isExpected(error: unknown): error is Error {
  return [
    DatabaseError,
    EmbeddedDatabaseError,
    EnvError,
    ImportError,
    ServiceError,
    UsageError,
  ].some((kind) => error instanceof kind);
}

export const say = (message: string) => void process.stderr.write(`${message}\n`);

/**
 * The database that every command uses (contract): `MONGODB_URI`, else the embedded one under
 * `DATA_DIR`, started if none is running. `release` must be called at the end.
 */
export async function openDatabase(): Promise<{
  uri: string;
  embedded: boolean;
  release: () => Promise<void>;
}> {
  const { mongodbUri, dataDir } = parseEnv(process.env);
  if (mongodbUri) return { uri: mongodbUri, embedded: false, release: async () => {} };
  const { uri, release } = await acquireDatabase({ dataDir, onProgress: say });
  return { uri, embedded: true, release };
}

/** Runs `work` with Mongoose connected to that database, and lets go of both afterwards. */
export async function withDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const { uri, release } = await openDatabase();
  try {
    await connectDatabase(uri);
    return await work();
  } finally {
    await disconnectDatabase();
    await release();
  }
}

/** A TCP port of this machine that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
