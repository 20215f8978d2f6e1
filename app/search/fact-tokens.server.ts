import { plain } from "./date-words.server";
import type { Limit } from "./limits";
import { withLatinDigits } from "./spellings.server";

// The words, numbers and signs of a search, as its limits are read (app/search/fact-reader.server.ts).

export interface FactToken {
  /** As `plain` returns it; a number in digits, a sign as it is, empty between quotation marks. */
  word: string;
  start: number;
  end: number;
  /** Whether a limit has it already, or none may have it. */
  isRead: boolean;
}

/** A limit that words name, and where they stand. */
export interface TypedLimit {
  limit: Limit;
  start: number;
  end: number;
}

const TOKEN = /"[^"]*"?|\d{1,9}(?:[.,]\d{1,3})?(?!\d)|[\p{L}\p{M}]+|[$€£¥₹<≤]/gu;

export function factTokens(text: string): FactToken[] {
  const latin = withLatinDigits(text);
  // A few digits have two UTF-16 units, which would move what comes behind them.
  const typed = (latin.length === text.length ? latin : text).replace(/[“”„«»]/g, '"');
  return [...typed.matchAll(TOKEN)].map(({ 0: run, index }) => ({
    word: run.startsWith('"') ? "" : /^\p{L}/u.test(run) ? plain(run) : run,
    start: index,
    end: index + run.length,
    isRead: run.startsWith('"'),
  }));
}

/** "1,000" is a thousand, "27,50" twenty-seven and a half; null for what is no number. */
export function readAmount({ word }: FactToken): number | null {
  if (!/^\d/.test(word)) return null;
  return Number(/[.,]\d{3}$/.test(word) ? word.replace(/[.,]/, "") : word.replace(",", "."));
}

/** The text without these limits. */
export function textWithout(text: string, typed: readonly TypedLimit[]): string {
  let rest = text;
  for (const { start, end } of typed)
    rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
  return rest.replace(/\s+/g, " ").trim();
}
