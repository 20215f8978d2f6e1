import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { log } from "../infra/log.server";
import { requestScope } from "../infra/request-scope.server";

/**
 * A JSON response whose parts are asked for one after the other, each when the client has taken the one
 * before, so that a slow client costs no memory. A failure on the way cuts the connection: the status
 * has been sent.
 */
export function streamedJson(parts: AsyncIterable<string>, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  // A compressor on the way would take parts faster than the client.
  headers.append("Cache-Control", "no-transform");
  return new Response(toStream(parts), { ...init, headers });
}

function toStream(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const { drained } = requestScope.getStore() ?? {};
  const iterator = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const end = () => void iterator.return?.().catch(() => {});
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        await drained?.();
      } catch (error) {
        end();
        return controller.error(error);
      }
      try {
        const next = await iterator.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        log.error({ err: error }, "an answer in parts was cut off");
        controller.error(error);
      }
    },
    cancel: end,
  };
  // Nothing is made ahead of its time.
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Resolves when the client has taken what was written so far; rejects when it is gone. */
export async function drained(response: ServerResponse): Promise<void> {
  const gone = () => {
    if (response.destroyed) throw new Error("The client is gone");
  };
  gone();
  if (response.writableNeedDrain) {
    const closed = new AbortController();
    const onClose = () => closed.abort();
    response.once("close", onClose);
    await once(response, "drain", { signal: closed.signal }).finally(() =>
      response.off("close", onClose),
    );
  }
  gone();
}
