import { say } from "../../scripts/lib/command";

interface Row {
  part: string;
  proof: string;
  figure: string;
  ok: boolean;
}

/** The results of a run's proofs, one row for each. */
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

  /** A Markdown table, as it is in docs/proofs.md. */
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
  /** Notes the result of a proof, and whether it is good. */
  check(proof: string, figure: string, ok: boolean): void;
}
