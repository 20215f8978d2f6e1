// Times as the clocks of a zone show them. In words of our own, because browsers word dates differently: the server
// and every browser have to render the same text.

/** A moment as the clocks of a zone show it; `month` and `day` from 1, `weekday` from 0 for Sunday. */
export interface ClockTime {
  year: number;
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
}

interface Zone {
  /** In the spelling of the IANA database, as far as the runtime knows that. */
  name: string;
  format: Intl.DateTimeFormat;
}

const LONGEST_NAME = 64;

const MOST_KEPT = 64;

const kept = new Map<string, Zone>();

const UTC_NAMES = /^(Etc\/)?(UTC|UCT|GMT|GMT[+-]?0|Zulu|Universal|Greenwich)$/i;

function zoneNamed(given: string): Zone | null {
  const known = kept.get(given);
  if (known) return known;
  if (given.length > LONGEST_NAME || !/^[A-Za-z]/.test(given)) return null;
  const wanted = UTC_NAMES.test(given) ? "UTC" : given;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: wanted,
      calendar: "gregory",
      hourCycle: "h23",
      era: "narrow",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return null;
  }
  // Where the runtime prefers another name of the same zone (Asia/Calcutta), the given one stays.
  const { timeZone } = format.resolvedOptions();
  const isSpelling = timeZone.toLowerCase() === wanted.toLowerCase();
  const zone = { name: isSpelling ? timeZone : wanted, format };
  const [oldest = ""] = kept.keys();
  if (kept.size >= MOST_KEPT) kept.delete(oldest);
  kept.set(given, zone);
  return zone;
}

/** In its usual spelling, such as "Asia/Tokyo"; undefined when there is no such zone. */
export const timeZoneNamed = (text: string): string | undefined => zoneNamed(text)?.name;

/** UTC, where the runtime does not know the zone: an older browser, or a newer name. */
const zoneOrUtc = (zone: string): Zone => zoneNamed(zone) ?? zoneNamed("UTC")!;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Milliseconds since 1970. Date.UTC takes the year 99 for 1999. */
function utcMs(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.setUTCHours(hour, minute, second);
}

type Parts = [number, number, number, number, number, number];

/** How far the clocks of a zone are ahead of UTC at that moment, in milliseconds. */
function offsetAt(at: number, { format }: Zone): number {
  // "12/1/2026 A, 07:30:00": its parts one by one would take four times as long.
  const text = format.format(at);
  const [month, day, year, hour, minute, second] = (text.match(/\d+/g) ?? []).map(Number) as Parts;
  // In the west, the year 1 begins in the one before.
  const ofEra = text.includes("B") ? 1 - year : year;
  return utcMs(ofEra, month, day, hour % 24, minute, second) - Math.floor(at / 1_000) * 1_000;
}

export function clockTime(at: Date, zone: string): ClockTime {
  const shown = new Date(at.getTime() + offsetAt(at.getTime(), zoneOrUtc(zone)));
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    weekday: shown.getUTCDay(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
  };
}

/**
 * The moment when the clocks of that zone show that time; a day past the end of its month is one of the next. Of a time
 * that they show twice it is the first, and one that they skip is as long after their change.
 */
export function momentAtClockTime(
  { year, month, day, hour, minute }: Omit<ClockTime, "weekday">,
  zone: string,
): Date {
  const wanted = zoneOrUtc(zone);
  const shown = utcMs(year, month, day, hour, minute);
  const before = shown - offsetAt(shown - DAY_MS, wanted);
  const after = shown - offsetAt(shown + DAY_MS, wanted);
  const shows = (at: number) => at + offsetAt(at, wanted) === shown;
  return new Date(!shows(before) && shows(after) ? after : before);
}

/** "summer " or "winter " for a moment of an hour that the clocks show twice, as they are put back in it. */
function seasonWhereAmbiguous(at: Date, name: string): string {
  const zone = zoneOrUtc(name);
  const own = offsetAt(at.getTime(), zone);
  const shown = at.getTime() + own;
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((near) => offsetAt(near, zone));
  const other = offsets.find(
    (offset) => offset !== own && offsetAt(shown - offset, zone) === offset,
  );
  if (other === undefined) return "";
  return own > other ? "summer " : "winter ";
}

/** "2026-12-01T07:30:00.000+09:00" */
export function isoWithOffset(at: Date, zone: string): string {
  const minutes = Math.round(offsetAt(at.getTime(), zoneOrUtc(zone)) / MINUTE_MS);
  const shown = new Date(at.getTime() + minutes * MINUTE_MS).toISOString().slice(0, -1);
  const digits = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const offset = Math.abs(minutes);
  return `${shown}${minutes < 0 ? "-" : "+"}${digits(offset / 60)}:${digits(offset % 60)}`;
}

/** "2026-12-01"; "+010000-01-01" where a zone is in the year after 9999 by then. */
export const dayOfMoment = (at: Date, zone: string) => isoWithOffset(at, zone).replace(/T.*/, "");

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** "Dec" for 12. */
export const shortMonth = (month: number) => longMonth(month).slice(0, 3);

export const longMonth = (month: number) => MONTHS[month - 1] ?? "";

