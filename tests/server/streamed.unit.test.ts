import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { drained, sendParts } from "~/server/guard/streamed.server";

/** A response whose client takes nothing until `take` is called. */
class Response extends EventEmitter {
  written: string[] = [];
  writableNeedDrain = false;
  destroyed = false;
  ended = false;
  write(part: string): void {
    this.written.push(part);
    this.writableNeedDrain = true;
  }
  end(): void {
    this.ended = true;
  }
  async take(): Promise<void> {
    this.writableNeedDrain = false;
    this.emit("drain");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const send = (response: Response, parts: AsyncIterable<string>) =>
  sendParts(response as unknown as ServerResponse, parts);

test("a part is asked for when the client has taken the one before", async () => {
  let asked = 0;
  async function* parts() {
    while (asked < 3) yield `${await Promise.resolve(++asked)}`;
  }
  const response = new Response();
  const sent = send(response, parts());
  await new Promise((resolve) => setImmediate(resolve));
  expect([asked, response.written]).toEqual([1, ["1"]]);
  await response.take();
  expect([asked, response.written]).toEqual([2, ["1", "2"]]);
  await response.take();
  expect(response.ended).toBe(false);
  await response.take();
  await sent;
  expect([response.written, response.ended]).toEqual([["1", "2", "3"], true]);
});

test.each(["goes away while a part is on its way", "is gone when a part is made"])(
  "a client that %s ends the reading",
  async (when) => {
    let ended = false;
    async function* parts() {
      try {
        while (true) yield await Promise.resolve("x");
      } finally {
        ended = true;
      }
    }
    const response = new Response();
    const sent = send(response, parts());
    const failed = expect(sent).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    response.destroyed = true;
    if (when.startsWith("goes")) response.emit("close");
    else await response.take();
    await failed;
    expect([ended, response.ended]).toEqual([true, false]);
  },
);

test("a part that fails ends the sending without an end of the answer", async () => {
  async function* parts() {
    yield await Promise.resolve("x");
    throw new Error("connection lost");
  }
  const response = new Response();
  const failed = expect(send(response, parts())).rejects.toThrow("connection lost");
  await new Promise((resolve) => setImmediate(resolve));
  await response.take();
  await failed;
  expect(response.ended).toBe(false);
});

test("waits for a response that is full, and no longer than its connection", async () => {
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    destroyed: false,
  });
  const wait = () => drained(response as unknown as ServerResponse);
  await wait();
  response.writableNeedDrain = true;
  const drains = wait();
  response.emit("drain");
  await drains;
  const closes = wait();
  response.emit("close");
  await expect(closes).rejects.toThrow();
  expect(response.listenerCount("close") + response.listenerCount("drain")).toBe(0);
  response.destroyed = true;
  await expect(wait()).rejects.toThrow("gone");
});
