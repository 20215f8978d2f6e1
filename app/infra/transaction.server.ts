import mongoose from "mongoose";
import { transactionRetries, transactions } from "./metrics.server";
import { requestScope } from "./request-scope.server";

/** How long a transaction may take, its retries included, in milliseconds. */
const TRANSACTION_TIMEOUT_MS = 5_000;

/** Throws when this request was already answered with a failure, which promises that nothing happened. */
export function throwIfAbandoned(): void {
  if (requestScope.getStore()?.abandoned) throw new Error("The request was given up");
}

/**
 * How often the driver may retry a transaction before it is started anew: the driver's pauses grow with
 * each conflict to half a second, and after such a pause a busy tour is always claimed by somebody else.
 */
const ATTEMPTS_IN_A_ROW = 7;

class TooManyAttempts extends Error {}

/**
 * Runs `work` in one transaction, retried by the driver on write conflicts, and returns its result; what
 * it wrote is durable then (majority and journal). Rejects after `timeoutMs` milliseconds, with nothing
 * written unless only the answer to the commit was lost. See docs/decisions/001-one-transaction-a-change.md.
 */
export async function inTransaction<Result>(
  work: (session: mongoose.ClientSession) => Promise<Result>,
  { timeoutMs = TRANSACTION_TIMEOUT_MS } = {},
): Promise<Result> {
  const session = await mongoose.connection.startSession();
  let began = 0;
  let result = "aborted";
  try {
    const retryUntilDone = async (): Promise<Result> => {
      while (true) {
        let attempts = 0;
        const attempt = async () => {
          if (++attempts > ATTEMPTS_IN_A_ROW) throw new TooManyAttempts();
          if (began++ > 0) transactionRetries.inc();
          throwIfAbandoned();
          const worked = await work(session);
          throwIfAbandoned();
          return worked;
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
    const done = await withTimeout(timeoutMs, retryUntilDone());
    result = "committed";
    return done;
  } finally {
    transactions.inc({ result });
    // Aborts what is still open, and ends the driver's retries, which would go on for two minutes.
    await session.endSession();
  }
}

/** Resolves as `promise` does, or rejects after `ms` milliseconds. */
export async function withTimeout<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
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
