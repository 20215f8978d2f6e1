import { isUtf8 } from "node:buffer";
import { IncomingMessage, ServerResponse } from "node:http";

/** Largest request body, in bytes (docs/rules/requests.md, Bodies and ids). */
export const BODY_LIMIT = 64 * 1024;

/** The same for records that a program of the platform sends. */
export const RECORDS_LIMIT = 1024 * 1024;

/** Time in which a refused client may finish sending, before its connection is cut. */
const LINGER_MS = 500;

/**
 * Resolves to "too large" as soon as that is certain, to "aborted" when the client goes away.
 * No route reads from the connection itself, so no client can make one wait or fill the memory.
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer<ArrayBuffer> | "too large" | "aborted"> {
  const length = request.headers["content-length"];
  if (Number(length) > limit) return Promise.resolve("too large");
  if (request.destroyed) return Promise.resolve("aborted");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
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

export const hasBody = ({ headers }: IncomingMessage) =>
  Boolean(Number(headers["content-length"])) || headers["transfer-encoding"] !== undefined;

/** Whether the body is longer than most may send, or does not say how long it is. */
export const mayBeLarge = (request: IncomingMessage) =>
  !(Number(request.headers["content-length"]) <= BODY_LIMIT);

/**
 * Leaves the rest of the request unread. The close comes a moment later, because a client that is still sending to a
 * closed connection loses the answer (RFC 9112, 9.6).
 */
export function closeWithoutReading(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.setHeader("Connection", "close");
  // Node reads the rest after the answer unless somebody has begun to; this begins and stops.
  request.pause();
  request.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Whether a page's action can read the body as a form, which is UTF-8 (docs/rules/requests.md, Bodies and ids). */
export function isForm(type: string, body: Buffer | null): Promise<boolean> {
  const isEscaped = /^application\/x-www-form-urlencoded/i.test(type);
  if (body && !isUtf8(isEscaped ? unescaped(body) : body)) return Promise.resolve(false);
  return new Response(body && new Uint8Array(body), { headers: { "Content-Type": type } })
    .formData()
    .then(
      () => true,
      () => false,
    );
}

const unescaped = (body: Buffer): Buffer =>
  Buffer.from(
    body
      .toString("latin1")
      .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    "latin1",
  );

export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
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
