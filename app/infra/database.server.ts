import mongoose from "mongoose";
import { DatabaseError } from "./errors.server";
import { buildIndexes } from "./indexes.server";
import { LOAD_BALANCED } from "./mongodb-uri";
import { withTimeout } from "./transaction.server";

/** How long the database may take to answer a ping, in milliseconds. */
const PING_TIMEOUT_MS = 2_000;

/** How often the driver asks the database whether it is alive, in milliseconds. */
const HEARTBEAT_MS = 500;

/** After how long without an answer the database counts as away, in milliseconds. */
const SILENCE_MS = 2_000;

/**
 * Connects Mongoose to `uri` and waits for every index of the models, unless told otherwise.
 * Returns what is to be warned of about the platform's indexes, a line each.
 * Throws `DatabaseError` when the server does not answer, is no replica set (transactions need
 * one) or an index cannot be built (docs/rules.md relies on the unique ones).
 */
export async function connectDatabase(uri: string, { indexes = true } = {}): Promise<string[]> {
  if (mongoose.connection.readyState === mongoose.ConnectionStates.connected) return [];
  const failure = await mongoose
    .connect(uri, {
      autoCreate: false,
      autoIndex: false,
      bufferCommands: false,
      connectTimeoutMS: 2_000,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      maxPoolSize: 50,
      readPreference: "primary",
      serverSelectionTimeoutMS: 2_500,
      waitQueueTimeoutMS: 10_000,
      writeConcern: { w: "majority", journal: true },
    })
    .then(
      () => null,
      (error: unknown) => error ?? "no reason given",
    );
  // The TXT record of a mongodb+srv:// name can ask for it too.
  if (mongoose.connection.getClient()?.options.loadBalanced) {
    await mongoose.disconnect();
    throw new DatabaseError(`MONGODB_URI ${LOAD_BALANCED}`);
  }
  if (failure)
    throw new DatabaseError(`The database of MONGODB_URI does not answer: ${oneLine(failure)}`);
  lastHeard = performance.now();
  mongoose.connection.getClient().on("serverHeartbeatSucceeded", ({ reply }) => {
    if (reply.isWritablePrimary) lastHeard = performance.now();
  });
  const hello = await mongoose.connection.db!.command({ hello: 1 });
  if (!hello.setName && hello.msg !== "isdbgrid") {
    await mongoose.disconnect();
    throw new DatabaseError(
      "MONGODB_URI names a standalone server, and transactions need a replica set: start mongod with --replSet rs0 and run rs.initiate() once.",
    );
  }
  if (!indexes) return [];
  try {
    return await buildIndexes();
  } catch (error) {
    await mongoose.disconnect();
    throw error;
  }
}

/** Whether the database answers a ping within two seconds; at once false while it is silent. */
export async function databaseAnswers(): Promise<boolean> {
  if (isDatabaseSilent()) return false;
  const ping = mongoose.connection.db!.command({ ping: 1 });
  return withTimeout(PING_TIMEOUT_MS, ping).then(
    () => true,
    () => false,
  );
}

let lastHeard = 0;

/** Whether the database has not answered the driver for so long that it counts as away. */
export const isDatabaseSilent = () => performance.now() - lastHeard > SILENCE_MS;

/** Closes all connections. */
export async function disconnectDatabase(): Promise<void> {
  await mongoose.disconnect();
}

const oneLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, 300);
