import { EDIT_WINDOW_MS } from "~/services/limits";

// A fixed language and time zone, so that the server and every browser render the same text.
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** The date of `at` (ISO 8601) in UTC; with `withTime` also the time, to the minute. */
export function Time({ at, withTime }: { at: string; withTime?: boolean }) {
  const date = new Date(at);
  return <time dateTime={at}>{withTime ? `${minute.format(date)} UTC` : day.format(date)}</time>;
}

/** A duration in hours, to a tenth: "2.5 hours"; below one in minutes. */
export function hoursInWords(minutes: number): string {
  if (minutes < 60) return `${Math.round(minutes)} min`;
  const hours = Math.round(minutes / 6) / 10;
  return `${hours.toLocaleString("en-GB")} ${hours === 1 ? "hour" : "hours"}`;
}

const HOUR_MS = 60 * 60 * 1_000;

/** The time from `now` until `until`, rounded down to hours or minutes: "23 hours left". */
export function timeLeft(until: Date, now: Date): string {
  const left = until.getTime() - now.getTime();
  const minutes = Math.floor(left / 60_000);
  if (left >= 2 * HOUR_MS) return `${Math.floor(left / HOUR_MS)} hours left`;
  if (minutes >= 60) return "1 hour left";
  if (minutes > 1) return `${minutes} minutes left`;
  return minutes === 1 ? "1 minute left" : "Less than a minute left";
}

/** How long a review of `createdAt` (ISO 8601) can still be edited, in words; null when it no longer can. */
export function editTimeLeft(createdAt: string): string | null {
  const until = new Date(new Date(createdAt).getTime() + EDIT_WINDOW_MS);
  const now = new Date();
  return now > until ? null : timeLeft(until, now);
}
