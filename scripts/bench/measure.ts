import { format } from "prettier";

/** The least or the greatest value that a ratio may have. */
export type Bound = { min: number; max?: never } | { max: number; min?: never };

/** Two or more programs, or things that the app does, measured in turn. */
export interface Row {
  what: string;
  unit: "a second" | "ms";
  /** Each call makes one measurement: a throughput or a time. */
  programs: Record<string, () => Promise<number>>;
  /** Pairs of programs or, without `to`, one program's value, and the bound that must be kept. */
  ratios: { of: string; to?: string; bound?: Bound }[];
}

export interface Result extends Pick<Row, "what" | "unit" | "ratios"> {
  /** Each program's values, one a round. */
  values: Record<string, number[]>;
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** The median of the rounds' ratios: a machine that was slow in one round was slow for both programs. */
export const ratioOf = (of: readonly number[], to: readonly number[]): number =>
  median(of.map((value, round) => value / to[round]!));

export const isMet = (ratio: number, { min, max }: Bound): boolean =>
  min !== undefined ? ratio >= min : ratio <= max;

/** Whether two copies of one program were similar enough for the run's other figures to count. */
export const isSame = (ratio: number): boolean => ratio >= 0.95 && ratio <= 1.05;

/**
 * Measures the programs in an order that changes from round to round. A first round does not count, because Node.js
 * still compiles what a program has not done before.
 */
export async function measure(row: Row, rounds: number): Promise<Result> {
  const names = Object.keys(row.programs);
  const values: Result["values"] = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await row.programs[name]!();
  for (let round = 0; round < rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)])
      values[name]!.push(await row.programs[name]!());
  }
  return { ...row, values };
}

/** A run as docs/performance.md has it: a line about the run, and a table. */
export function toMarkdown(about: string, results: readonly Result[]): Promise<string> {
  const lines = results.flatMap(({ what, unit, values, ratios }) => {
    const measures = Object.entries(values).map(([name, of]) => `${name} ${digits(median(of))}`);
    return ratios.map(({ of, to, bound }, index) => {
      const value = to === undefined ? median(values[of]!) : ratioOf(values[of]!, values[to]!);
      return [
        index === 0 ? what : "",
        index === 0 ? `${measures.join(", ")} ${unit}` : "",
        to === undefined ? `${of}: ${digits(value)}` : `${of} / ${to}: ${value.toFixed(2)}`,
        bound ? `${bound.min ?? bound.max} or ${bound.min ? "more" : "less"}` : "",
        bound ? (isMet(value, bound) ? "yes" : "**no**") : "",
      ];
    });
  });
  const head = ["what", "measured", "ratio", "bound", "met"];
  const table = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`);
  return format(`${about}\n\n${table.join("\n")}\n`, { parser: "markdown" });
}

/** Rounded to three significant digits. */
const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** The document with that engine's results replaced. Throws if it has no place for them. */
export function withResults(document: string, engine: string, results: string): string {
  const begin = `<!-- results: ${engine} -->`;
  const start = document.indexOf(begin);
  const end = document.indexOf("<!-- end of results -->", start);
  if (start < 0 || end < 0) throw new Error(`docs/performance.md has no ${begin}`);
  return `${document.slice(0, start)}${begin}\n\n${results}\n${document.slice(end)}`;
}
