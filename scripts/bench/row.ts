import type { Connection } from "mongoose";
import { say } from "../lib/command";
import { type Bound, isMet, median, ratioOf } from "./arithmetic";
import type { Engine } from "./engine";
import type { Program } from "./programs";
import type { Seeded } from "./seed";

/** What rows are measured with. */
export interface Bench {
  engine: Engine;
  /** The run's own connection to the database that all programs serve. */
  connection: Connection;
  uri: string;
  seeded: Seeded;
  app: Program;
  bare: Program;
  express: Program;
  /** How long one program is measured in one round, in milliseconds. */
  ms: number;
}

/** Two or more programs, or two things that the app does, measured in turn. */
export interface Row {
  /** What `--only` names it by; rows may share one. */
  id: string;
  what: string;
  unit: "a second" | "ms";
  /** Each measures once: a throughput or a time. They take turns in each round. */
  programs: Record<string, () => Promise<number>>;
  figures: Figure[];
  /** Starts what this row alone needs, and ends it. */
  prepare?: () => Promise<void>;
  done?: () => Promise<void>;
  /** What else it has found, in a sentence, once it is measured. */
  note?: () => string;
}

/** A ratio of two programs' measures, or without `to` a measure by itself, and what it must be. */
export interface Figure {
  what: string;
  of: string;
  to?: string;
  bound?: Bound;
}

export interface FigureResult {
  what: string;
  value: number;
  unit: "" | Row["unit"];
  bound?: Bound;
  met?: boolean;
}

export interface RowResult {
  id: string;
  what: string;
  unit: Row["unit"];
  rounds: number;
  /** The median of each program's rounds. */
  medians: Record<string, number>;
  figures: FigureResult[];
  note?: string;
  /** Why it was not measured, or what was wrong. */
  failure?: string;
}

/**
 * Measures a row, so many rounds unless `end` (of the clock of `performance.now`) comes first: the round
 * that is under way is finished, and one there is in any case. The programs change their order from round
 * to round, so that none is always the one after the same other. A round before them does not count: what a
 * program has not done before, Node.js still compiles.
 */
export async function measure(row: Row, { rounds, end }: { rounds: number; end: number }) {
  const names = Object.keys(row.programs);
  const values: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  let failure: string | undefined;
  try {
    await row.prepare?.();
    for (const name of names) await row.programs[name]!();
    for (let round = 0; round < rounds && (round === 0 || performance.now() < end); round++) {
      const order = [...names.slice(round % names.length), ...names.slice(0, round % names.length)];
      for (const name of order) values[name]!.push(await row.programs[name]!());
    }
  } catch (error) {
    failure = (error as Error).message;
  } finally {
    await row.done?.();
  }
  return resultOf(row, values, failure);
}

/** What the rounds' values of each program come to. */
export function resultOf(
  row: Pick<Row, "id" | "what" | "unit" | "figures" | "note">,
  values: Record<string, number[]>,
  failure?: string,
): RowResult {
  const { id, what, unit } = row;
  return {
    ...{ id, what, unit, failure },
    rounds: Math.min(...Object.values(values).map((rounds) => rounds.length)),
    medians: Object.fromEntries(
      Object.entries(values).map(([name, rounds]) => [name, median(rounds)]),
    ),
    figures: row.figures.map(({ what, of, to, bound }) => {
      const value = to === undefined ? median(values[of]!) : ratioOf(values[of]!, values[to]!);
      return {
        ...{ what, value, bound },
        unit: to === undefined ? unit : "",
        // A row that failed shows nothing.
        met: bound && failure === undefined && isMet(value, bound),
      };
    }),
    note: failure === undefined ? row.note?.() : undefined,
  };
}

/** Measures all of them until `end` or a signal, each no longer than twice its share of the time that is left. */
export async function measureAll(
  rows: readonly Row[],
  { rounds, end, stopped }: { rounds: number; end: number; stopped: AbortSignal },
): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for (const [index, row] of rows.entries()) {
    stopped.throwIfAborted();
    const now = performance.now();
    if (now > end) {
      results.push(resultOf(row, emptyRounds(row), "not measured: the run's time was over"));
      continue;
    }
    const share = (end - now) / (rows.length - index);
    const result = await measure(row, { rounds, end: Math.min(end, now + 2 * share) });
    results.push(result);
    say(lineOf(result, (performance.now() - now) / 1_000));
  }
  return results;
}

const emptyRounds = ({ programs }: Row) =>
  Object.fromEntries(Object.keys(programs).map((name) => [name, []]));

function lineOf({ id, what, failure, figures, rounds }: RowResult, seconds: number): string {
  const found =
    failure ?? figures.map(({ what, value }) => `${what} ${value.toFixed(2)}`).join(", ");
  return `  ${id}: ${what}: ${found} (${rounds} rounds, ${seconds.toFixed(0)} s)`;
}
