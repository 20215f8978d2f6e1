/** Work in the background of a server process. */
export interface Job {
  start(): void;
  /** Works soon, not only at the next turn. */
  wake(): unknown;
  /** Resolves when work under way is over. */
  stop(): Promise<void>;
}

/**
 * A job of each server process, which `make` makes when the server starts (app/server/jobs.server.ts); null where the
 * settings do not want it. Until then, as in a command, waking it does nothing.
 */
export function processJob(make: () => Job | null): Job {
  let job: Job | null = null;
  return {
    start() {
      job = make();
      job?.start();
    },
    wake: () => void job?.wake(),
    async stop() {
      await job?.stop();
    },
  };
}
