import { dayAfter, toWeekday, weekendFrom } from "~/lib/days";
import type { Env } from "~/config/env.server";
import {
  dayInYear,
  dayOfMonth,
  daysUntil,
  monthIn,
  type NamedDays,
  period,
  writtenDay,
} from "./calendar.server";
import {
  DATE_WORDS,
  type DateWords,
  LOCALES,
  type CalendarName,
  calendarNames,
  typedPhrases,
} from "./date-words.server";
import { TypedDates } from "./typed-dates.server";

export interface DatedSearch extends NamedDays {
  /** The search without these words, as it was typed. */
  rest: string;
  /** The search with blanks instead of them. */
  blanked: string;
}

/** A date phrase: the index of its end, and its days. */
interface DateMatch extends NamedDays {
  next: number;
  /** A day or a weekend by its name, which comes each week; a whole month. */
  kind?: "weekly" | "month";
}

const LONGEST_SEARCH = 200;
const YEAR = /^20\d\d$/;

/** The days that the words of a search name in a language (docs/rules/tours.md, Tours). */
export class DateReader {
  readonly #months: Map<string, CalendarName>;
  readonly #weekdays: Map<string, CalendarName>;
  readonly #words: Map<string, Set<string>>;
  /** Whether "5.12." is a day also without its year. */
  readonly #isDotted: boolean;

  constructor(language: Env["tourLanguage"]) {
    const name = language === "none" ? "english" : language;
    this.#months = calendarNames(LOCALES[name]!, "month");
    this.#weekdays = calendarNames(LOCALES[name]!, "weekday");
    this.#isDotted = name !== "english";
    const words = Object.entries(DATE_WORDS[name] ?? {}) as [keyof DateWords, string][];
    this.#words = new Map(words.map(([kind, some]) => [kind, typedPhrases(some)]));
  }

  /** Null where no words name a day. Several dates are the days from the first to the last. */
  read(text: string, today: string): DatedSearch | null {
    const typed = new TypedDates(text.slice(0, LONGEST_SEARCH), today);
    const { tokens } = typed;
    const found: NamedDays[] = [];
    let rest = text;
    for (let at = 0; at < tokens.length;) {
      const match = this.#isExcepted(typed, at) ? null : this.#periodAt(typed, at);
      if (!match) {
        at++;
        continue;
      }
      const { from, to, next }: DateMatch = match;
      found.push({ from, to });
      const start = tokens[at]!.start;
      const end = tokens[next - 1]!.end;
      rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
      at = next;
    }
    const [from] = found.map((days) => days.from).sort();
    const to = found
      .map((days) => days.to)
      .sort()
      .at(-1);
    return from && to
      ? { from, to, blanked: rest, rest: rest.replace(/\s+/g, " ").trim().replace(/,$/, "") }
      : null;
  }

