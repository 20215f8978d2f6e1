import { connect, type Socket } from "node:net";
import type { App } from "./app";

// HTTP written by hand, for what fetch refuses to send.

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
  ms: number;
}

/** Opens a connection, writes the parts, and returns it with the first answer. */
export function speak(
  server: Pick<App, "url">,
  ...parts: (string | Buffer)[]
): { socket: Socket; answer: Promise<RawAnswer> } {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), "localhost");
  const started = Date.now();
  for (const part of parts) socket.write(part);
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    let text = "";
    const settle = (ended: boolean) => {
      text = text.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, "");
      const [, status, fields, body] =
        /^HTTP\/1\.1 (\d+)[^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(text) ?? [];
      if (status === undefined) return ended && reject(new Error(`No answer, but: ${text}`));
      const headers = new Headers(
        fields!.split("\r\n").map((line) => line.split(/: ?(.*)/).slice(0, 2) as [string, string]),
      );
      const length = headers.get("content-length");
      const complete =
        length === null ? body!.endsWith("0\r\n\r\n") : body!.length >= Number(length);
      if (ended || complete)
        resolve({ status: Number(status), headers, body: body!, ms: Date.now() - started });
    };
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      settle(false);
    });
    socket.on("close", () => settle(true));
    socket.on("error", () => {});
  });
  answer.catch(() => {});
  return { socket, answer };
}

export async function exchange(server: Pick<App, "url">, ...parts: (string | Buffer)[]) {
  const { socket, answer } = speak(server, ...parts);
  try {
    return await answer;
  } finally {
    socket.destroy();
  }
}

/** A request's first line and fields. */
export const head = (method: string, target: string, ...fields: string[]) =>
  [`${method} ${target} HTTP/1.1`, "Host: localhost", ...fields, "", ""].join("\r\n");
const CRLF = Buffer.from("\r\n");
export const chunk = (size: number) =>
  Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), Buffer.alloc(size, "x"), CRLF]);
