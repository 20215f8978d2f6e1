import { cpus } from "node:os";
import type { Bound } from "./arithmetic";
import { ENGINES, type EngineId } from "./engine";
import type { FigureResult, RowResult } from "./row";

/** The results of a run on one engine. */
export interface Run {
  engine: EngineId;
  name: string;
  /** The commit that was measured. */
  commit: string;
  date: Date;
  seconds: number;
  control: number;
  results: RowResult[];
}

/** A run as it is written in docs/performance.md: Markdown without a heading. */
export function toMarkdown({ name, commit, date, seconds, control, results }: Run): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const rows = results.flatMap(({ what, unit, medians, rounds, figures, failure }) =>
    failure !== undefined
      ? [[what, failure, "", "", "no"]]
      : figures.map((figure, index) => [
          index === 0 ? what : "",
          index === 0 ? `${measuresOf(medians, unit)} (${rounds})` : "",
          `${figure.what}: ${valueOf(figure)}`,
          figure.bound ? boundOf(figure.bound, figure.unit) : "",
          figure.bound ? (figure.met ? "yes" : "**no**") : "",
        ]),
  );
  const notes = results.flatMap(({ what, note }) => (note ? [`- ${what}: ${note}`] : []));
  return [
    `${name}, Node.js ${process.version}, ${cpus().length} processors, commit \`${commit}\`, ` +
      `${date.toISOString().slice(0, 10)}, ${minutes} min. Two copies of the bare server: ${control.toFixed(3)}.`,
    "",
    table([["what", "measured (rounds)", "ratio", "bound", "met"], ...rows]),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
}

/** A Markdown table whose first row is its header, aligned as Prettier aligns it. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const [head, ...body] = rows.map(line);
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n");
}

const measuresOf = (medians: Record<string, number>, unit: string) =>
  `${Object.entries(medians)
    .map(([name, value]) => `${name} ${digits(value)}`)
    .join(", ")} ${unit}`;

const valueOf = ({ value, unit }: FigureResult) =>
  unit ? `${digits(value)} ${unit}` : value.toFixed(2);

const boundOf = ({ min, max }: Bound, unit: string) =>
  `${min !== undefined ? `${min} or more` : `${max} or less`}${unit && ` ${unit}`}`;

/** Rounded to three significant digits. */
const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

const begin = (engine: EngineId) => `<!-- results: ${engine} -->`;
const END = "<!-- end of results -->";

/** The document with that engine's results replaced. Throws if it has no place for them. */
export function withResults(document: string, engine: EngineId, results: string): string {
  const start = document.indexOf(begin(engine));
  const end = document.indexOf(END, start);
  if (start < 0 || end < 0)
    throw new Error(`docs/performance.md has no ${begin(engine)} … ${END} (${ENGINES.join(", ")})`);
  return `${document.slice(0, start)}${begin(engine)}\n\n${results}\n\n${document.slice(end)}`;
}