/** "Sat" for 6. */
export const shortWeekday = (weekday: number) => longWeekday(weekday).slice(0, 3);

export const longWeekday = (weekday: number) => WEEKDAYS[weekday] ?? "";

const formatDay = ({ year, month, day }: ClockTime) => `${day} ${MONTHS[month - 1]} ${year}`;

const formatTime = ({ hour, minute }: Pick<ClockTime, "hour" | "minute">) =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

/** "07:30 UTC", "07:30, Tokyo time", "07:30 GMT-5", "02:30, Rome summer time" in an hour that clocks show twice. */
export function withZone(
  time: Pick<ClockTime, "hour" | "minute">,
  zone: string,
  season = "",
): string {
  const { name } = zoneOrUtc(zone);
  // The names of the database have their sign the other way round (POSIX).
  const [, sign, hours] = /^Etc\/GMT([+-])(\d+)$/.exec(name) ?? [];
  if (hours) return `${formatTime(time)} GMT${sign === "+" ? "-" : "+"}${hours}`;
  if (/^[A-Z\d]+$/.test(name)) return `${formatTime(time)} ${name}${season && `, ${season}time`}`;
  return `${formatTime(time)}, ${name.replace(/^.*\//, "").replaceAll("_", " ")} ${season}time`;
}

/**
 * A time of day. Its zone follows unless it is the site's own; it always follows for UTC, which also stands for an
 * unknown zone.
 */
function timeInWords(at: Date, zone: string, siteZone: string): string {
  const time = clockTime(at, zone);
  const season = seasonWhereAmbiguous(at, zone);
  const isKnown = zone === siteZone && zone !== "UTC" && !season;
  return isKnown ? formatTime(time) : withZone(time, zone, season);
}

/** "1 December 2026" */
export const dayInWords = (at: Date, zone: string) => formatDay(clockTime(at, zone));

/** "1 Dec"; with its year when that is more than twelve months before or after `now`. */
export function dayInShort(at: Date, now: Date, zone: string): string {
  const { year, month, day } = clockTime(at, zone);
  const short = `${day} ${shortMonth(month)}`;
  return Math.abs(at.getTime() - now.getTime()) > 365 * DAY_MS ? `${short} ${year}` : short;
}

/** "1 December 2026, 07:30 UTC" */
export function momentInWords(at: Date, zone: string): string {
  const time = clockTime(at, zone);
  return `${formatDay(time)}, ${withZone(time, zone, seasonWhereAmbiguous(at, zone))}`;
}

/** Whether a departure is a day without a time, which is stored as midnight UTC, where nobody has named a zone. */
export const isDayAlone = (at: Date, zone: string) => zone === "UTC" && at.getTime() % DAY_MS === 0;

/** "Tuesday 1 December 2026, 07:30, Tokyo time" */
export function departureInWords(at: Date, zone: string, siteZone: string): string {
  const time = clockTime(at, zone);
  const day = `${WEEKDAYS[time.weekday]} ${formatDay(time)}`;
  return isDayAlone(at, zone) ? day : `${day}, ${timeInWords(at, zone, siteZone)}`;
}

/** "Tuesday 1 December, 07:30, Tokyo time": the year only where it is not that of `now`, the zone as below. */
export function departureToCome(at: Date, now: Date, zone: string, siteZone: string): string {
  const time = clockTime(at, zone);
  const isPresent = time.year === clockTime(now, zone).year;
  const date = isPresent ? `${time.day} ${MONTHS[time.month - 1]}` : formatDay(time);
  return `${WEEKDAYS[time.weekday]} ${date}${timeOfDeparture(at, zone, siteZone)}`;
}

/** "Sat 28 Nov, 09:00": the year only where it is twelve months away, the zone only where it is not the site's. */
export function departureInShort(at: Date, now: Date, zone: string, siteZone: string): string {
  const { weekday } = clockTime(at, zone);
  const date = `${shortWeekday(weekday)} ${dayInShort(at, now, zone)}`;
  return date + timeOfDeparture(at, zone, siteZone);
}

/** ", 09:00", with the zone where it is not the site's; empty for a day without a time. */
function timeOfDeparture(at: Date, zone: string, siteZone: string): string {
  if (isDayAlone(at, zone)) return "";
  const isKnown = zone === siteZone && !seasonWhereAmbiguous(at, zone);
  return `, ${isKnown ? formatTime(clockTime(at, zone)) : timeInWords(at, zone, siteZone)}`;
}

/** "01:08 tomorrow", "01:08 today (Tokyo time)" */
export function deadlineInWords(until: Date, now: Date, zone: string, siteZone: string): string {
  const end = clockTime(until, zone);
  const today = clockTime(now, zone);
  const number = ({ year, month, day }: ClockTime) => utcMs(year, month, day) / DAY_MS;
  const days = number(end) - number(today);
  const day = ["today", "tomorrow"][days] ?? `on ${WEEKDAYS[end.weekday]} ${formatDay(end)}`;
  const time = formatTime(end);
  const named = timeInWords(until, zone, siteZone).slice(time.length).replace(/^,? /, "");
  return `${time} ${day}${named && ` (${named})`}`;
}
