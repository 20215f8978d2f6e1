import type { Env } from "~/config/env.server";
import { LOCALES, plain, typedPhrases, typedPlainly } from "./date-words.server";
import { CURRENCY_WORDS, FACT_WORDS, type FactWords, TOUR_LEADING } from "./fact-words.server";
import { HIGHEST_CHILDS_AGE } from "./fact-index.server";
import { type Language, languageCode, languageName } from "./language.server";
import { readAmount, type FactToken, factTokens, type TypedLimit } from "./fact-tokens.server";
import type { Limit, Limits } from "./limits";

export interface LimitedSearch {
  limits: Partial<Limits>;
  /** Whether words ask for a low price without saying which. */
  isCheap: boolean;
  typed: TypedLimit[];
}

/** Decides whether a word such as "German" is a language or a word like others. */
interface KnownTours {
  /** Whether that word stands in the texts of tours. */
  hasWord: (word: string) => boolean;
  isSpoken: (code: string) => boolean;
}

interface LimitMatch {
  limit: Limit;
  value: number | string;
  /** The tokens from one to before another. */
  from: number;
  to: number;
}

const SIGN = /^[$€£¥₹]$/;
const LESS = /^[<≤]$/;
const SPOKEN = /^(\p{L}{3,}?)(?:e?sprachig\p{L}*|talig\p{L}*)$/u;
const LONGEST_SEARCH = 200;
const LONGEST_PHRASE = 3;
/** Longer tours are told in days. */
const MOST_HOURS = 72;
const LEAST_MINUTES = 15;

/** Reads the limits that the words of a search name in English and in one other language (docs/rules/tours.md, Tours). */
export class FactReader {
  readonly #words = new Map<keyof FactWords, Set<string>>();
  readonly #numbers = new Map<string, number>();
  readonly #currencies = typedPhrases(CURRENCY_WORDS);
  readonly #languages = new Map<string, string>();
  /** Names of languages that are no English words. */
  readonly #own = new Set<string>();

