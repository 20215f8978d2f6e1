import autocannon from "autocannon";
import { median } from "./measure";

const CONNECTIONS = 8;

/** The longest time for which a slow program is measured, in milliseconds. */
const LONGEST_MS = 8_000;

/** How many requests a second `url` answers with `status`, and with nothing else, over 8 connections. */
export async function throughput(
  url: string,
  { ms, headers = {}, status = 200 }: Asked & { ms: number },
): Promise<number> {
  const load = { url, headers, connections: CONNECTIONS, duration: ms / 1_000, sampleInt: 100 };
  const { requests, duration, errors, statusCodeStats = {} } = await autocannon(load);
  const good = statusCodeStats[`${status}`]?.count ?? 0;
  if (errors > 0 || Object.keys(statusCodeStats).some((code) => code !== String(status)))
    throw new Error(
      `${url}: ${good} of ${requests.total} answers were ${status}, ${errors} failed`,
    );
  // Requests that are unanswered at the end are not counted, so a slow program is measured for longer.
  if (good < CONNECTIONS && ms < LONGEST_MS)
    return throughput(url, { ms: 2 * ms, headers, status });
  return good / duration;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  status?: number;
}

/** Sends one request, without compression; throws for an answer of another status. Measures until its last byte. */
export async function ask(url: string, { status = 200, headers, ...request }: Asked = {}) {
  const began = performance.now();
  const response = await fetch(url, {
    ...request,
    // Without a Cache-Control, fetch asks for no answer from a cache, and Express then never answers 304.
    headers: { "accept-encoding": "identity", "cache-control": "max-age=0", ...headers },
    redirect: "manual",
  });
  const text = await response.text();
  const ms = performance.now() - began;
  if (response.status !== status)
    throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
  return { text, ms, etag: response.headers.get("etag") ?? "" };
}

/** The median of the times that `once` returns, one call after another for about that many milliseconds. */
export async function timeOf(once: () => Promise<{ ms: number }>, ms: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + ms;
  do times.push((await once()).ms);
  while (performance.now() < end);
  return median(times);
}
