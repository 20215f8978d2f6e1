import type { Connection } from "mongoose";
import { say } from "../lib/command";
import { type Bound, isMet, median, ratioOf } from "./arithmetic";
import type { Engine } from "./engine";
import type { Program } from "./programs";
import type { Seeded } from "./seed";

/** What rows use to measure. */
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
  /** The name for `--only`; several rows may share one. */
  id: string;
  what: string;
  unit: "a second" | "ms";
  /** Each call makes one measurement: a throughput or a time. The programs take turns in each round. */
  programs: Record<string, () => Promise<number>>;
  figures: Figure[];
  /** Starts and ends what only this row needs. */
  prepare?: () => Promise<void>;
  done?: () => Promise<void>;
  /** A sentence with anything else that the row has found, once it is measured. */
  note?: () => string;
}

/** A ratio of two programs' values or, without `to`, one program's value, and the bound that it must keep. */
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
  /** The median of each program's values. */
  medians: Record<string, number>;
  figures: FigureResult[];
  note?: string;
  /** Why the row was not measured, or what was wrong. */
  failure?: string;
}

/**
 * Measures a row for that many rounds, or until `end` (on the clock of `performance.now`): the current round is
 * finished, and there is at least one. The order of the programs changes from round to round, so that none always
 * follows the same other one. A first round does not count, because Node.js still compiles what a program has not
 * done before.
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

/** The result of a row, from the values of each program's rounds. */
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
        // The figures of a failed row prove nothing.
        met: bound && failure === undefined && isMet(value, bound),
      };
    }),
    note: failure === undefined ? row.note?.() : undefined,
  };
}

/** Measures all of them until `end` or a signal, each for at most twice its share of the remaining time. */
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
