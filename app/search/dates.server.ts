import { dayAfter, isDay, weekdayOf, weekendFrom } from "~/infra/days";
import type { Env } from "~/infra/env.server";
import {
  DATE_WORDS,
  type DateWords,
  LOCALES,
  type Name,
  namesOf,
  plain,
} from "./date-words.server";

/** Days that words name, the first and the last one. */
export interface NamedDays {
  from: string;
  to: string;
}

export interface DatedSearch extends NamedDays {
  /** The search without these words, as it was typed. */
  rest: string;
}

interface Token {
  /** As `wordsOf` returns it. */
  word: string;
  start: number;
  end: number;
}

/** What begins at a token: where it ends, and its days. */
interface Match extends NamedDays {
  next: number;
}

const LONGEST_SEARCH = 200;
const TOKEN =
  /(?<![\d.-])(?:\d{4}-\d\d-\d\d(?![\d-])|\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?(?!\d))|"[^"]*"?|[\p{L}\p{M}\p{N}]+/gu;
const DAY = /^(\d{1,2})(st|nd|rd|th|er|o|a|e|de|te)?$/;
const YEAR = /^20\d\d$/;
const LONGEST_NAME = 3;

const phrases = (words: string) => new Set(words ? words.split("|").map(plain) : []);

const two = (number: number) => String(number).padStart(2, "0");

/** The days that the words of a search name in a language (docs/rules/tours.md, Tours). */
export class DateReader {
  readonly #months: Map<string, Name>;
  readonly #weekdays: Map<string, Name>;
  readonly #words: Map<string, Set<string>>;
  /** Whether "5.12." is a day also without its year. */
  readonly #isDotted: boolean;

  constructor(language: Env["tourLanguage"]) {
    const name = language === "none" ? "english" : language;
    this.#months = namesOf(LOCALES[name]!, "month");
    this.#weekdays = namesOf(LOCALES[name]!, "weekday");
    this.#isDotted = name !== "english";
    const words = Object.entries(DATE_WORDS[name] ?? {}) as [keyof DateWords, string][];
    this.#words = new Map(words.map(([kind, some]) => [kind, phrases(some)]));
  }

  /** Null where no words name a day. Several dates are the days from the first to the last. */
  read(text: string, today: string): DatedSearch | null {
    const tokens = tokensOf(text.slice(0, LONGEST_SEARCH));
    const found: NamedDays[] = [];
    let rest = text;
    for (let at = 0; at < tokens.length;) {
      const match = this.#isExcepted(tokens, at) ? null : this.#dateAt(tokens, at, today);
      if (!match) {
        at++;
        continue;
      }
      const { from, to, next }: Match = match;
      found.push({ from, to });
      const [start, end] = [tokens[at]!.start, tokens[next - 1]!.end];
      rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
      at = next;
    }
    const [from] = found.map((days) => days.from).sort();
    const to = found
      .map((days) => days.to)
      .sort()
      .at(-1);
    return from && to
      ? { from, to, rest: rest.replace(/\s+/g, " ").trim().replace(/,$/, "") }
      : null;
  }

  /** With the words that lead to a date. */
  #dateAt(tokens: Token[], start: number, today: string): Match | null {
    let at = start;
    while (this.#after("before", tokens, at)) at = this.#after("before", tokens, at)!;
    const same = this.#after("this", tokens, at);
    const next = this.#after("next", tokens, at);
    const from = same ?? next ?? at;
    const isNamed = same !== null || next !== null;
    if (from > start && this.#isExcepted(tokens, from)) return null;
    const match = this.#calendarDate(tokens, from, today);
    return match ?? this.#day(tokens, from, today, { isNamed, isNext: next !== null });
  }

  /** A day of the calendar, with its month. */
  #calendarDate(tokens: Token[], start: number, today: string): Match | null {
    const weekday = this.#name(this.#weekdays, tokens, start);
    const at = weekday?.next ?? start;
    const written = tokens[at] && this.#written(tokens[at].word, today);
    if (written) return { from: written, to: written, next: at + 1 };
    const first = dayOf(tokens[at]);
    const month = this.#name(this.#months, tokens, first ? this.#past("of", tokens, at + 1) : at);
    if (!month) return null;
    const second = first ? null : dayOf(tokens[month.next]);
    const day = first ?? second;
    const behind = second ? month.next + 1 : month.next;
    const yearAt = this.#past("of", tokens, behind);
    const year = YEAR.test(tokens[yearAt]?.word ?? "") ? tokens[yearAt]!.word : null;
    const next = year ? yearAt + 1 : behind;
    if (day) {
      const date = dayInYear(`${two(month.number)}-${two(day)}`, year, today);
      return date ? { from: date, to: date, next } : null;
    }
    // The 30th of February is no February.
    if (weekday || dayOf(tokens[at - 1]) || (!year && !month.isCertain)) return null;
    return { ...monthIn(month.number, year, today), next };
  }

