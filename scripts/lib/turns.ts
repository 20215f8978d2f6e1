import type { Worker } from "node:cluster";
import type { TurnGrant, TurnWish } from "../../app/store/reviews/turns.server";

/** How long a turn lasts at most while others wait, in milliseconds: longer than any ordinary transaction. */
const TURN_MS = 2_000;

type Process = Pick<Worker, "on" | "send" | "isConnected">;

interface Place {
  worker: Process;
  wish: number;
  timer?: NodeJS.Timeout;
}

/**
 * The turns of server processes by key, first come, first served. Returns what adds a process. An entry is
 * there only while somebody has the turn or waits for it, and each process waits once for a key.
 */
export function turns(): { add(worker: Process): void; size(): number } {
  /** Who wants each key, in order; the first one has the turn. */
  const lines = new Map<string, Place[]>();

  const begin = (key: string, [place]: Place[]) => {
    if (!place) return lines.delete(key);
    const { worker, wish } = place;
    place.timer = setTimeout(leave, TURN_MS, key, worker, wish).unref();
    const grant: TurnGrant = { turn: "granted", key, wish };
    // Its end takes its places away.
    if (worker.isConnected()) worker.send(grant, () => {});
  };
  const leave = (key: string, worker: Process, wish?: number) => {
    const line = lines.get(key) ?? [];
    const index = line.findIndex(
      (place) => place.worker === worker && (wish === undefined || place.wish === wish),
    );
    if (index < 0) return;
    const [place] = line.splice(index, 1);
    clearTimeout(place!.timer);
    if (index === 0) begin(key, line);
  };
  return {
    add(worker) {
      worker.on("message", (message: Partial<TurnWish> | null) => {
        const { turn, key, wish } = (message ?? {}) as TurnWish;
        if (turn === "release") leave(key, worker, wish);
        if (turn !== "take") return;
        const line = lines.get(key) ?? [];
        line.push({ worker, wish });
        lines.set(key, line);
        if (line.length === 1) begin(key, line);
      });
      worker.on("exit", () => {
        for (const key of [...lines.keys()]) leave(key, worker);
      });
    },
    size: () => lines.size,
  };
}
