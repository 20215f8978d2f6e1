import mongoose from "mongoose";
import { models } from "../../models";
import { requestScope } from "./log.server";

/** A database that cannot be used; its message is one line that says what to do. */
export class DatabaseError extends Error {}

/** How long a transaction may take, its retries included, in milliseconds. */
const TRANSACTION_TIMEOUT_MS = 5_000;
/** How long the database may take to answer a ping, in milliseconds. */
const PING_TIMEOUT_MS = 2_000;
/** How often the driver asks the database whether it is there, in milliseconds. */
const HEARTBEAT_MS = 500;
/** After how long without an answer to that the database counts as away, in milliseconds. */
const SILENCE_MS = 2_000;
/** How long a request waits for a database that goes away meanwhile, or was away before, in milliseconds. */
const PATIENCE_MS = 2_200;
const SHORT_PATIENCE_MS = 500;
/** How long a request waits for a database that is there, in milliseconds. */
const LONGEST_PATIENCE_MS = 30_000;

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
      heartbeatFrequencyMS: HEARTBEAT_MS,
      maxPoolSize: 50,
      readPreference: "primary",
      serverSelectionTimeoutMS: 2_500,
      waitQueueTimeoutMS: 10_000,
      writeConcern: { w: "majority", journal: true },
    });
  } catch (error) {
    throw new DatabaseError(`The database of MONGODB_URI does not answer: ${oneLine(error)}`);
  }
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

/** Whether the database has answered lately, and now answers a ping within two seconds. */
export async function databaseAnswers(): Promise<boolean> {
  if (isSilent()) return false;
  const ping = mongoose.connection.db!.command({ ping: 1 });
  return within(PING_TIMEOUT_MS, ping).then(
    () => true,
    () => false,
  );
}

let lastHeard = 0;
const isSilent = () => performance.now() - lastHeard > SILENCE_MS;

/**
 * Calls `giveUp` when a request that waits from now on has waited long enough: for a database that
 * is away, or for anything at all. Nothing more of the request is committed then. Gives the function
 * that ends the watch.
 *
 * The driver's own limits are no such bound: they hold for one command, and add up where a request
 * sends several, retries or waits for its turn.
 */
export function watchPatience(giveUp: () => void): () => void {
  const scope = requestScope.getStore();
  const started = performance.now();
  let watching = true;
  const decide = () => {
    if (!watching) return;
    if (!isSilent() && performance.now() - started <= LONGEST_PATIENCE_MS) {
      timer = setTimeout(look, 100);
      return;
    }
    if (scope) scope.abandoned = true;
    giveUp();
  };
  // What has arrived is read first, in case that this process itself was held up.
  const look = () => setImmediate(() => setImmediate(decide));
  let timer = setTimeout(look, isSilent() ? SHORT_PATIENCE_MS : PATIENCE_MS);
  return () => {
    watching = false;
    clearTimeout(timer);
  };
}

/** What `answer` gives, or a rejection when it takes too long for a request (see `watchPatience`). */
export async function withPatience<Result>(answer: Promise<Result>): Promise<Result> {
  let end: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    end = watchPatience(() => reject(new Error("The database does not answer")));
  });
  return Promise.race([answer, late]).finally(() => end?.());
}

/** Throws when the present request was told already that nothing happened. */
function refuseAbandoned(): void {
  if (requestScope.getStore()?.abandoned) throw new Error("The request was given up");
}

/** Closes all connections. */
export async function disconnectDatabase(): Promise<void> {
  await mongoose.disconnect();
}

/**
 * How often the driver may try a transaction before it begins anew: its pauses grow with each conflict
 * to half a second, and whoever waits so long on a busy tour always finds it claimed.
 */
const ATTEMPTS_IN_A_ROW = 7;
class TooLongPauses extends Error {}

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
    const untilDone = async (): Promise<Result> => {
      while (true) {
        let attempts = 0;
        const attempt = async () => {
          if (++attempts > ATTEMPTS_IN_A_ROW) throw new TooLongPauses();
          refuseAbandoned();
          const result = await work(session);
          refuseAbandoned();
          return result;
        };
        try {
          return await session.withTransaction(attempt, {
            readConcern: { level: "snapshot" },
            writeConcern: { w: "majority", journal: true },
          });
        } catch (error) {
          if (!(error instanceof TooLongPauses)) throw error;
        }
      }
    };
    return await within(timeoutMs, untilDone());
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
