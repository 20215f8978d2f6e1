import mongoose from "mongoose";
import { transactionRetries, transactions } from "~/infra/metrics.server";
import { requestScope } from "~/infra/request-scope.server";

/** Of all transactions that change reviews, those of an import included. */
export const LONGEST_TRANSACTION_MS = 120_000;

/** Bounds a transaction with its retries. */
const TRANSACTION_TIMEOUT_MS = 5_000;

/** A failure that was already answered promises that nothing happened. */
export function throwIfAbandoned(): void {
  if (requestScope.getStore()?.abandoned) throw new Error("The request was given up");
}

/**
 * The driver's pauses between retries grow to half a second, and after such a pause a busy tour is always claimed by
 * somebody else: then the transaction is started anew.
 */
const ATTEMPTS_IN_A_ROW = 7;

class TooManyAttempts extends Error {}

/**
 * Retried on write conflicts; durable when it resolves (majority and journal). Rejects after `timeoutMs`, with nothing
 * written unless only the answer to the commit was lost (docs/decisions/001-one-transaction-a-change.md).
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
