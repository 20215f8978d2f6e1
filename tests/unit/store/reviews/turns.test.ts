import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TurnGrant, TurnWish } from "~/store/reviews/turns.server";

const site = vi.hoisted(() => ({ isWorker: true, webConcurrency: 2 }));
vi.mock("node:cluster", () => ({ default: site }));
vi.mock("~/infra/env.server", () => ({ env: () => site }));

/** What this process has told the primary. */
let told: TurnWish[];
let channel: EventEmitter;
let inTurn: typeof import("~/store/reviews/turns.server").inTurn;

const grant = (wish: number) =>
  channel.emit("message", { turn: "granted", key: "tour", wish } satisfies TurnGrant);
/** Whether the work has begun, once everything that is due has happened. */
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(async () => {
  vi.useFakeTimers();
  Object.assign(site, { isWorker: true, webConcurrency: 2 });
  told = [];
  channel = new EventEmitter();
  const own = {
    connected: true,
    send: (wish: TurnWish) => told.push(wish) > 0,
    on: channel.on.bind(channel),
    once: channel.once.bind(channel),
  };
  vi.stubGlobal("process", Object.defineProperties(Object.create(process), described(own)));
  vi.resetModules();
  ({ inTurn } = await import("~/store/reviews/turns.server"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const described = (values: object) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { value: value as unknown }]),
  );

test("work waits for its turn, and gives it back when it is done or has failed", async () => {
  const work = vi.fn(() => Promise.resolve(7));
  const result = inTurn("tour", work);
  await settled();
  expect(work).not.toHaveBeenCalled();
  expect(told).toEqual([{ turn: "take", key: "tour", wish: 1 }]);
  grant(1);
  expect(await result).toBe(7);
  expect(told.slice(1)).toEqual([{ turn: "release", key: "tour", wish: 1 }]);

  const failing = inTurn("tour", () => Promise.reject(new Error("no")));
  grant(2);
  await expect(failing).rejects.toThrow("no");
  expect(told.slice(3)).toEqual([{ turn: "release", key: "tour", wish: 2 }]);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ["a site of one process", { webConcurrency: 1 }],
  ["a process that no primary has started", { isWorker: false }],
])("%s sends nothing", async (_, settings) => {
  Object.assign(site, settings);
  expect(await inTurn("tour", () => Promise.resolve(7))).toBe(7);
  expect(told).toEqual([]);
});

test("without an answer it goes on, and asks no more until there is one", async () => {
  const work = vi.fn(() => Promise.resolve(7));
  const late = inTurn("tour", work);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await late).toBe(7);
  expect(await inTurn("tour", work)).toBe(7);
  expect(told).toEqual([{ turn: "take", key: "tour", wish: 1 }]);

  // The turn that comes too late is given back.
  grant(1);
  expect(told.slice(1)).toEqual([{ turn: "release", key: "tour", wish: 1 }]);
  const next = inTurn("tour", work);
  expect(told.slice(2)).toEqual([{ turn: "take", key: "tour", wish: 2 }]);
  grant(2);
  expect(await next).toBe(7);
});

test("whoever waits when the primary ends goes on at once", async () => {
  const result = inTurn("tour", () => Promise.resolve(7));
  await settled();
  channel.emit("disconnect");
  expect(await result).toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});
