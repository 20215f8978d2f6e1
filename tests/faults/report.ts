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

  /** A Markdown table. */
  toString(): string {
    const rows = this.#rows.map(({ part, proof, figure, ok }) => [
      part,
      proof,
      figure,
      ok ? "ok" : "FAILED",
    ]);
    return [["part", "proof", "figure", ""], ["---", "---", "---", "---"], ...rows]
      .map((cells) => `| ${cells.join(" | ")} |`)
      .join("\n");
  }
}

export interface PartReport {
  /** Notes the result of a proof, and whether it is good. */
  check(proof: string, figure: string, ok: boolean): void;
}