  /** A date, or all days from one to another. */
  #periodAt(typed: TypedDates, start: number): DateMatch | null {
    const first = this.#dateAt(typed, start);
    const at = first && this.#joined(typed, first.next);
    const second = at && this.#dateAt(typed, at);
    if (!first || !second) return first;
    const { next } = second;
    const { today } = typed;
    if (second.kind !== "weekly" || second.to >= first.from)
      return { ...period(first, second, today), next };
    // From Friday to Sunday: the one that comes then.
    return { ...period(first, this.#dateAt(typed.on(first.from), at)!, today), next };
  }

  /** With the words that lead to a date. */
  #dateAt(typed: TypedDates, start: number): DateMatch | null {
    let at = start;
    for (let next; (next = this.#after("before", typed, at));) at = next;
    const same = this.#after("this", typed, at);
    const next = this.#after("next", typed, at);
    const from = same ?? next ?? at;
    const isNamed = same !== null || next !== null;
    if (from > start && this.#isExcepted(typed, from)) return null;
    const match = this.#calendarDate(typed, from);
    if (match) return match;
    const day = this.#day(typed, from, { isNamed, isNext: next !== null });
    // A weekend in January: one search has no other days between its first and last.
    const month = day?.kind === "weekly" && this.#calendarDate(typed, this.#inMonth(typed, day));
    return month && month.kind === "month" ? month : day;
  }

  #inMonth(typed: TypedDates, { next }: DateMatch): number {
    return this.#after("before", typed, next) ?? this.#past("of", typed, next);
  }

  /** A day of the calendar, with its month, or several of one month. */
  #calendarDate(typed: TypedDates, start: number): DateMatch | null {
    const { tokens, today } = typed;
    const weekday = typed.name(this.#weekdays, start);
    const at = weekday?.next ?? start;
    const written = this.#written(typed, at);
    if (written) return { from: written, to: written, next: at + 1 };
    const before = this.#daysAt(typed, at);
    const until = before && this.#written(typed, before.dottedAt);
    if (until && before.first < Number(until.slice(-2)))
      return { ...daysUntil(until, before.first, today), next: before.dottedAt + 1 };
    const monthAt = before ? this.#past("of", typed, before.next) : at;
    const month = typed.name(this.#months, monthAt);
    if (!month) return null;
    const days = before ?? this.#daysAt(typed, month.next);
    const behind = before ? month.next : (days?.next ?? month.next);
    const yearAt = this.#past("of", typed, behind);
    const word = tokens[yearAt]?.word ?? "";
    const year = YEAR.test(word) ? word : null;
    const next = year ? yearAt + 1 : behind;
    if (days) {
      const to = dayInYear({ month: month.number, day: days.last }, year, today);
      return to === null ? null : { ...daysUntil(to, days.first, today), next };
    }
    // The 30th of February is no February.
    if (weekday || dayOfMonth(tokens[at - 1]) || (!year && !month.isCertain)) return null;
    return { ...monthIn(month.number, year, today), next, kind: "month" };
  }

  /** Days of a month: "5", "5th to 7th" or "Sat 5 - Mon 7"; where a date such as "7.12." would end them. */
  #daysAt(typed: TypedDates, at: number) {
    const first = dayOfMonth(typed.tokens[at]);
    if (!first) return null;
    const joined = this.#joined(typed, at + 1) ?? Infinity;
    const lastAt = typed.name(this.#weekdays, joined)?.next ?? joined;
    const last = dayOfMonth(typed.tokens[lastAt]);
    const days = { first, last: first, next: at + 1, dottedAt: lastAt };
    return last && last > first ? { ...days, last, next: lastAt + 1 } : days;
  }

  #written({ tokens, today }: TypedDates, at: number): string | null {
    return tokens[at] ? writtenDay(tokens[at].word, today, this.#isDotted) : null;
  }

  /**
   * A day by its name: a short one only with "this" or "next". The next one comes after today, or after this weekend.
   */
  #day(typed: TypedDates, at: number, { isNamed = false, isNext = false }): DateMatch | null {
    const { today } = typed;
    const weekday = typed.name(this.#weekdays, at);
    const weekend = this.#after("weekend", typed, at);
    const week = this.#after("week", typed, at);
    const month = this.#after("month", typed, at);
    const named = weekday?.next ?? weekend ?? week ?? month;
    const behind = named && this.#after("next", typed, named);
    const isLater = isNext || Boolean(behind);
    const next = behind || named;
    if (next && weekday && (weekday.isCertain || isNamed || behind)) {
      const days = (7 + weekday.number - toWeekday(today)) % 7;
      const day = dayAfter(today, days || (isLater ? 7 : 0));
      return { from: day, to: day, next, kind: "weekly" };
    }
    if (next && weekend && !weekday) {
      const { from, to } = weekendFrom(today);
      if (!isLater) return { from, to, next, kind: "weekly" };
      return { ...weekendFrom(dayAfter(to, 1)), next, kind: "weekly" };
    }
    if (next && !weekday && (isNamed || behind)) {
      const { to } = week
        ? { to: dayAfter(today, (7 - toWeekday(today)) % 7) }
        : monthIn(Number(today.slice(5, 7)), null, today);
      if (!isLater) return { from: today, to, next };
      const from = dayAfter(to, 1);
      if (week) return { from, to: dayAfter(from, 6), next };
      return { ...monthIn(Number(from.slice(5, 7)), from.slice(0, 4), today), next };
    }
    for (const [name, days] of [
      ["today", 0],
      ["tomorrow", 1],
    ] as const) {
      const after = this.#after(name, typed, at);
      const day = dayAfter(today, days);
      if (after) return { from: day, to: day, next: after };
    }
    return null;
  }

  #isExcepted({ tokens }: TypedDates, at: number): boolean {
    const words = tokens.slice(Math.max(0, at - 1), at + 1).map(({ word }) => word);
    const before = tokens.slice(Math.max(0, at - 2), at).map(({ word }) => word);
    return [words.join(" "), before.at(-1) ?? "", before.join(" ")].some((some) =>
      this.#words.get("except")?.has(some),
    );
  }

  /** Returns the start index of the second of two dates, behind a dash or a word such as "to"; null without any. */
  #joined(typed: TypedDates, at: number): number | null {
    return typed.hasDash(at) ? at : this.#after("to", typed, at);
  }

  #after(name: keyof DateWords, typed: TypedDates, at: number): number | null {
    return typed.after(this.#words.get(name), at);
  }

  #past(name: keyof DateWords, typed: TypedDates, at: number): number {
    return this.#after(name, typed, at) ?? at;
  }
}
