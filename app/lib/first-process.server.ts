import cluster from "node:cluster";
import { createBirpc } from "birpc";
import type { Metrics } from "./metrics.server";

/** What the first process of a site, which is `npm start`, does for the server processes that it has started. */
export interface FirstProcess {
  siteMetrics(): Promise<string>;
  /** As detectLanguages of app/search/language-detector.server.ts. */
  detectLanguages(texts: readonly string[]): Promise<(string | null)[]>;
}

/** What each of these processes does for it. */
export interface ServerProcess {
  processMetrics(withDatabase: boolean): Promise<Metrics[]>;
}

/** How long the other side may take to answer, in milliseconds. Then a call rejects. */
const ANSWER_MS = 5_000;

/**
 * Calls to the first process, and the functions that it may call here, which their rooms add; null in a process that
 * is not one of several, such as that of a command (docs/decisions/006-guard-around-remix-serve.md).
 */
export const firstProcess = cluster.isWorker
  ? createBirpc<FirstProcess, Partial<ServerProcess>>(
      {},
      {
        // Without effect when that process has just ended; this one ends, too, then.
        post: (message: unknown) => process.send?.(message, () => {}),
        on: (take) => process.on("message", take),
        timeout: ANSWER_MS,
      },
    )
  : null;
