import mongoose from "mongoose";
import { Gauge } from "prom-client";
import { Layout } from "#models/layout";
import { DatabaseError } from "~/lib/errors.server";
import { processRegistry } from "~/lib/metrics.server";
import { describeDatabase, LOAD_BALANCED } from "~/config/mongodb-uri";
import { buildIndexes } from "./indexes.server";
import { connectedDatabase } from "./connection.server";
import { logSlowCommands, watchPool } from "./database-metrics.server";
import { withTimeout } from "./transaction.server";
import { POOL_SIZE, takenUri } from "./uri-options.server";

const PROOF_TIMEOUT_MS = 2_000;

/** A process writes at most once in this time, however often its health is asked for. */
const WRITTEN_MS = 5_000;

const HEARTBEAT_MS = 500;

/** Time without an answer after which the database counts as unreachable. */
const SILENCE_MS = 2_000;

/**
 * Waits for every index of the models, unless told otherwise, and returns warnings about the platform's indexes.
 * Throws `DatabaseError` when the server does not answer, is no replica set (transactions need one) or an index cannot
 * be built (docs/rules/database.md relies on the unique ones).
 */
export async function connectDatabase(
  uri: string,
  { indexes = true, slowCommandMs = 0 } = {},
): Promise<string[]> {
  if (mongoose.connection.readyState === mongoose.ConnectionStates.connected) return [];
  const { uri: taken, left } = takenUri(uri);
  const failure = await mongoose
    .connect(taken, {
      autoCreate: false,
      autoIndex: false,
      bufferCommands: false,
      connectTimeoutMS: 2_000,
      heartbeatFrequencyMS: HEARTBEAT_MS,
      maxPoolSize: POOL_SIZE,
      ...(slowCommandMs > 0 && { monitorCommands: true }),
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
    throw new DatabaseError(`${describeDatabase(uri)} does not answer: ${oneLine(failure)}`);
  lastHeard = performance.now();
  watchPool(mongoose.connection.getClient());
  if (slowCommandMs > 0) logSlowCommands(mongoose.connection.getClient(), slowCommandMs);
  mongoose.connection.getClient().on("serverHeartbeatSucceeded", ({ reply }) => {
    if (reply.isWritablePrimary) lastHeard = performance.now();
  });
  const hello = await connectedDatabase().command({ hello: 1 });
  if (!hello.setName && hello.msg !== "isdbgrid") {
    await mongoose.disconnect();
    throw new DatabaseError(
      "MONGODB_URI names a standalone server, and transactions need a replica set: start mongod with --replSet rs0 and run rs.initiate() once.",
    );
  }
  const warnings = left.length > 0 ? [notTaken(left)] : [];
  if (!indexes) return warnings;
  try {
    return [...warnings, ...(await buildIndexes())];
  } catch (error) {
    await mongoose.disconnect();
    throw error;
  }
}

const notTaken = (options: string[]) =>
  `MONGODB_URI is taken without ${options.join(", ")}: the site reads from the primary, writes with the majority and the journal, has up to ${POOL_SIZE} connections a process, and knows only the options of the driver for Node.js`;

/**
 * A database whose files cannot be used, for example after a full disk, may still answer a ping, and one whose disk
 * hangs may still read from memory: so this also writes.
 */
export async function databaseAnswers(): Promise<boolean> {
  if (isDatabaseSilent()) return false;
  const proof = Promise.all([Layout.findById("layout").lean(), writeLately()]);
  return withTimeout(PROOF_TIMEOUT_MS, proof).then(
    () => true,
    () => false,
  );
}

let writing: Promise<void> | undefined;
let lastWritten = -Infinity;

async function writeLately(): Promise<void> {
  if (performance.now() - lastWritten < WRITTEN_MS) return;
  writing ??= Layout.updateOne({ _id: "layout" }, { writtenAt: new Date() })
    .then(() => void (lastWritten = performance.now()))
    .finally(() => (writing = undefined));
  await writing;
}

let lastHeard = 0;

/** Whether the database has been silent for too long. */
export const isDatabaseSilent = () => performance.now() - lastHeard > SILENCE_MS;

new Gauge({
  name: "tour_reviews_database_up",
  help: "1 while the database answers every process that reports, 0 otherwise.",
  registers: [processRegistry],
  aggregator: "min",
  collect() {
    this.set(isDatabaseSilent() ? 0 : 1);
  },
});

export async function disconnectDatabase(): Promise<void> {
  await mongoose.disconnect();
}

const oneLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, 300);
