import mongoose from "mongoose";
import { requestScope } from "./request-scope.server";

/** How long a transaction may take, its retries included, in milliseconds. */
const TRANSACTION_TIMEOUT_MS = 5_000;

/** Throws when the present request was told already that nothing happened. */
function throwIfAbandoned(): void {
  if (requestScope.getStore()?.abandoned) throw new Error("The request was given up");
}

/**
 * How often the driver may try a transaction before it begins anew: its pauses grow with each conflict
 * to half a second, and whoever waits so long on a busy tour always finds it claimed.
 */
const ATTEMPTS_IN_A_ROW = 7;

class TooManyAttempts extends Error {}

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
    const retryUntilDone = async (): Promise<Result> => {
      while (true) {
        let attempts = 0;
        const attempt = async () => {
          if (++attempts > ATTEMPTS_IN_A_ROW) throw new TooManyAttempts();
          throwIfAbandoned();
          const result = await work(session);
          throwIfAbandoned();
          return result;
        };
        try {
          return await session.withTransaction(attempt, {
            readConcern: { level: "snapshot" },
            writeConcern: { w: "majority", journal: true },
          });
        } catch (error) {
          if (!(error instanceof TooManyAttempts)) throw error;
        }
      }
    };
    return await within(timeoutMs, retryUntilDone());
  } finally {
    // Aborts what is still open, and ends the driver's retries: by themselves they go on for two minutes.
    await session.endSession();
  }
}

/** What `promise` gives, or a rejection after `ms` milliseconds. */
export async function within<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
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
