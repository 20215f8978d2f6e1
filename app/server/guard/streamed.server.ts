import { once } from "node:events";
import type { ServerResponse } from "node:http";

/**
 * Each part is made only when the client has taken the previous one, so that a slow client costs no memory. Rejects
 * when one fails or the client goes away.
 */
export async function sendParts(
  response: ServerResponse,
  parts: AsyncIterable<string>,
): Promise<void> {
  for await (const part of parts) {
    response.write(part);
    await drained(response);
  }
  response.end();
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
