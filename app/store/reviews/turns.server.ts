import cluster from "node:cluster";
import { env } from "../../infra/env.server";

/** How long a process waits for its turn before it goes on without, in milliseconds. */
const WAIT_MS = 2_000;

/** What a server process sends the primary, and gets back when its turn begins: the number of its wish. */
export type TurnWish = { turn: "take" | "release"; key: string; wish: number };
export type TurnGrant = { turn: "granted"; key: string; wish: number };

/** The wishes that still wait here. */
const waiting = new Map<number, () => void>();

let wishes = 0;
let listens = false;
/** Whether the primary owes an answer that nobody waited for any longer: until it comes, none is asked for. */
let isLate = false;

/**
 * Runs `work` while no other process of this site does so with that key, as far as the primary can say
 * (docs/decisions/019-server-processes.md). A help against conflicts, and no lock: a turn ends after a bound,
 * and without an answer of the primary `work` runs all the same.
 */
export async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  if (!cluster.isWorker || env().webConcurrency === 1 || isLate || !process.connected)
    return work();
  listen();
  const wish = ++wishes;
  const granted = await wait(key, wish);
  try {
    return await work();
  } finally {
    if (granted) send({ turn: "release", key, wish });
  }
}

/** Resolves when the turn has come, or with false when it does not in time. */
function wait(key: string, wish: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (granted: boolean) => {
      clearTimeout(timer);
      waiting.delete(wish);
      resolve(granted);
    };
    const timer = setTimeout(() => {
      isLate = true;
      end(false);
    }, WAIT_MS);
    waiting.set(wish, () => end(true));
    send({ turn: "take", key, wish });
  });
}

function listen(): void {
  if (listens) return;
  listens = true;
  process.on("message", (message: Partial<TurnGrant> | null) => {
    if (message?.turn !== "granted") return;
    const { key, wish } = message as TurnGrant;
    const begin = waiting.get(wish);
    if (begin) return begin();
    isLate = false;
    send({ turn: "release", key, wish });
  });
  // Whoever waits then goes on: there is nobody left to wait for.
  process.once("disconnect", () => waiting.forEach((begin) => begin()));
}

// With a callback, because otherwise a channel that has just closed would be an uncaught error.
const send = (message: TurnWish) =>
  void (process.connected && process.send!(message, undefined, undefined, () => {}));
