import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { drained, streamedJson } from "~/http/streamed.server";
import { requestScope, type RequestScope } from "~/infra/request-scope.server";

/** What a route would answer, in a request whose client takes it as `drained` says. */
function answerTo(drained: () => Promise<void>, parts: AsyncIterable<string>): Response {
  const scope: RequestScope = { requestId: "1", clientAddress: "192.0.2.1", drained };
  return requestScope.run(scope, () => streamedJson(parts, {}));
}

test("a part is asked for when the client has taken the one before", async () => {
  let asked = 0;
  async function* parts() {
    while (asked < 100) yield `${await Promise.resolve(++asked)}`;
  }
  const waiting: (() => void)[] = [];
  const slow = () => new Promise<void>((resolve) => waiting.push(resolve));
  const reader = answerTo(slow, parts()).body!.getReader();
  const first = reader.read();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(0);
  waiting.shift()!();
  expect(new TextDecoder().decode((await first).value)).toBe("1");
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(1);
});

test("a client that is gone ends the reading", async () => {
  let ended = false;
  async function* parts() {
    try {
      while (true) yield await Promise.resolve("x");
    } finally {
      ended = true;
    }
  }
  let calls = 0;
  const gone = () => (++calls > 2 ? Promise.reject(new Error("gone")) : Promise.resolve());
  const reader = answerTo(gone, parts()).body!.getReader();
  await expect(
    (async () => {
      while (!(await reader.read()).done);
    })(),
  ).rejects.toThrow("gone");
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(true);
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
