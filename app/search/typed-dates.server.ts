import { type CalendarName, plain } from "./date-words.server";
import { withLatinDigits } from "./spellings.server";

/** A word of a search, or a date in digits. */
export interface DateToken {
  /** As `indexedWords` returns it. */
  word: string;
  start: number;
  end: number;
}

const TOKEN =
  /(?<![\d.]|\d-)(?:\d{4}-\d\d-\d\d(?![\d-])|\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?(?!\d))|"[^"]*"?|[\p{L}\p{M}\p{N}]+/gu;
const DASH = /^[.\s]*[-\u2010-\u2015\u2212~]\s*$/;
const LONGEST_NAME = 3;

/** The days of a typed date, relative to a day. */
export class TypedDates {
  readonly tokens: DateToken[];

  constructor(
    private readonly text: string,
    readonly today: string,
  ) {
    this.tokens = dateTokens(text);
  }

  on(day: string): TypedDates {
    return new TypedDates(this.text, day);
  }

  /** Whether only a dash stands before that token. */
  hasDash(at: number): boolean {
    const before = this.tokens[at - 1];
    const token = this.tokens[at];
    if (!before || !token) return false;
    return DASH.test(this.text.slice(before.end, token.start));
  }

  /** Returns the end index of the phrase that starts at `at`, or null. */
  after(phrases: Pick<Set<string>, "has"> | undefined, at: number): number | null {
    for (let length = LONGEST_NAME; length > 0; length--)
      if (at + length <= this.tokens.length && phrases?.has(this.#joined(at, length)))
        return at + length;
    return null;
  }

  /** Returns the name that starts at `at` with its end index (`next`), or null. */
  name(names: Map<string, CalendarName>, at: number): (CalendarName & { next: number }) | null {
    const next = this.after(names, at);
    return next ? { ...names.get(this.#joined(at, next - at))!, next } : null;
  }

  #joined(at: number, length: number): string {
    const words = this.tokens.slice(at, at + length).map(({ word }) => word);
    return words.join(" ");
  }
}

/** Words between quotation marks are words. */
function dateTokens(text: string): DateToken[] {
  const latin = withLatinDigits(text);
  // A few digits have two UTF-16 units, which would move what comes behind them.
  const typed = (latin.length === text.length ? latin : text).replace(/[“”„«»]/g, '"');
  return [...typed.matchAll(TOKEN)].flatMap(({ 0: word, index }) => {
    const place = { start: index, end: index + word.length };
    if (/^\d+[-.]/.test(word)) return { word, ...place };
    return word.startsWith('"') ? { word: "", ...place } : { word: plain(word), ...place };
  });
}
