import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedMail {
  from: { email: string; name?: string };
  subject: string;
  personalizations: { to: { email: string }[] }[];
  content: { type: string; value: string }[];
  headers?: Record<string, string>;
  tracking_settings?: Record<string, { enable: boolean }>;
}

export interface Attempt {
  path: string | undefined;
  authorization: string | undefined;
  mail: ReceivedMail;
}

type Behaviour = number | "hang" | "reset";

/** A stand-in for SendGrid's `POST /v3/mail/send` on this machine. */
export interface SendGridStandIn {
  url: string;
  attempts: Attempt[];
  /** The mails that it accepted. */
  mails: ReceivedMail[];
  /** How it answers the nth attempt, counted from 1; at first it accepts everything. */
  answer: (nth: number) => Behaviour;
  /** The time to try again that it answers with, if any. */
  retryAfter: string | undefined;
  /** Closes its connections: an attempt that hangs then fails. */
  drop: () => void;
  close: () => void;
}

export async function startSendGrid(): Promise<SendGridStandIn> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const mail = JSON.parse(body) as ReceivedMail;
      standIn.attempts.push({
        path: request.url,
        authorization: request.headers.authorization,
        mail,
      });
      const behaviour = standIn.answer(standIn.attempts.length);
      if (behaviour === "hang") return;
      if (behaviour === "reset") return request.socket.destroy();
      if (behaviour < 300) standIn.mails.push(mail);
      response.writeHead(behaviour, {
        "content-type": "application/json",
        ...(standIn.retryAfter && { "retry-after": standIn.retryAfter }),
      });
      response.end(behaviour < 300 ? "" : '{"errors":[{"message":"the stand-in says no"}]}');
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const standIn: SendGridStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attempts: [],
    mails: [],
    answer: () => 202,
    retryAfter: undefined,
    drop: () => server.closeAllConnections(),
    close() {
      standIn.drop();
      server.close();
    },
  };
  return standIn;
}
