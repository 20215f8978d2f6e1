import { IncomingMessage, ServerResponse } from "node:http";

/** Largest request body, in bytes (contract: 64 KiB on any route). */
export const BODY_LIMIT = 64 * 1024;

/** How long a client that was refused may go on sending before its connection is cut, in milliseconds. */
const LINGER_MS = 500;

/**
 * The whole body, null when there is none, or "too large" as soon as that is certain. Small bodies
 * are read here completely, so that no route can be made to wait or to fill the memory.
 */
export function readBody(
  request: IncomingMessage,
): Promise<Buffer<ArrayBuffer> | null | "too large" | "aborted"> {
  const length = request.headers["content-length"];
  if (Number(length) > BODY_LIMIT) return Promise.resolve("too large");
  if (!Number(length) && request.headers["transfer-encoding"] === undefined)
    return Promise.resolve(null);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > BODY_LIMIT) {
        request.removeAllListeners("data");
        request.pause();
        resolve("too large");
      } else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("close", () => resolve("aborted"));
    request.once("error", () => resolve("aborted"));
  });
}

/**
 * Has the connection closed after the answer, with the rest of the request unread, and only a
 * moment later: what a client goes on sending to a closed connection would cost it the answer
 * (RFC 9112, 9.6).
 */
export function closeWithoutReading(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.setHeader("Connection", "close");
  // Node reads on after the answer unless somebody has begun to; nobody goes on.
  request.pause();
  request.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether a page's action can read the body: pages are sent forms and nothing else. */
export function isForm(type: string, body: Buffer | null): Promise<boolean> {
  return new Response(body && new Uint8Array(body), { headers: { "Content-Type": type } })
    .formData()
    .then(
      () => true,
      () => false,
    );
}

/** The same request with its body still to be read. */
export function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket);
  copy.method = request.method;
  copy.url = request.url;
  copy.httpVersion = request.httpVersion;
  copy.httpVersionMajor = request.httpVersionMajor;
  copy.httpVersionMinor = request.httpVersionMinor;
  copy.headers = request.headers;
  copy.rawHeaders = request.rawHeaders;
  copy.complete = true;
  copy.push(body);
  copy.push(null);
  return copy;
}
