import mongoose from "mongoose";
import { BusyError, UncertainError } from "~/lib/errors.server";
import { isAborted, requestScope, type RequestScope } from "~/lib/request-scope.server";
import { transactionRetries, transactions } from "./database-metrics.server";

/** Longest duration of a transaction that changes reviews, those of an import included. */
export const LONGEST_TRANSACTION_MS = 120_000;

/**
 * The budget of a request, from its beginning, and of work outside of requests: its turns in queues, its transactions
 * and their retries. The commit comes after it.
 */
export const CHANGES_MS = 25_000;

/** Extra time for a commit that began just before the deadline. */
const COMMIT_MS = 5_000;

/**
 * The driver's pauses between retries grow to half a second, and after such a pause a busy tour is always claimed by
 * somebody else: then the transaction is started anew.
 */
const ATTEMPTS_IN_A_ROW = 7;

class TooManyAttempts extends Error {}

export const timeLeft = (request: RequestScope | undefined): number =>
  request?.changesUntil === undefined ? CHANGES_MS : request.changesUntil - performance.now();

interface Options {
  timeoutMs?: number;
  /** The requests whose changes the transaction has: the present one, unless several share it. */
  requests?: readonly RequestScope[];
}

/**
 * Retried on write conflicts; durable when it resolves (majority and journal). Throws what `work` throws, `BusyError`
 * when the time is over, or a request was given up, before the commit, and `UncertainError` when nobody knows whether
 * it was committed (docs/decisions/001-one-transaction-a-change.md); in all other cases nothing is stored.
 */
export async function inTransaction<Result>(
  work: (session: mongoose.ClientSession) => Promise<Result>,
  { requests = presentRequest(), timeoutMs = timeLeft(requests[0]) }: Options = {},
): Promise<Result> {
  const session = await mongoose.connection.startSession();
  let began = 0;
  let isLate = false;
  let isCommitting = false;
  const before = requests.map(({ mayBeStored }) => mayBeStored);
  let result = "aborted";
  const setCommitting = (is: boolean) => {
    isCommitting = is;
    for (const [n, request] of requests.entries()) request.mayBeStored = is || before[n];
  };
  const throwIfGivenUp = () => {
    if (isLate) throw new BusyError();
    // A failure that was already answered promises that nothing happened.
    if (requests.some(isAborted))
      throw new BusyError({ cause: new Error("The request was given up") });
  };
  const retryUntilDone = async (): Promise<Result> => {
    while (true) {
      let attempts = 0;
      const attemptTransaction = async () => {
        setCommitting(false);
        if (++attempts > ATTEMPTS_IN_A_ROW) throw new TooManyAttempts();
        if (began++ > 0) transactionRetries.inc();
        throwIfGivenUp();
        const worked = await work(session);
        throwIfGivenUp();
        // Set in the same tick as the check before it.
        setCommitting(true);
        return worked;
      };
      try {
        return await session.withTransaction(attemptTransaction, {
          readConcern: { level: "snapshot" },
          writeConcern: { w: "majority", journal: true },
        });
      } catch (error) {
        if (!(error instanceof TooManyAttempts)) throw error;
      }
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => {
      isLate = true;
      const cause = new Error(`The database took longer than ${Math.round(timeoutMs)} ms`);
      if (isCommitting) timer = setTimeout(() => reject(cause), COMMIT_MS);
      else reject(new BusyError({ cause }));
    };
    timer = setTimeout(giveUp, Math.max(0, timeoutMs));
  });
  try {
    const done = await Promise.race([retryUntilDone(), late]);
    result = "committed";
    return done;
  } catch (error) {
    throw isCommitting ? new UncertainError({ cause: error }) : error;
  } finally {
    clearTimeout(timer);
    transactions.inc({ result });
    // Aborts what is still open, and ends the driver's retries, which would go on for two minutes.
    await session.endSession();
  }
}

function presentRequest(): RequestScope[] {
  const request = requestScope.getStore();
  return request ? [request] : [];
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
