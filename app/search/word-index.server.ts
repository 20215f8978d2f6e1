import SearchableMap from "minisearch/SearchableMap";
import type { Language } from "./language.server";
import { Endings } from "./endings.server";
import { Postings } from "./postings.server";
import { pairsOf, wordsOf } from "./search-words.server";
import { nearestTo, similarTo } from "./similar-words.server";
import { isDense, spellingsOf } from "./spellings.server";

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

/** Times its weight: as it was typed, or in another of its forms. */
const WHOLE = 8;
const FORM = 7;
const BEGINNING = 6;
/** Put together or taken apart. */
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
  readonly #endings = new Endings();
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
      for (const word of wordsOf(text))
        // No search looks for them.
        if (!this.#language.isStopWord(word)) weights.set(word, (weights.get(word) ?? 0) | weight);
      // The endings of descriptions would fill the memory.
      if (field !== "description") this.#endings.add(tour, text, weight);
    }
    for (const [word, weight] of weights)
      this.#words.fetch(word, () => this.#newWord(word)).push(tour, weight);
  }

  #newWord(word: string): Postings {
    const postings = new Postings();
    for (const stem of this.#language.stemsOf(word)) {
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
    let before: Uint8Array | undefined;
    for (const [nth, word] of words.entries()) {
      const found = new Uint8Array(this.#size);
      const after = this.#wholeOf(word, words[nth + 1]);
      if (!this.#scoreKnown(word, found) && !before && !after)
        mistyped.set(word, this.#scoreMistyped(word, found));
      const bit = asked.includes(word) ? 1 << asked.indexOf(word) : 0;
      for (let tour = 0; tour < this.#size; tour++) {
        const score = Math.max(found[tour]!, before?.[tour] ?? 0, after?.[tour] ?? 0);
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
    if (this.#language.isGeneric(word) || this.#scoreKnown(word, new Uint8Array(this.#size)))
      return word;
    if (word.length < SHORTEST_MISTYPED || word.length > LONGEST_MISTYPED || !LETTERS.test(word))
      return null;
    // With two other letters, a short word could be almost any word.
    const errors = word.length > SHORTEST_MISTYPED ? MOST_ERRORS : 1;
    const plain = spellingsOf(word)[0]!;
    return nearestTo(this.#words, plain, errors);
  }

  /** Those that most tours have of the words one typing error away. */
  #scoreMistyped(word: string, scores: Uint8Array): string[] {
    if (!LETTERS.test(word) || isDense(word)) return [];
    const plain = spellingsOf(word)[0]!;
    const all = this.#language.stemsOf(plain);
    const stems = all.filter((stem) => stem.length >= SHORTEST_MISTYPED_STEM);
    const typed = [...(plain.length >= SHORTEST_MISTYPED ? [plain] : []), ...stems];
    const similar = [...new Map(typed.flatMap((other) => similarTo(this.#words, other)))]
      .sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1))
      .slice(0, MOST_SIMILAR);
    for (const [, postings] of similar) postings.score(scores, SIMILAR);
    return similar.map(([other]) => other);
  }

  /** Returns whether there is any. */
  #scoreKnown(word: string, scores: Uint8Array): boolean {
    if (isDense(word)) return this.#scorePairs(word, scores);
    return spellingsOf(word).filter((one) => this.#scoreSpelling(one, scores)).length > 0;
  }

  #scoreSpelling(word: string, scores: Uint8Array): boolean {
    const isWithin = this.#endings.score(word, BEGINNING, scores);
    let isKnown = this.#scoreForms(word, FORM, scores) || isWithin;
    const stems = this.#language.stemsOf(word).filter((stem) => stem.length >= SHORTEST_BEGINNING);
    for (const beginning of new Set([word, ...stems]))
      for (const [found, postings] of this.#words.atPrefix(beginning)) {
        isKnown = true;
        const closeness = beginning === word ? BEGINNING : FORM_BEGINNING;
        postings.score(scores, found === word ? WHOLE : closeness);
      }
    const isMade = this.#scoreParts(word, isKnown ? SHORTEST_PART_OF_KNOWN : SHORTEST_PART, scores);
    return this.#scoreRelated(word, scores) || isKnown || isMade;
  }

  /** Itself among them. */
  #formsOf(word: string): Postings[] {
    const names = [...new Set([word, ...this.#language.stemsOf(word)])];
    return names.flatMap((name) =>
      [this.#words.get(name) ?? [], this.#forms.get(name) ?? []].flat(),
    );
  }

  #scoreForms(word: string, closeness: number, scores: Uint8Array, also = 0): boolean {
    const forms = this.#formsOf(word);
    for (const postings of forms) postings.score(scores, closeness, also);
    return forms.length > 0;
  }

  #scoreRelated(word: string, scores: Uint8Array): boolean {
    const related = this.#language.relatedTo(word);
    const isThere = (other: string) => this.#scoreForms(other, RELATED, scores, ALSO_RELATED);
    return related.filter(isThere).length > 0;
  }

  /** Both words; what every tour is need not be there. */
  #scoreParts(word: string, shortest: number, scores: Uint8Array): boolean {
    let cuts = 0;
    for (let at = shortest; at <= word.length - shortest && cuts < MOST_CUTS; at++) {
      const parts = [word.slice(0, at), word.slice(at)];
      const asked = parts.filter((part) => !this.#language.isGeneric(part));
      if (asked.length === 0 || asked.some((part) => this.#formsOf(part).length === 0)) continue;
      cuts++;
      const found = asked.map((part) => {
        const own = new Uint8Array(this.#size);
        this.#scoreForms(part, COMPOUND, own);
        this.#scoreRelated(part, own);
        return own;
      });
      for (let tour = 0; tour < this.#size; tour++)
        scores[tour] = Math.max(scores[tour]!, Math.min(...found.map((own) => own[tour]!)));
    }
    return cuts > 0;
  }

  #wholeOf(first: string, second: string | undefined): Uint8Array | undefined {
    if (second === undefined) return undefined;
    const forms = spellingsOf(first + second).flatMap((whole) => this.#formsOf(whole));
    if (forms.length === 0) return undefined;
    const scores = new Uint8Array(this.#size);
    for (const postings of forms) postings.score(scores, COMPOUND);
    return scores;
  }

  /** All pairs in one text. */
  #scorePairs(word: string, scores: Uint8Array): boolean {
    const [pair = "", ...others] = pairsOf(word);
    // A single letter is the beginning of a pair.
    const first =
      word === pair ? [...this.#words.atPrefix(pair).values()] : [this.#words.get(pair)];
    for (const postings of first) postings?.score(scores, 1);
    for (const other of others) {
      const weights = new Uint8Array(this.#size);
      this.#words.get(other)?.score(weights, 1);
      for (let tour = 0; tour < this.#size; tour++) scores[tour]! &= weights[tour]!;
    }
    for (let tour = 0; tour < this.#size; tour++) scores[tour]! *= WHOLE;
    return scores.some((score) => score > 0);
  }
}
