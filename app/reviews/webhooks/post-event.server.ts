import { createHmac } from "node:crypto";
import http from "node:http";
import https from "node:https";
import type { ChangeDocument } from "#models/change";
import { HOUR_MS } from "~/lib/durations";
import { retryAfterMs } from "~/lib/retries.server";
import { toPublicChange } from "../record-changes.server";

const LONGEST_WAIT_MS = HOUR_MS;

/** So much of an answer is read, for the connection to stay open; what it says does not matter. */
const LONGEST_ANSWER = 16 * 1024;

/** An attempt that failed. Its message names no address. */
export class WebhookError extends Error {
  constructor(
    message: string,
    readonly isGone = false,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

interface Options {
  /** One signature for each. */
  secrets: readonly Buffer[];
  timeoutMs: number;
  stopped: AbortSignal;
}

/**
 * Posts an entry of the log to an address, in the form and with the headers of Standard Webhooks
 * (docs/rules/webhooks.md). Resolves when the answer is 2xx; rejects with `WebhookError` otherwise.
 */
export async function postEvent(
  url: string,
  entry: ChangeDocument,
  { secrets, timeoutMs, stopped }: Options,
): Promise<void> {
  const id = entry._id.toString();
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const body = eventBody(entry);
  const signatures = secrets.map((key) => {
    const hash = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return `v1,${hash.digest("base64")}`;
  });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "user-agent": "Tour-Reviews",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
  const answer = await sendEvent(url, headers, body, { timeoutMs, stopped }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      const isLate = code === "ABORT_ERR";
      throw new WebhookError(
        isLate ? `no answer within ${timeoutMs / 1_000} s` : (code ?? "no answer"),
      );
    },
  );
  const { statusCode: status = 0 } = answer;
  if (status >= 200 && status < 300) return;
  const wait = retryAfterMs(answer.headers["retry-after"] ?? "", LONGEST_WAIT_MS);
  throw new WebhookError(`answered ${status}`, status === 410, wait);
}

function eventBody(entry: ChangeDocument): string {
  const { type, time, previous, ...data } = toPublicChange(entry);
  const of = entry.ratings ? "ratings" : "review";
  return JSON.stringify({ type: `${of}.${type}`, timestamp: time, data });
}

/** Not by `fetch`, which follows redirects or reads whole answers, and which Remix may have replaced. */
function sendEvent(
  url: string,
  headers: http.OutgoingHttpHeaders,
  body: string,
  { timeoutMs, stopped }: Pick<Options, "timeoutMs" | "stopped">,
): Promise<http.IncomingMessage> {
  const { request } = url.startsWith("https:") ? https : http;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request(url, { method: "POST", headers, signal }, (answer) => {
      resolve(answer);
      let length = 0;
      answer
        .on("data", (part: Buffer) => {
          length += part.length;
          if (length > LONGEST_ANSWER) answer.destroy();
        })
        .on("error", () => {});
    });
    // No AbortSignal.any, which would leave something with a signal that lives as long as the process.
    const end = () => sent.destroy();
    stopped.addEventListener("abort", end);
    sent.on("close", () => stopped.removeEventListener("abort", end)).on("error", reject);
    if (stopped.aborted) end();
    else sent.end(body);
  });
}
