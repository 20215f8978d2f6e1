/** The weight of a part of a tour is one of these bits. */
const WEIGHT_BITS = 4;
const WEIGHTS = 2 ** WEIGHT_BITS - 1;

/** Raises the scores of the tours that match to what this match is worth. */
export type ScoreMatches = (scores: Uint8Array) => void;

export const raisingTo =
  (least: Uint8Array): ScoreMatches =>
  (scores) => {
    for (const [tour, score] of least.entries()) if (score > scores[tour]!) scores[tour] = score;
  };

/** The tours that have a word: their numbers and, in the lowest bits, its weights. */
export class Postings {
  #list = new Uint32Array(2);
  #length = 0;

  push(tour: number, weights: number): void {
    if (this.#length === this.#list.length) {
      const full = this.#list;
      this.#list = new Uint32Array(2 * full.length);
      this.#list.set(full);
    }
    this.#list[this.#length++] = (tour << WEIGHT_BITS) | weights;
  }

  get length(): number {
    return this.#length;
  }

  /** A score that is as high already is raised by `also`. */
  match(closeness: number, also = 0): ScoreMatches {
    return (scores) => {
      for (let index = 0; index < this.#length; index++) {
        const posting = this.#list[index]!;
        const tour = posting >>> WEIGHT_BITS;
        const score = (posting & WEIGHTS) * closeness;
        if (score > scores[tour]!) scores[tour] = score;
        else scores[tour]! += also;
      }
    };
  }
}
