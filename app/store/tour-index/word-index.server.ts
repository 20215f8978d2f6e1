import SearchableMap from "minisearch/SearchableMap";
import { isStopWord, wordsOf } from "./search-words.server";

/**
 * The parts of a tour that are searched: the weight of a word there, and how many characters are read. Each weight
 * is more than all below it together, and one bit of a posting.
 */
const FIELDS = {
  title: { weight: 8, longest: 200 },
  location: { weight: 4, longest: 200 },
  guide: { weight: 2, longest: 200 },
  description: { weight: 1, longest: 4_000 },
} as const;
const WEIGHT_BITS = 4;
const WEIGHTS = 2 ** WEIGHT_BITS - 1;

export type SearchedTexts = Record<keyof typeof FIELDS, string>;

/** What a word counts, times its weight: typed in full, its beginning, or with one typing error. */
const WHOLE = 4;
const BEGINNING = 3;
const SIMILAR = 2;

/** Shorter words with another letter are other words. */
const SHORTEST_MISTYPED = 4;
const LETTERS = /^\p{L}+$/u;

/** A word that no tour has is replaced by one with at most so many errors, if it has at most so many letters. */
const MOST_ERRORS = 2;
const LONGEST_MISTYPED = 20;

/** The tours that have a word: their number and, in the lowest bits, the weights. */
class Postings {
  #list = new Uint32Array(2);
  #length = 0;

  push(tour: number, weights: number): void {
    if (this.#length === this.#list.length) {
      const longer = new Uint32Array(2 * this.#length);
      longer.set(this.#list);
      this.#list = longer;
    }
    this.#list[this.#length++] = (tour << WEIGHT_BITS) | weights;
  }

  /** How many tours have it. */
  get length(): number {
    return this.#length;
  }

  /** Raises the score of each of these tours to what it is worth here, unless it is higher. */
  score(scores: Uint8Array, closeness: number): void {
    for (let index = 0; index < this.#length; index++) {
      const posting = this.#list[index]!;
      const tour = posting >>> WEIGHT_BITS;
      const score = (posting & WEIGHTS) * closeness;
      if (score > scores[tour]!) scores[tour] = score;
    }
  }
}

/** The words of tours, which are numbered from 0 (docs/decisions/017-tour-index.md). */
export class WordIndex {
  readonly #words = new SearchableMap<Postings>();
  #size = 0;

  /** Adds the next tour. */
  add(texts: SearchedTexts): void {
    const tour = this.#size++;
    const weights = new Map<string, number>();
    for (const [field, { weight, longest }] of Object.entries(FIELDS)) {
      const text = texts[field as keyof SearchedTexts].slice(0, longest);
      for (const word of wordsOf(text))
        // No search looks for them.
        if (!isStopWord(word)) weights.set(word, (weights.get(word) ?? 0) | weight);
    }
    for (const [word, weight] of weights)
      this.#words.fetch(word, () => new Postings()).push(tour, weight);
  }

  /**
   * How well each tour matches, by its number: 0 where one of the words is missing. A word matches itself and the
   * words that begin with it; if no tour has any of these, the words that are one typing error away.
   */
  search(words: string[]): Uint16Array {
    const scores = new Uint16Array(this.#size);
    for (const [nth, word] of words.entries()) {
      const found = this.#scoresOf(word);
      for (let tour = 0; tour < scores.length; tour++)
        scores[tour] = found[tour]! && (nth === 0 || scores[tour]!) && found[tour]! + scores[tour]!;
    }
    return scores;
  }

  /**
   * The word itself if tours have it or a word that begins with it; otherwise the most similar word, and of several
   * the one that most tours have; null when there is none.
   */
  nearest(word: string): string | null {
    if (!this.#words.atPrefix(word).keys().next().done) return word;
    if (word.length < SHORTEST_MISTYPED || word.length > LONGEST_MISTYPED || !LETTERS.test(word))
      return null;
    // With two other letters, a short word could be almost any word.
    const errors = word.length > SHORTEST_MISTYPED ? MOST_ERRORS : 1;
    const alike = [...this.#words.fuzzyGet(word, errors)].map(([other, [postings, distance]]) => ({
      other,
      distance,
      tours: postings.length,
    }));
    alike.sort(
      (a, b) => a.distance - b.distance || b.tours - a.tours || (a.other < b.other ? -1 : 1),
    );
    return alike[0]?.other ?? null;
  }

  #scoresOf(word: string): Uint8Array {
    const scores = new Uint8Array(this.#size);
    let isKnown = false;
    for (const [found, postings] of this.#words.atPrefix(word)) {
      isKnown = true;
      postings.score(scores, found === word ? WHOLE : BEGINNING);
    }
    if (isKnown || word.length < SHORTEST_MISTYPED || !LETTERS.test(word)) return scores;
    for (const [postings] of this.#words.fuzzyGet(word, 1).values())
      postings.score(scores, SIMILAR);
    // For the map, two swapped letters are two errors.
    for (let place = 1; place < word.length; place++) {
      const [before, first, second] = [word.slice(0, place - 1), word[place - 1]!, word[place]!];
      this.#words.get(before + second + first + word.slice(place + 1))?.score(scores, SIMILAR);
    }
    return scores;
  }
}
