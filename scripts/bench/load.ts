import http from "node:http";
import autocannon from "autocannon";

/** How many connections are used to measure a throughput. */
const CONNECTIONS = 8;

/** The longest time for which a slow program is measured, in milliseconds. */
const LONGEST_MS = 8_000;

/**
 * How many requests per second `url` answers with `status`, measured for that many milliseconds. Throws for any other
 * answer.
 */
export async function throughput(
  urls: string | string[],
  {
    ms,
    headers = {},
    status = 200,
  }: { ms: number; headers?: Record<string, string>; status?: number },
): Promise<number> {
  const all = [urls].flat();
  const results = await Promise.all(
    all.map((url) =>
      // Keeps its connections open, and asks for no compression.
      autocannon({
        url,
        headers,
        connections: Math.ceil(CONNECTIONS / all.length),
        duration: ms / 1_000,
        sampleInt: 100,
      }),
    ),
  );
  // Requests that are unanswered at the end are not counted, so a slow program is measured for longer.
  if (ms < LONGEST_MS && results.some(({ requests }) => requests.total < CONNECTIONS))
    return throughput(urls, { ms: 2 * ms, headers, status });
  return results.reduce((sum, result) => {
    const counts = Object.entries(result.statusCodeStats ?? {});
    const count = (some: typeof counts) => some.reduce((all, [, { count = 0 }]) => all + count, 0);
    const good = count(counts.filter(([code]) => code === String(status)));
    const answered = count(counts);
    if (good === 0 || good !== answered || result.errors > 0)
      throw new Error(
        `${all[0]}: ${good} of ${answered} answers were ${status}, ${result.errors} errors`,
      );
    return sum + good / result.duration;
  }, 0);
}

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** The time from the request to the last byte of its answer, in milliseconds. */
  ms: number;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });

/** One request over a connection that stays open. */
export function ask(url: string, { method = "GET", headers, body }: Asked = {}): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const request = http.request(
      url,
      {
        ...{ method, agent },
        headers: {
          ...headers,
          ...(text !== undefined && {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(text),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks),
            ms: performance.now() - began,
          }),
        );
      },
    );
    request.on("error", (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection while this request was being sent over it.
      if (request.reusedSocket && error.code === "ECONNRESET")
        ask(url, { method, headers, body }).then(resolve, reject);
      else reject(error);
    });
    request.end(text);
  });
}

/** Sends one request whose answer must have that status; any other answer ends the run. */
export async function asked(url: string, options: Asked = {}, status = 200): Promise<Reply> {
  const reply = await ask(url, options);
  if (reply.status !== status)
    throw new Error(
      `${options.method ?? "GET"} ${url}: ${reply.status} ${reply.body.toString().slice(0, 300)}`,
    );
  return reply;
}

/**
 * Repeats `once`, which returns its time in milliseconds, one call after another for about that many milliseconds.
 */
export async function timesOf(
  once: (index: number) => Promise<number>,
  { ms, most = Infinity }: { ms: number; most?: number },
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ms;
  do times.push(await once(times.length));
  while (performance.now() < end && times.length < most);
  return times;
}
