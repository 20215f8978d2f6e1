import { say } from "../../scripts/lib/command";

interface Row {
  part: string;
  proof: string;
  figure: string;
  ok: boolean;
}

/** What the proofs of a run found, one row a proof. */
export class Report {
  readonly #rows: Row[] = [];

  /** The same report, for the proofs of one part. */
  of(part: string): PartReport {
    return {
      check: (proof, figure, ok) => {
        this.#rows.push({ part, proof, figure, ok });
        say(`${ok ? "  ok" : "  FAILED"}  ${proof}: ${figure}`);
      },
    };
  }

  get failed(): number {
    return this.#rows.filter(({ ok }) => !ok).length;
  }

  get passed(): number {
    return this.#rows.length - this.failed;
  }

  /** A Markdown table, as it stands in the README. */
  toString(): string {
    const rows = [
      ["part", "proof", "figure", ""],
      ...this.#rows.map(({ part, proof, figure, ok }) => [
        part,
        proof,
        figure,
        ok ? "ok" : "FAILED",
      ]),
    ];
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    const line = (cells: string[]) =>
      `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
    const [head, ...body] = rows.map(line);
    return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n");
  }
}

export interface PartReport {
  /** Notes what a proof found, and whether it holds. */
  check(proof: string, figure: string, ok: boolean): void;
}