  constructor(
    name: Env["tourLanguage"],
    private readonly language: Language,
  ) {
    for (const known of new Set(["english", name])) this.#learn(FACT_WORDS[known]);
    const locales = new Set(["en-GB", ...(LOCALES[name] ?? [])]);
    for (const code of TOUR_LEADING.split(" ")) {
      for (const locale of locales) this.#name(code, code, locale);
      this.#name(code, code, code);
    }
    for (const [word, code] of this.#languages)
      if (languageNameIsOwn(word, code)) this.#own.add(word);
    this.#languages.set("norwegian", "nb").set("mandarin", "zh").set("flemish", "nl");
  }

  #learn(words: FactWords | undefined) {
    if (!words) return;
    for (const [kind, some] of Object.entries(words) as [keyof FactWords, string][]) {
      const known = this.#words.get(kind) ?? [];
      this.#words.set(kind, new Set([...known, ...typedPhrases(some)]));
    }
    for (const [n, some] of words.numbers.split(" ").entries())
      for (const word of some.split("/").flatMap(typedPlainly))
        if (!this.#numbers.has(word)) this.#numbers.set(word, n + 1);
  }

  #name(code: string, of: string, locale: string) {
    const name = new Intl.DisplayNames([locale], { type: "language" }).of(of);
    for (const word of typedPlainly(name ?? ""))
      // A name that two languages share stands for the first one.
      if (word !== "" && !word.includes(" ") && !this.#languages.has(word))
        this.#languages.set(word, languageCode(code) ?? code);
  }

  read(text: string, tours: KnownTours): LimitedSearch {
    const tokens = factTokens(text.slice(0, LONGEST_SEARCH));
    const found: LimitedSearch = { limits: {}, isCheap: false, typed: [] };
    const addMatch = (match: LimitMatch | null) => {
      if (!match) return false;
      const { limit, value, from, to } = match;
      for (const token of tokens.slice(from, to)) token.isRead = true;
      const first = tokens[from]!;
      const last = tokens[to - 1]!;
      found.typed.push({ limit, start: first.start, end: last.end });
      const before = found.limits[limit];
      // The least of several numbers suits everybody.
      const least = typeof before === "number" && typeof value === "number";
      found.limits = {
        ...found.limits,
        [limit]: least ? Math.min(before, value) : (before ?? value),
      };
      return true;
    };
    for (const at of tokens.keys()) addMatch(this.#age(tokens, at));
    for (const at of tokens.keys()) addMatch(this.#hours(tokens, at));
    for (const at of tokens.keys()) addMatch(this.#price(tokens, at));
    for (const at of tokens.keys()) {
      const end = this.#after("cheap", tokens, at);
      if (end) found.isCheap = addMatch({ limit: "price", value: Infinity, from: at, to: end });
    }
    if (found.limits.price === Infinity) delete found.limits.price;
    else found.isCheap = false;
    for (const at of tokens.keys()) addMatch(this.#spoken(tokens, at, tours));
    return found;
  }

  /** "8-year-old", "aged 8", "6 and 8 years old" */
  #age(tokens: FactToken[], at: number): LimitMatch | null {
    const first = this.#number(tokens, at);
    if (first === null || first > HIGHEST_CHILDS_AGE) return null;
    const joined = this.#after("and", tokens, at + 1);
    const second = joined === null ? null : this.#number(tokens, joined);
    const next = joined === null || second === null ? at + 1 : joined + 1;
    const old = this.#after("old", tokens, next);
    const aged = this.#before("aged", tokens, at);
    if (old === null && aged === null) return null;
    const end = old ?? at + 1;
    const to = this.#after("child", tokens, end) ?? end;
    const value = Math.floor(Math.min(first, (old !== null && second) || first));
    return { limit: "age", value, from: aged ?? at, to };
  }

  /** "two hours", "under 3 h", "90 minutes", "half an hour", "2 and a half hours" */
  #hours(tokens: FactToken[], at: number): LimitMatch | null {
    const number = this.#number(tokens, at);
    const next = number === null ? this.#after("half", tokens, at) : at + 1;
    if (next === null) return null;
    const value = number ?? 0.5;
    const hours = this.#after("hours", tokens, next);
    const minutes = number === null ? null : this.#after("minutes", tokens, next);
    const from = this.#least(tokens, at);
    if (from === null) return null;
    if (hours !== null && value > 0 && value <= MOST_HOURS)
      return { limit: "hours", value, from, to: hours };
    if (minutes === null || value < LEAST_MINUTES || value > MOST_HOURS * 60) return null;
    const rounded = Math.round((value / 60) * 100) / 100;
    return { limit: "hours", value: rounded, from, to: minutes };
  }

  /** "under 30", "under 30 euros", "€30", "max 30 €" */
  #price(tokens: FactToken[], at: number): LimitMatch | null {
    const token = tokens[at]!;
    const value = readAmount(token);
    if (token.isRead || value === null) return null;
    const sign = tokens[at - 1];
    const first = sign && SIGN.test(sign.word) ? at - 1 : at;
    const next = tokens[at + 1];
    const behind =
      next && !next.isRead && (SIGN.test(next.word) || this.#currencies.has(next.word));
    const isPriced = first < at || Boolean(behind);
    const from = this.#least(tokens, first);
    if (from === null) return null;
    const isBare = from < first && this.#after("others", tokens, at + 1) === null;
    const isOfChildren = this.#before("child", tokens, from) !== null;
    if (!isPriced && (!isBare || isOfChildren)) return null;
    return { limit: "price", value, from, to: behind ? at + 2 : at + 1 };
  }

  /** "German guide", "in German", "auf Deutsch" */
  #spoken(tokens: FactToken[], at: number, tours: KnownTours): LimitMatch | null {
    const { word, isRead } = tokens[at]!;
    if (isRead || word === "") return null;
    const bare = SPOKEN.exec(word)?.[1];
    const names = [word, ...(bare ? [bare, `${bare}isch`] : []), ...this.language.toStems(word)];
    const name = names.find((one) => this.#languages.has(one)) ?? "";
    const value = this.#languages.get(name);
    if (value === undefined) return null;
    const saysNothing = ({ word: other, isRead: is }: FactToken) =>
      is || this.language.isStopWord(other) || this.language.isGeneric(other);
    const before = this.#before("speaks", tokens, at);
    let to = at + 1;
    for (let end = this.#after("spoken", tokens, to); end; end = this.#after("spoken", tokens, to))
      to = end;
    const next = tokens[at + 1];
    const isCertain =
      bare !== undefined ||
      to > at + 1 ||
      (this.#own.has(name) && name === word) ||
      (before !== null && (!next || saysNothing(next))) ||
      tokens.every((other, n) => n === at || saysNothing(other)) ||
      (tours.isSpoken(value) && !tours.hasWord(word));
    if (!isCertain) return null;
    return { limit: "language", value, from: before ?? at, to };
  }

  #number(tokens: FactToken[], at: number): number | null {
    const token = tokens[at];
    if (!token || token.isRead) return null;
    return readAmount(token) ?? this.#numbers.get(token.word) ?? null;
  }

  /**
   * Returns the start index of a phrase such as "under" before a number, or of the number itself without any; null
   * where the number is the least.
   */
  #least(tokens: FactToken[], at: number): number | null {
    if (LESS.test(tokens[at - 1]?.word ?? "")) return at - 1;
    const most = this.#before("most", tokens, at);
    if (most !== null) return most;
    return this.#before("least", tokens, at) === null ? at : null;
  }

  #after(kind: keyof FactWords, tokens: FactToken[], at: number): number | null {
    for (let length = LONGEST_PHRASE; length > 0; length--)
      if (this.#is(kind, tokens, at, at + length)) return at + length;
    return null;
  }

  #before(kind: keyof FactWords, tokens: FactToken[], at: number): number | null {
    for (let length = LONGEST_PHRASE; length > 0; length--)
      if (this.#is(kind, tokens, at - length, at)) return at - length;
    return null;
  }

  #is(kind: keyof FactWords, tokens: FactToken[], from: number, to: number): boolean {
    if (from < 0 || to > tokens.length) return false;
    const some = tokens.slice(from, to);
    if (some.some(({ isRead }) => isRead)) return false;
    return this.#words.get(kind)?.has(some.map(({ word }) => word).join(" ")) ?? false;
  }
}

/** Whether a word is a language's own name for itself, and not the English one. */
const languageNameIsOwn = (word: string, code: string) => plain(languageName(code) ?? "") !== word;
