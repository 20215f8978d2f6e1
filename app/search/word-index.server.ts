import SearchableMap from "minisearch/SearchableMap";
import type { Language } from "./language.server";
import { type ScoreMatches, Postings, raisingTo } from "./postings.server";
import { runEndings, letterPairs, indexedWords } from "./search-words.server";
import { nearestTo, similarTo } from "./similar-words.server";
import { isDense, wordSpellings } from "./spellings.server";

/**
 * The weight of a word in each part of a tour, and how many characters are read. Each weight is more than all below it
 * together, and one bit of a posting.
 */
const FIELDS = {
  title: { weight: 8, longest: 200 },
  location: { weight: 4, longest: 200 },
  guide: { weight: 2, longest: 200 },
  description: { weight: 1, longest: 4_000 },
} as const;

export type SearchedTexts = Record<keyof typeof FIELDS, string>;

/** Factors of a word's weight, by how it matches: as it was typed, or in another of its forms. */
const WHOLE = 8;
const FORM = 7;
const BEGINNING = 6;
/** A compound: words put together or taken apart. */
const COMPOUND = 6;
const FORM_BEGINNING = 4;
/** Each further word that means much the same counts a little, without any weight. */
const RELATED = 4;
const ALSO_RELATED = 1;
const SIMILAR = 4;
/** A generic word counts this part of it. */
const GENERIC_PART = 4;

/** The parts of a word that is taken apart have at least so many letters, more where tours have the word itself. */
const SHORTEST_PART = 3;
const SHORTEST_PART_OF_KNOWN = 4;
const MOST_CUTS = 3;

/** Shorter words with another letter are other words. */
const SHORTEST_MISTYPED = 4;
const LETTERS = /^\p{L}+$/u;

/** A stem says less than a word: shorter ones begin other words, or are others with another letter. */
const SHORTEST_BEGINNING = 4;
const SHORTEST_MISTYPED_STEM = 5;

/** Most words that replace a mistyped one; the page names them. */
const MOST_SIMILAR = 3;

/** A word that no tour has is replaced by one with at most so many errors, if it has at most so many letters. */
const MOST_ERRORS = 2;
const LONGEST_MISTYPED = 20;

export interface WordMatches {
  /** The words that say something about a tour: bit n of `has` is for the n-th of them. */
  asked: string[];
  has: Uint8Array;
  scores: Uint16Array;
  /** The words that no tour has, with those one typing error away that stand for them. */
  mistyped: Map<string, string[]>;
}

/** The words of tours, which are numbered from 0 (docs/decisions/012-tour-index.md). */
export class WordIndex {
  readonly #words = new SearchableMap<Postings>();
  /** The words that are not their own stem, by their stems. */
  readonly #forms = new Map<string, Postings[]>();
  readonly #language: Language;
  #size = 0;

  constructor(language: Language) {
    this.#language = language;
  }

  add(texts: SearchedTexts): void {
    const tour = this.#size++;
    const weights = new Map<string, number>();
    for (const [field, { weight, longest }] of Object.entries(FIELDS)) {
      const text = texts[field as keyof SearchedTexts].slice(0, longest);
      // The endings of descriptions would fill the memory.
      const endings = field === "description" ? [] : runEndings(text);
      for (const word of [...indexedWords(text), ...endings])
        // No search looks for stop words.
        if (!this.#language.isStopWord(word)) weights.set(word, (weights.get(word) ?? 0) | weight);
    }
    for (const [word, weight] of weights)
      this.#words.fetch(word, () => this.#newWord(word)).push(tour, weight);
  }

  #newWord(word: string): Postings {
    const postings = new Postings();
    for (const stem of this.#language.toStems(word)) {
      if (stem === word) continue;
      const forms = this.#forms.get(stem);
      if (forms) forms.push(postings);
      else this.#forms.set(stem, [postings]);
    }
    return postings;
  }

  /** Whether a tour has this very word. */
  has(word: string): boolean {
    return this.#words.has(word);
  }

