import { type Kind, KINDS } from "./records.server";

export const STATES = ["new", "changed", "unchanged", "leftOut"] as const;
export type State = (typeof STATES)[number];
const numberOf = (state: State) => STATES.indexOf(state);

export type Outcome = Record<State, number>;

/** In one byte a record. */
export class States {
  readonly #states: Record<Kind, Uint8Array>;

  constructor(counts: (kind: Kind) => number) {
    const list = (kind: Kind) => new Uint8Array(counts(kind));
    this.#states = {
      users: list("users"),
      tours: list("tours"),
      bookings: list("bookings"),
      reviews: list("reviews"),
    };
  }

  set(kind: Kind, number: number, state: State): void {
    this.#states[kind][number] = numberOf(state);
  }

  is(kind: Kind, number: number, ...states: State[]): boolean {
    return states.includes(STATES[this.#states[kind][number]!]!);
  }

  numbers(kind: Kind, ...states: State[]): number[] {
    const numbers: number[] = [];
    for (const number of this.#states[kind].keys())
      if (this.is(kind, number, ...states)) numbers.push(number);
    return numbers;
  }

  outcomes(): Record<Kind, Outcome> {
    const outcomes = KINDS.map((kind) => {
      const counts = STATES.map(() => 0);
      for (const state of this.#states[kind]) counts[state]!++;
      return [kind, Object.fromEntries(STATES.map((state, index) => [state, counts[index]]))];
    });
    return Object.fromEntries(outcomes) as Record<Kind, Outcome>;
  }
}
