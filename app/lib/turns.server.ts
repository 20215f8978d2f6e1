/** Runs work in the order in which it comes, at most `atOnce` at a time. */
export class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  get size(): number {
    return this.#running + this.#waiting.length;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.atOnce) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** Runs the works of one key one after another. */
export class TurnsByKey {
  readonly #turns = new Map<string, Turns>();

  sizeOf(key: string): number {
    return this.#turns.get(key)?.size ?? 0;
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(key) ?? new Turns(1);
    this.#turns.set(key, turns);
    try {
      return await turns.run(work);
    } finally {
      if (turns.size === 0) this.#turns.delete(key);
    }
  }
}
