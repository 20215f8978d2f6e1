import mongoose from "mongoose";
import { models } from "../../models";

/** A database that cannot be used; its message is one line that says what to do. */
export class DatabaseError extends Error {}

/** How long a transaction may take, its retries included, in milliseconds. */
const TRANSACTION_TIMEOUT_MS = 5_000;
/** How long the database may take to answer a ping, in milliseconds. */
const PING_TIMEOUT_MS = 2_000;

/**
 * Connects Mongoose to `uri` and waits for every index of the models.
 * Throws `DatabaseError` when the server does not answer, is no replica set (transactions need
 * one) or an index cannot be built (the unique ones carry promises of the specification).
 */
export async function connectDatabase(uri: string): Promise<void> {
  if (mongoose.connection.readyState === mongoose.ConnectionStates.connected) return;
  try {
    await mongoose.connect(uri, {
      autoCreate: false,
      autoIndex: false,
      bufferCommands: false,
      connectTimeoutMS: 2_000,
      heartbeatFrequencyMS: 1_000,
      maxPoolSize: 50,
      readPreference: "primary",
      serverSelectionTimeoutMS: 2_500,
      writeConcern: { w: "majority", journal: true },
    });
  } catch (error) {
    throw new DatabaseError(`The database of MONGODB_URI does not answer: ${oneLine(error)}`);
  }
  const hello = await mongoose.connection.db!.command({ hello: 1 });
  if (!hello.setName && hello.msg !== "isdbgrid") {
    await mongoose.disconnect();
    throw new DatabaseError(
      "MONGODB_URI names a standalone server, and transactions need a replica set: start mongod with --replSet rs0 and run rs.initiate() once.",
    );
  }
  for (const model of models) {
    try {
      await model.createIndexes();
    } catch (error) {
      await mongoose.disconnect();
      throw new DatabaseError(
        `An index of the collection ${model.collection.name} cannot be built: ${oneLine(error)}`,
      );
    }
  }
}

/** Whether the database answers a ping within two seconds. */
export async function databaseAnswers(): Promise<boolean> {
  const ping = mongoose.connection.db!.command({ ping: 1 });
  return within(PING_TIMEOUT_MS, ping).then(
    () => true,
    () => false,
  );
}

/** Closes all connections. */
export async function disconnectDatabase(): Promise<void> {
  await mongoose.disconnect();
}

/**
 * Runs `work` in one transaction, retried by the driver on write conflicts, durable (majority and
 * journal) when it resolves. Rejects when it takes longer than `timeoutMs`: with nothing written,
 * unless it was only the answer to the commit that did not come.
 */
export async function inTransaction<Result>(
  work: (session: mongoose.ClientSession) => Promise<Result>,
  timeoutMs = TRANSACTION_TIMEOUT_MS,
): Promise<Result> {
  const session = await mongoose.connection.startSession();
  try {
    const transaction = session.withTransaction(() => work(session), {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority", journal: true },
    });
    return await within(timeoutMs, transaction);
  } finally {
    // Aborts what is still open, and ends the driver's retries: by themselves they go on for two minutes.
    await session.endSession();
  }
}

/** What `promise` gives, or a rejection after `ms` milliseconds. */
async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

const oneLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ").slice(0, 300);
