import { dayAfter, isDay } from "~/lib/days";
import type { DateToken } from "./typed-dates.server";

// The days of the calendar that the words of a search name (app/search/dates.server.ts).

/** Days that words name, the first and the last one. */
export interface NamedDays {
  from: string;
  to: string;
}

const DAY = /^(\d{1,2})(st|nd|rd|th|er|o|a|e|de|te)?$/;

/** The day of the month. */
export function dayOfMonth(token: DateToken | undefined): number | null {
  const [, day] = DAY.exec(token?.word.replace(" ", "") ?? "") ?? [];
  return day && Number(day) >= 1 && Number(day) <= 31 ? Number(day) : null;
}

const two = (number: number) => String(number).padStart(2, "0");

/** Reads "2026-12-05", "5.12.2026" and, if `isDotted`, "5.12."; null for anything else. */
export function writtenDay(word: string, today: string, isDotted: boolean): string | null {
  if (isDay(word)) return word;
  const [, day, month, year] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})?$/.exec(word) ?? [];
  if (!day || !month || (!year && !isDotted)) return null;
  return dayInYear({ day: Number(day), month: Number(month) }, year ?? null, today);
}

const YEARS_TO_A_LEAP_YEAR = 8;

/** Without a year the next one, today included; null where the month has no such day. */
export function dayInYear(
  { month, day }: { month: number; day: number },
  year: string | null,
  today: string,
): string | null {
  const end = `${two(month)}-${two(day)}`;
  if (year) return isDay(`${year}-${end}`) ? `${year}-${end}` : null;
  for (let n = 0; n <= YEARS_TO_A_LEAP_YEAR; n++) {
    const date = `${Number(today.slice(0, 4)) + n}-${end}`;
    if (isDay(date) && date >= today) return date;
  }
  return null;
}

/** From a day of the month of `to`, or from today on where that has passed. */
export function daysUntil(to: string, day: number, today: string): NamedDays {
  const from = `${to.slice(0, -2)}${two(day)}`;
  return { from: from < today && today <= to ? today : from, to };
}

/** Without a year the present or the next one, from today on. */
export function monthIn(month: number, year: string | null, today: string): NamedDays {
  const [thisYear, thisMonth] = today.split("-").map(Number) as [number, number];
  const of = year ? Number(year) : thisYear + (month < thisMonth ? 1 : 0);
  const first = `${of}-${two(month)}-01`;
  const to = dayAfter(`${month === 12 ? of + 1 : of}-${two((month % 12) + 1)}-01`, -1);
  return { from: !year && first < today ? today : first, to };
}

/**
 * In days. A period under way has begun last year if its end is earlier in the calendar than its beginning by more than
 * this.
 */
const HALF_A_YEAR = 183;

/** The days from one date to another; those of a period under way begin today. */
export function period(first: NamedDays, second: NamedDays, today: string): NamedDays {
  const isUnderWay = today <= second.to && dayAfter(second.to, HALF_A_YEAR) < first.from;
  if (isUnderWay) return { from: today, to: second.to };
  return {
    from: first.from < second.from ? first.from : second.from,
    to: first.to > second.to ? first.to : second.to,
  };
}
