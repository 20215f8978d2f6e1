import cluster, { type Worker } from "node:cluster";
import { type BirpcReturn, createBirpc } from "birpc";
import type { FirstProcess, ServerProcess } from "~/lib/first-process.server";
import { log } from "~/lib/log.server";

/** How long a server process may take to answer, in milliseconds. Then a call rejects. */
const ANSWER_MS = 3_000;

const running = new Map<Worker, BirpcReturn<ServerProcess, FirstProcess>>();

/** The server processes of this site, for calls. */
export const serverProcesses = () => [...running.values()];

/** Lets the server processes that are started from now on call these functions. */
export function answerServerProcesses(functions: FirstProcess): void {
  cluster.on("fork", (worker) => {
    const calls = createBirpc<ServerProcess, FirstProcess>(functions, {
      // Without effect when the process has just ended.
      post: (message: unknown) => worker.send(message as object, () => {}),
      on: (take) => worker.on("message", take),
      timeout: ANSWER_MS,
      onFunctionError: (error, name) =>
        log.error({ err: error, name }, "a call of a server process has failed"),
    });
    running.set(worker, calls);
    worker.once("exit", () => {
      running.delete(worker);
      calls.$close();
    });
  });
}
