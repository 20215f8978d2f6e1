import autocannon from "autocannon";

/** Programs, or things that the app does, measured in turn. The first is compared with each of the others. */
export interface Row {
  what: string;
  /** Of "a second" more is better, of "ms" less. */
  unit: "a second" | "ms";
  /** Each call makes one measurement. No name may be a number, which would come first. */
  programs: Record<string, () => Promise<number>>;
  bounds: number[];
}

/** A row whose bounds are those of the ratios, in the order of the other programs; the last ones may have none. */
export const inMs = (what: string, programs: Row["programs"], ...bounds: number[]): Row => ({
  what,
  unit: "ms",
  programs,
  bounds,
});

export const aSecond = (...row: Parameters<typeof inMs>): Row => ({
  ...inMs(...row),
  unit: "a second",
});

export interface Result extends Row {
  /** Each program's values, one a round. */
  values: number[][];
}

/** How many requests a second `url` answers with 200, and with nothing else, over so many connections. */
export async function throughput(url: string, ms: number, connections = 8): Promise<number> {
  const load = { url, connections, duration: ms / 1_000, sampleInt: 100 };
  const { requests, duration, errors, statusCodeStats = {} } = await autocannon(load);
  const good = statusCodeStats["200"]?.count ?? 0;
  if (errors > 0 || Object.keys(statusCodeStats).some((status) => status !== "200"))
    throw new Error(`${url}: ${good} of ${requests.total} answers were 200, ${errors} failed`);
  // Requests that are unanswered at the end are not counted, so a slow program is measured for longer.
  return good < connections ? throughput(url, 2 * ms, connections) : good / duration;
}

/** Sends one request, without compression; throws for an answer of another status. Measures until its last byte. */
export async function timedRequest(
  url: string,
  { status = 200, headers, ...request }: RequestInit & { status?: number } = {},
) {
  const began = performance.now();
  const response = await fetch(url, {
    ...request,
    headers: { "accept-encoding": "identity", ...headers },
    redirect: "manual",
  });
  const text = await response.text();
  const ms = performance.now() - began;
  if (response.status !== status)
    throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
  return { text, ms };
}

/** The median of the times that `once` returns, one call after another for about that many milliseconds. */
export async function medianMs(once: () => Promise<{ ms: number }>, ms: number): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + ms;
  do times.push((await once()).ms);
  while (performance.now() < end);
  return median(times);
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/**
 * The first program's ratio to each of the others, the median of the rounds' ratios: a machine that was slow in one
 * round was slow for both programs.
 */
export const medianRatios = ({ values: [first, ...others] }: Result): number[] =>
  others.map((other) => median(first!.map((value, round) => value / other[round]!)));

/**
 * Measures the programs in an order that changes from round to round. A first round does not count, because Node.js
 * still compiles what a program has not done before.
 */
export async function measure(row: Row, rounds: number): Promise<Result> {
  const programs = Object.values(row.programs);
  const values: number[][] = programs.map(() => []);
  for (const program of programs) await program();
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < programs.length; turn++) {
      const at = (round + turn) % programs.length;
      values[at]!.push(await programs[at]!());
    }
  return { ...row, values };
}

/** A line about the run, and a table. */
export function toMarkdown(about: string, results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { what, unit, programs, bounds, values } = result;
    const names = Object.keys(programs);
    const measured = names.map((name, at) => `${name} ${digits(median(values[at]!))}`);
    const ratios = medianRatios(result);
    const isMet = (bound: number, at: number) =>
      unit === "ms" ? ratios[at]! <= bound : ratios[at]! >= bound;
    const bound = `${bounds.join(", ")} or ${unit === "ms" ? "less" : "more"}`;
    return [
      what,
      `${measured.join(", ")} ${unit}`,
      ratios.map((ratio, at) => `${names[at + 1]} ${ratio.toFixed(2)}`).join(", "),
      bounds.every(isMet) ? bound : `${bound}, **not met**`,
    ];
  });
  const head = ["what", "measured", "ratio", "bound"];
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${about}\n\n${table.join("\n")}\n`;
}

/** Rounded to three significant digits. */
const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