  /**
   * A word matches its forms and the words that begin with it, the two words that it is made of, and those that mean
   * much the same; if no tour has any of these, the words that are one typing error away. Two words match the one that
   * is made of them.
   */
  search(words: string[]): WordMatches {
    const asked = words.filter((word) => !this.#language.isGeneric(word));
    const has = new Uint8Array(this.#size);
    const scores = new Uint16Array(this.#size);
    const mistyped = new Map<string, string[]>();
    let before: ScoreMatches[] = [];
    for (const [nth, word] of words.entries()) {
      const after = this.#findWhole(word, words[nth + 1]);
      const matches = [...this.#known(word), ...before, ...after];
      if (matches.length === 0) {
        const similar = this.#similar(word);
        mistyped.set(word, [...similar.keys()]);
        for (const tours of similar.values()) matches.push(tours.match(SIMILAR));
      }
      const found = this.#scored(matches);
      const bit = asked.includes(word) ? 1 << asked.indexOf(word) : 0;
      for (let tour = 0; tour < this.#size; tour++) {
        const score = found[tour]!;
        if (score === 0) continue;
        has[tour]! |= bit;
        scores[tour]! += bit > 0 ? score : Math.ceil(score / GENERIC_PART);
      }
      before = after;
    }
    return { asked, has, scores, mistyped };
  }

  /**
   * The word itself if tours have what it matches without a typing error; otherwise the most similar word, and of
   * several the one that most tours have.
   */
  nearest(word: string): string | null {
    if (this.#language.isGeneric(word) || this.#known(word).length > 0) return word;
    if (word.length < SHORTEST_MISTYPED || word.length > LONGEST_MISTYPED || !LETTERS.test(word))
      return null;
    // With two other letters, a short word could be almost any word.
    const errors = word.length > SHORTEST_MISTYPED ? MOST_ERRORS : 1;
    const [plain] = wordSpellings(word);
    return nearestTo(this.#words, plain, errors);
  }

  #scored(matches: readonly ScoreMatches[]): Uint8Array {
    const scores = new Uint8Array(this.#size);
    for (const match of matches) match(scores);
    return scores;
  }

  /** Returns the words one typing error away that most tours have. */
  #similar(word: string): Map<string, Postings> {
    if (!LETTERS.test(word) || isDense(word)) return new Map();
    const [plain] = wordSpellings(word);
    const all = this.#language.toStems(plain);
    const stems = all.filter((stem) => stem.length >= SHORTEST_MISTYPED_STEM);
    const typed = [...(plain.length >= SHORTEST_MISTYPED ? [plain] : []), ...stems];
    const similar = [...new Map(typed.flatMap((other) => similarTo(this.#words, other)))]
      .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
      .slice(0, MOST_SIMILAR);
    return new Map(similar);
  }

  /** Returns all that a word matches without a typing error. */
  #known(word: string): ScoreMatches[] {
    if (isDense(word)) return this.#pairs(word);
    return wordSpellings(word).flatMap((spelling) => {
      const same = [...this.#findForms(spelling, FORM), ...this.#beginnings(spelling)];
      const shortest = same.length > 0 ? SHORTEST_PART_OF_KNOWN : SHORTEST_PART;
      return [...same, ...this.#parts(spelling, shortest), ...this.#related(spelling)];
    });
  }

  /** The words that begin with it or a stem of it. */
  #beginnings(word: string): ScoreMatches[] {
    const stems = this.#language.toStems(word).filter((stem) => stem.length >= SHORTEST_BEGINNING);
    return [...new Set([word, ...stems])].flatMap((beginning) => {
      const closeness = beginning === word ? BEGINNING : FORM_BEGINNING;
      return Array.from(this.#words.atPrefix(beginning), ([found, tours]) =>
        tours.match(found === word ? WHOLE : closeness),
      );
    });
  }

  /** Matches the forms of a word, itself among them. */
  #findForms(word: string, closeness: number, also?: number): ScoreMatches[] {
    const names = [...new Set([word, ...this.#language.toStems(word)])];
    return names
      .flatMap((name) => [this.#words.get(name) ?? [], this.#forms.get(name) ?? []].flat())
      .map((tours) => tours.match(closeness, also));
  }

  #related(word: string): ScoreMatches[] {
    const related = this.#language.relatedTo(word);
    return related.flatMap((other) => this.#findForms(other, RELATED, ALSO_RELATED));
  }

  /** Matches both parts of a word; one that every tour is, such as "tour", need not be there. */
  #parts(word: string, shortest: number): ScoreMatches[] {
    const matches: ScoreMatches[] = [];
    for (let at = shortest; at <= word.length - shortest && matches.length < MOST_CUTS; at++) {
      const parts = [word.slice(0, at), word.slice(at)];
      const asked = parts.filter((part) => !this.#language.isGeneric(part));
      const forms = asked.map((part) => this.#findForms(part, COMPOUND));
      if (asked.length === 0 || forms.some(({ length }) => length === 0)) continue;
      const lowest = asked
        .map((part, nth) => this.#scored([...forms[nth]!, ...this.#related(part)]))
        .reduce((one, other) => one.map((score, tour) => Math.min(score, other[tour]!)));
      matches.push(raisingTo(lowest));
    }
    return matches;
  }

  #findWhole(first: string, second: string | undefined): ScoreMatches[] {
    if (second === undefined) return [];
    return wordSpellings(first + second).flatMap((whole) => this.#findForms(whole, COMPOUND));
  }

  /** Matches all pairs of letters of a word in one text. */
  #pairs(word: string): ScoreMatches[] {
    const weights = letterPairs(word)
      .map((pair) => {
        // A single letter is the beginning of a pair.
        const found =
          pair === word ? [...this.#words.atPrefix(pair).values()] : this.#words.get(pair);
        return this.#scored([found ?? []].flat().map((tours) => tours.match(1)));
      })
      .reduce((one, other) => one.map((bits, tour) => bits & other[tour]!));
    const isThere = weights.some((bits) => bits > 0);
    return isThere ? [raisingTo(weights.map((bits) => bits * WHOLE))] : [];
  }
}
