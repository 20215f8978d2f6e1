import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TurnGrant, TurnWish } from "~/store/reviews/turns.server";
import { turns } from "../../../scripts/lib/turns";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Three processes, and who of them was given which turn, in order. */
function site() {
  const granted: string[] = [];
  const { add, size } = turns();
  const processes = ["a", "b", "c"].map((name) => {
    const worker = Object.assign(new EventEmitter(), {
      isConnected: () => true,
      send: ({ key, wish }: TurnGrant) => granted.push(`${name} ${key} ${wish}`) > 0,
    });
    add(worker as unknown as Parameters<typeof add>[0]);
    const say = (turn: TurnWish["turn"]) => (key: string, wish: number) =>
      void worker.emit("message", { turn, key, wish } satisfies TurnWish);
    return { worker, take: say("take"), release: say("release") };
  });
  return { granted, size, processes: processes as [Process, Process, Process] };
  type Process = (typeof processes)[number];
}

test("one process after another has a key's turn, first come, first served", () => {
  const { granted, processes, size } = site();
  const [a, b, c] = processes;
  a.take("tour", 1);
  c.take("tour", 1);
  b.take("tour", 1);
  expect(granted).toEqual(["a tour 1"]);
  a.release("tour", 1);
  // At the end of the line.
  a.take("tour", 2);
  expect(granted.slice(1)).toEqual(["c tour 1"]);
  c.release("tour", 1);
  b.release("tour", 1);
  expect(granted.slice(2)).toEqual(["b tour 1", "a tour 2"]);
  a.release("tour", 2);
  expect(size()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test("turns at different keys do not wait for each other", () => {
  const { granted, processes } = site();
  processes[0].take("tour", 1);
  processes[1].take("other", 1);
  expect(granted).toEqual(["a tour 1", "b other 1"]);
});

test("a process that ends gives back its turns, and its places in the lines of others", () => {
  const { granted, processes, size } = site();
  const [a, b, c] = processes;
  a.take("tour", 1);
  b.take("other", 1);
  a.take("other", 2);
  for (const { take } of [b, c]) take("tour", 9);
  a.worker.emit("exit");
  expect(granted).toEqual(["a tour 1", "b other 1", "b tour 9"]);
  b.worker.emit("exit");
  expect(granted.slice(3)).toEqual(["c tour 9"]);
  c.release("tour", 9);
  expect(size()).toBe(0);
});

test("a turn ends after two seconds, and giving it back later takes nobody else's", () => {
  const { granted, processes, size } = site();
  const [a, b, c] = processes;
  for (const { take } of [a, b, c]) take("tour", 1);
  vi.advanceTimersByTime(2_000);
  expect(granted).toEqual(["a tour 1", "b tour 1"]);
  vi.advanceTimersByTime(1_000);
  a.take("tour", 2);
  a.release("tour", 1);
  expect(granted).toHaveLength(2);
  b.release("tour", 1);
  // Each has the whole of its time.
  vi.advanceTimersByTime(1_999);
  expect(granted.slice(2)).toEqual(["c tour 1"]);
  vi.advanceTimersByTime(1);
  expect(granted.slice(3)).toEqual(["a tour 2"]);
  a.release("tour", 2);
  expect(size()).toBe(0);
});

test("other messages of a process are none of its business", () => {
  const { granted, processes, size } = site();
  for (const message of [null, "take", {}, { cmd: "NODE_X" }, { turn: "granted", key: "tour" }])
    processes[0].worker.emit("message", message);
  expect(granted).toEqual([]);
  expect(size()).toBe(0);
});
