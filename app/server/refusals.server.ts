import { IncomingMessage, ServerResponse } from "node:http";

export type Refusal = 400 | 403 | 405 | 413;

/** The API's texts for requests that the guard refuses or cannot handle (docs/rules/requests.md, Errors). */
export const refusalTexts: Record<Refusal | 500, string> = {
  400: "Bad request",
  403: "Forbidden",
  405: "Method not allowed",
  413: "Request body too large",
  500: "The request failed",
};

export function refuseInJson(response: ServerResponse, status: Refusal | 500): void {
  const body = JSON.stringify({ error: refusalTexts[status] });
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
  });
  response.end(body);
}

/** Turns a refused request into one for the page of that error (app/routes/errors.$status.tsx). */
export function toErrorPage(request: IncomingMessage, status: Refusal): IncomingMessage {
  request.method = "GET";
  request.url = `/errors/${status}`;
  return request;
}

/** Makes a request for the page of a 503, without a cookie, so that it asks the database for nothing. */
export function unavailablePage({ socket, headers }: IncomingMessage, path: string) {
  const request = new IncomingMessage(socket);
  request.method = "GET";
  // The scripts of a page ask only for its data.
  request.url = `/errors/503${path.endsWith(".data") ? ".data" : ""}`;
  request.headers = { host: headers.host };
  request.complete = true;
  request.push(null);
  return request;
}

/** Disconnects `response` and returns another one in its place. */
export function replaceResponse(
  request: IncomingMessage,
  response: ServerResponse,
): ServerResponse {
  const { socket } = request;
  response.detachSocket(socket);
  const replacement = new ServerResponse(request);
  replacement.assignSocket(socket);
  // Node waits for the first response before it would read another request of the connection.
  replacement.shouldKeepAlive = false;
  replacement.once("finish", () => socket.end());
  return replacement;
}