  #written(word: string, today: string): string | null {
    if (isDay(word)) return word;
    const [, day, month, year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})?$/.exec(word) ?? [];
    if (!day || !month || (!year && !this.#isDotted)) return null;
    return dayInYear(`${month.padStart(2, "0")}-${day.padStart(2, "0")}`, year ?? null, today);
  }

  /** A day by its name: a short one only with "this" or "next". The next one comes after today, or after this weekend. */
  #day(tokens: Token[], at: number, today: string, { isNamed = false, isNext = false }) {
    const weekday = this.#name(this.#weekdays, tokens, at);
    const named = weekday?.next ?? this.#after("weekend", tokens, at);
    const behind = named && this.#after("next", tokens, named);
    const isLater = isNext || Boolean(behind);
    if (weekday && (weekday.isCertain || isNamed || behind)) {
      const days = (7 + weekday.number - weekdayOf(today)) % 7;
      const day = dayAfter(today, days || (isLater ? 7 : 0));
      return { from: day, to: day, next: behind || weekday.next };
    }
    if (named && !weekday) {
      const { from, to } = weekendFrom(today);
      if (!isLater) return { from, to, next: named };
      return { ...weekendFrom(dayAfter(to, 1)), next: behind || named };
    }
    for (const [name, days] of [
      ["today", 0],
      ["tomorrow", 1],
    ] as const) {
      const next = this.#after(name, tokens, at);
      const day = dayAfter(today, days);
      if (next) return { from: day, to: day, next };
    }
    return null;
  }

  #isExcepted(tokens: Token[], at: number): boolean {
    const words = tokens.slice(Math.max(0, at - 1), at + 1).map(({ word }) => word);
    const before = tokens.slice(Math.max(0, at - 2), at).map(({ word }) => word);
    return [words.join(" "), before.at(-1) ?? "", before.join(" ")].some((some) =>
      this.#words.get("except")?.has(some),
    );
  }

  /** Where one of these words ends that begins there. */
  #after(name: keyof DateWords, tokens: Token[], at: number): number | null {
    for (let length = LONGEST_NAME; length > 0; length--)
      if (at + length <= tokens.length && this.#words.get(name)?.has(joined(tokens, at, length)))
        return at + length;
    return null;
  }

  #past(name: keyof DateWords, tokens: Token[], at: number): number {
    return this.#after(name, tokens, at) ?? at;
  }

  #name(names: Map<string, Name>, tokens: Token[], at: number): (Name & { next: number }) | null {
    for (let length = LONGEST_NAME; length > 0; length--) {
      const name = at + length <= tokens.length && names.get(joined(tokens, at, length));
      if (name) return { ...name, next: at + length };
    }
    return null;
  }
}

const joined = (tokens: Token[], at: number, length: number) =>
  tokens
    .slice(at, at + length)
    .map(({ word }) => word)
    .join(" ");

/** Words between quotation marks are words. */
function tokensOf(text: string): Token[] {
  return [...text.replace(/[“”„«»]/g, '"').matchAll(TOKEN)].flatMap(({ 0: typed, index }) => {
    const place = { start: index, end: index + typed.length };
    if (/^\d+[-.]/.test(typed)) return { word: typed, ...place };
    return typed.startsWith('"') ? { word: "", ...place } : { word: plain(typed), ...place };
  });
}

function dayOf(token: Token | undefined): number | null {
  const [, day] = DAY.exec(token?.word.replace(" ", "") ?? "") ?? [];
  return day && Number(day) >= 1 && Number(day) <= 31 ? Number(day) : null;
}

const YEARS_TO_A_LEAP_YEAR = 8;

/** Without a year the next one, today included; null where the month has no such day. */
function dayInYear(monthAndDay: string, year: string | null, today: string): string | null {
  if (year) return isDay(`${year}-${monthAndDay}`) ? `${year}-${monthAndDay}` : null;
  for (let n = 0; n <= YEARS_TO_A_LEAP_YEAR; n++) {
    const date = `${Number(today.slice(0, 4)) + n}-${monthAndDay}`;
    if (isDay(date) && date >= today) return date;
  }
  return null;
}

/** Without a year the present or the next one, from today on. */
function monthIn(month: number, year: string | null, today: string): NamedDays {
  const [thisYear, thisMonth] = today.split("-").map(Number) as [number, number];
  const of = year ? Number(year) : thisYear + (month < thisMonth ? 1 : 0);
  const first = `${of}-${two(month)}-01`;
  const to = dayAfter(`${month === 12 ? of + 1 : of}-${two((month % 12) + 1)}-01`, -1);
  return { from: !year && first < today ? today : first, to };
}
