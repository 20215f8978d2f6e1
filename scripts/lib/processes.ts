import cluster, { type Worker } from "node:cluster";
import { createRequire } from "node:module";
import { MINUTE_MS } from "~/lib/durations";
import { log } from "~/lib/log.server";

/** A process that has lived for this long before its end is replaced at once, in milliseconds. */
const SETTLED_MS = MINUTE_MS;

/** How long the place of a process that fails again and again stays empty at most, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000;

/** How long processes may take to end, in milliseconds: longer than they need unless they hang. */
const END_MS = 7_000;

/** The processes that serve the site. */
export interface Server {
  /** Resolves with the command's exit code when all processes have ended. */
  ended: Promise<number>;
  /** Is called once the site answers. */
  answers(): void;
  /** Ends the site in order. */
  stop(): void;
}

/**
 * Serves the build with that server file by `count` processes of remix-serve behind one port
 * (docs/decisions/006-guard-around-remix-serve.md). The first process builds whatever an earlier version has not built;
 * the others start once it answers. If it ends before that, everything ends; after that, one that ends is replaced.
 */
export function serveByProcesses(
  serverBuild: string,
  count: number,
  environment: NodeJS.ProcessEnv,
): Server {
  cluster.setupPrimary({
    exec: createRequire(import.meta.url).resolve("@remix-run/serve/dist/cli.js"),
    args: [serverBuild],
    execArgv: [],
    // Errors, too, arrive whole.
    serialization: "advanced",
    // remix-serve's own access log on standard output shows whole addresses; ours, on standard error, does not.
    // The channel tells the app when this process has ended, in whatever way (app/server/guard/remix-serve.server.ts).
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const running = new Set<Worker>();
  let isComplete = false;
  let stopping = false;
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => (end = resolve));

  const run = (failures: number) => {
    const began = performance.now();
    const worker = cluster.fork({
      ...environment,
      NODE_ENV: "production",
      WEB_CONCURRENCY: String(count),
    });
    running.add(worker);
    closeWhatIsHandedOver(worker);
    const replace = (code: number | null, signal?: string) => {
      if (!running.delete(worker)) return;
      if (stopping || !isComplete) {
        if (running.size === 0) end(stopping ? 0 : (code ?? 1));
        return;
      }
      const settled = performance.now() - began > SETTLED_MS;
      const pause = settled ? 0 : pauseAfter(failures);
      log.error(
        { ended: worker.process.pid, code, signal, pause },
        "a server process has ended, another one takes its place",
      );
      setTimeout(() => {
        if (!stopping) run(settled ? 0 : failures + 1);
      }, pause);
    };
    worker.once("exit", replace);
    // The process could not be started.
    worker.once("error", () => replace(null));
  };
  run(0);

  return {
    ended,
    answers() {
      if (stopping || running.size === 0) return;
      isComplete = true;
      while (running.size < count) run(0);
    },
    stop() {
      stopping = true;
      if (running.size === 0) end(0);
      const signal = (name: NodeJS.Signals) => running.forEach(({ process }) => process.kill(name));
      signal("SIGTERM");
      setTimeout(signal, END_MS, "SIGKILL").unref();
    },
  };
}

/**
 * Closes the connections that were being handed to `worker` when it ended. Node forgets them without closing them,
 * and their clients would wait forever.
 */
function closeWhatIsHandedOver(worker: Worker): void {
  // At most one for each address: the next one is sent after the worker has taken this one.
  const handedOver = new Map<unknown, { close(): void }>();
  const send = worker.process.send.bind(worker.process) as (...args: unknown[]) => boolean;
  const remember = (message: { key?: unknown }, handle?: { close(): void }, ...rest: unknown[]) => {
    // This argument may also be the callback for a sent message.
    if (handle && "close" in handle) handedOver.set(message.key, handle);
    return send(message, handle, ...rest);
  };
  Object.assign(worker.process, { send: remember });
  // Has no effect on connections that the worker has taken: they are closed in this process already.
  worker.once("exit", () => handedOver.forEach((handle) => handle.close()));
}

/**
 * How long to wait before a process is replaced, after that many processes in a row have failed early, in
 * milliseconds.
 */
export const pauseAfter = (failures: number) =>
  failures === 0 ? 0 : Math.min(2 ** (failures - 1) * 1_000, LONGEST_PAUSE_MS);
