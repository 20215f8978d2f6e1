import { DAY_MS } from "~/lib/durations";
import {
  clockTime,
  dayOfMoment,
  longMonth,
  longWeekday,
  momentAtClockTime,
  shortMonth,
  shortWeekday,
} from "~/config/zones";

// Days of the calendar as they stand in addresses: "2026-12-05".

const midnight = (day: string) => new Date(`${day}T00:00Z`);

/** Whether a text is a day of the years 1 to 9999, as all stored dates are. */
export const isDay = (text: string) =>
  /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && midnight(text).toJSON()?.slice(0, 10) === text;

const FIRST_DAY_MS = midnight("0001-01-01").getTime();
const LAST = midnight("9999-12-31").getTime() + DAY_MS - 1;

/** Not every database takes a moment before or after these, as a day of some zone has at either end. */
const withinYears = (at: number) => new Date(Math.min(Math.max(at, FIRST_DAY_MS), LAST));

/** Only for days near today: the one after the last of the calendar is no day. */
export const dayAfter = (day: string, days: number) =>
  new Date(midnight(day).getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** From 0 for Sunday. */
export const toWeekday = (day: string) => midnight(day).getUTCDay();

/** The first moment of the day in that zone, of the years 1 to 9999 in UTC. */
export const beginningOfDay = (day: string, zone: string) => withinYears(midnightIn(zone, day, 0));

/** Its last moment likewise, to the millisecond. */
export const endOfDay = (day: string, zone: string) => withinYears(midnightIn(zone, day, 1) - 1);

function midnightIn(zone: string, day: string, later: number): number {
  const date = clockTime(midnight(day), "UTC");
  return momentAtClockTime({ ...date, day: date.day + later, hour: 0, minute: 0 }, zone).getTime();
}

export const today = (zone: string, now = new Date()) => dayOfMoment(now, zone);

/** From its Saturday, or today's Sunday, to its Sunday. */
export function weekendFrom(day: string): { from: string; to: string } {
  const from = toWeekday(day) === 0 ? day : dayAfter(day, 6 - toWeekday(day));
  return { from, to: toWeekday(from) === 0 ? from : dayAfter(from, 1) };
}

/** "Sat 5 Dec", with a year that is not the present twelve months'. */
export function shortDay(day: string, now: string): string {
  const { month, day: date, weekday } = clockTime(midnight(day), "UTC");
  return `${shortWeekday(weekday)} ${date} ${shortMonth(month)}${otherYear(day, now)}`;
}

/** "Saturday 5 December", with a year likewise */
export function longDay(day: string, now: string): string {
  const { month, day: date, weekday } = clockTime(midnight(day), "UTC");
  return `${longWeekday(weekday)} ${date} ${longMonth(month)}${otherYear(day, now)}`;
}

function otherYear(day: string, now: string): string {
  const isNear = Math.abs(midnight(day).getTime() - midnight(now).getTime()) <= 365 * DAY_MS;
  return isNear ? "" : ` ${clockTime(midnight(day), "UTC").year}`;
}

/** "Sat 5 Dec to Sun 6 Dec", "from Sat 5 Dec", "until Sun 6 Dec" */
export function daysInWords(from: string | null, to: string | null, now: string): string {
  if (!to) return from ? `from ${shortDay(from, now)}` : "";
  if (!from) return `until ${shortDay(to, now)}`;
  return from === to ? shortDay(to, now) : `${shortDay(from, now)} to ${shortDay(to, now)}`;
}
