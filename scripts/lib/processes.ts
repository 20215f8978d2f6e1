import cluster, { type Worker } from "node:cluster";
import { createRequire } from "node:module";
import { log } from "../../app/infra/log.server";

/** A process that lived so long before its end is replaced at once, in milliseconds. */
const SETTLED_MS = 60_000;

/** How long the place of a process that fails again and again stays empty at most, in milliseconds. */
const LONGEST_PAUSE_MS = 30_000;

/** How long processes may take to end, in milliseconds: longer than they take by themselves when they can. */
const END_MS = 7_000;

/** What serves the site. */
export interface Server {
  /** Resolves with the exit code of the command when all of it has ended. */
  ended: Promise<number>;
  /** Is called once the site answers. */
  answers(): void;
  /** Ends it in order. */
  stop(): void;
}

/**
 * Serves the build whose server is that file by `count` processes of remix-serve behind one port (docs/decisions/019-server-processes.md).
 * The first one builds what an earlier version has left to do, the others follow once it answers. If it ends
 * before, so does all; after that a process that ends is replaced.
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
    // remix-serve's own access log on standard output shows whole addresses; ours, on standard error, does not.
    // By the channel the app learns of this process's end, however it came (app/http/remix-serve.server.ts).
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
    // It could not be started.
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
 * Closes the connections that were on their way to `worker` when it ended. Node forgets them, open, and their
 * clients would wait for ever.
 */
function closeWhatIsHandedOver(worker: Worker): void {
  // One for each address at most: the next one is sent when the worker has taken this.
  const handedOver = new Map<unknown, { close(): void }>();
  const send = worker.process.send.bind(worker.process) as (...args: unknown[]) => boolean;
  const remember = (message: { key?: unknown }, handle?: { close(): void }, ...rest: unknown[]) => {
    // It may also be the function to call when a message is sent.
    if (handle && "close" in handle) handedOver.set(message.key, handle);
    return send(message, handle, ...rest);
  };
  Object.assign(worker.process, { send: remember });
  // Does nothing to those that the worker has taken: they are closed here since.
  worker.once("exit", () => handedOver.forEach((handle) => handle.close()));
}

/** How long to wait before a process is replaced that is the latest of so many that failed early, in milliseconds. */
export const pauseAfter = (failures: number) =>
  failures === 0 ? 0 : Math.min(2 ** (failures - 1) * 1_000, LONGEST_PAUSE_MS);
