import { type Kind, perKind } from "./records.server";

type State = "new" | "changed" | "unchanged" | "leftOut";

/** What an import does with each record of a kind, by its number. */
export type States = Record<Kind, State[]>;

export type Outcome = Record<State, number>;

const isToWrite = (state: State | undefined) => state === "new" || state === "changed";

/** Those of the numbers, or of all, whose records are new or changed. */
export const numbersToWrite = (states: State[], among: Iterable<number> = states.keys()) =>
  [...among].filter((number) => isToWrite(states[number]));

function outcomeOf(states: State[]): Outcome {
  const outcome = { new: 0, changed: 0, unchanged: 0, leftOut: 0 };
  for (const state of states) outcome[state]++;
  return outcome;
}

export const outcomesOf = (states: States) => perKind((kind) => outcomeOf(states[kind]));
