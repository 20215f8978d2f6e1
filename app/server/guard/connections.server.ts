import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a client may read nothing of an answer. */
const SILENCE_MS = 30_000;

/** How many requests of one connection may wait for their turn. */
const MOST_WAITING = 100;

/** How long refused clients may take to read the refusal, and how many at a time. */
const LEAVING_MS = 500;
const MOST_LEAVING = 100;

/** In the form of Node's own answer to a malformed request. */
const NO_ROOM = [
  "HTTP/1.1 503 Service Unavailable",
  "Connection: close",
  "Content-Length: 0",
  "Retry-After: 1",
  "",
  "",
].join("\r\n");

interface Turn {
  request: IncomingMessage;
  response: ServerResponse;
  answer: () => void;
}

/**
 * Limits the connections of `server`: `most` at once, one request of each at a time, and no client that does not read.
 * Returns the function that calls `answer` when the whole previous answer is on its way to the client
 * (docs/decisions/006-guard-around-remix-serve.md).
 */
export function boundConnections(server: Server, most: number) {
  /** Each connection's requests, in their order, the first of them under way; the longest idle first. */
  const open = new Map<Socket, Turn[]>();
  const leaving = new Set<Socket>();

  server.on("connection", (socket: Socket) => {
    if (open.size >= most && !makeRoom()) return refuseSocket(socket);
    open.set(socket, []);
    socket.once("close", () => open.delete(socket));
  });

  // Also called when a connection has been idle for as long as it may be.
  server.setTimeout(SILENCE_MS, (socket) => {
    // The client has taken everything so far. Either the rest is still being made (deadline.server.ts), or the
    // client is still sending, which `requestTimeout` bounds.
    const isWaiting = open.get(socket)?.length && socket.writable && socket.writableLength === 0;
    if (!isWaiting) socket.destroy();
  });

  /** Closes a connection that has sent no whole request, the one that is idle for longest first. */
  function makeRoom(): boolean {
    for (const [socket, [turn]] of open)
      if (!turn?.request.complete) {
        closeSocket(socket);
        return true;
      }
    return false;
  }

  function closeSocket(socket: Socket): void {
    open.delete(socket);
    socket.destroy();
  }

  function refuseSocket(socket: Socket): void {
    const [first] = leaving;
    if (first && leaving.size >= MOST_LEAVING) first.destroy();
    leaving.add(socket);
    // Closed at once, a client that is still sending would lose the answer.
    const end = setTimeout(() => socket.destroy(), LEAVING_MS);
    socket.once("close", () => {
      clearTimeout(end);
      leaving.delete(socket);
    });
    socket.end(NO_ROOM);
  }

  return (request: IncomingMessage, response: ServerResponse, answer: () => void): void => {
    const { socket } = request;
    const turns = open.get(socket);
    if (!turns) return;
    // Node has read them with the first one, up to 64 KiB, and would keep them all.
    if (turns.length > MOST_WAITING) return closeSocket(socket);
    response.once("close", () => {
      turns.shift();
      if (turns.length === 0 && open.delete(socket)) open.set(socket, turns);
      if (turns.length === 1) socket.resume();
      beginTurn(turns);
    });
    turns.push({ request, response, answer });
    if (turns.length === 1) beginTurn(turns);
    // Later, because Node reads on at the end of a request.
    else setImmediate(() => turns.length > 1 && socket.pause());
  };
}

/** Answers the first request, unless the connection ends with the answer before it. */
function beginTurn([turn]: Turn[]): void {
  if (turn?.response.socket?.writable) turn.answer();
}
