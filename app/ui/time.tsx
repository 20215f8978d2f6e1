import { useRouteLoaderData } from "@remix-run/react";
import {
  dayInShort,
  dayInWords,
  deadlineInWords,
  departureInShort,
  departureInWords,
  departureToCome,
  momentInWords,
} from "~/config/zones";
import { EDIT_WINDOW_MS } from "~/lib/review-limits";

export interface Deadline {
  until: string;
  now: string;
}

interface Moment {
  date: Date;
  now: Date;
  zone: string;
  siteZone: string;
}

const FORMS = {
  /** "1 December 2026" */
  day: ({ date, zone }: Moment) => dayInWords(date, zone),
  /** "1 Dec", with a year that is not the present twelve months' */
  shortDay: ({ date, now, zone }: Moment) => dayInShort(date, now, zone),
  /** "Saturday 28 November 2026, 09:00" */
  departure: ({ date, zone, siteZone }: Moment) => departureInWords(date, zone, siteZone),
  /** "Saturday 28 November, 09:00", with another year than the present one */
  toCome: ({ date, now, zone, siteZone }: Moment) => departureToCome(date, now, zone, siteZone),
  /** The same without its zone, behind one that names it. */
  alsoToCome: ({ date, now, zone }: Moment) => departureToCome(date, now, zone, zone),
  /** "Sat 28 Nov, 09:00", in one line: only the zone may go to the next one. */
  short: ({ date, now, zone, siteZone }: Moment) =>
    departureInShort(date, now, zone, siteZone).replace(/^[^:]+:/, (part) =>
      part.replaceAll(" ", "\u00A0"),
    ),
  /** A day with the time and always the zone's name. */
  moment: ({ date, zone }: Moment) => momentInWords(date, zone),
  /** "01:08 tomorrow", as said at `now`. */
  deadline: ({ date, now, zone, siteZone }: Moment) => deadlineInWords(date, now, zone, siteZone),
};

interface Props {
  /** A date, or ISO 8601. */
  at: Date | string;
  zone?: string;
  form?: keyof typeof FORMS;
  now?: string;
}

/** A time in words, by the clocks of `zone`, or else of the site's zone. */
export function Time({ at, zone, form = "day", now }: Props) {
  const siteZone = useRouteLoaderData<{ timeZone: string }>("root")?.timeZone ?? "UTC";
  const date = new Date(at);
  const shown = { date, now: now === undefined ? new Date() : new Date(now) };
  return (
    // A browser may have older rules of a zone than the server.
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {FORMS[form]({ ...shown, zone: zone ?? siteZone, siteZone })}
    </time>
  );
}

/** A duration in hours, to a tenth: "2.5 hours"; below one in whole minutes. */
export function hoursInWords(minutes: number): string {
  const whole = Math.round(minutes);
  if (whole < 60) return whole < 1 ? "under 1 min" : `${whole} min`;
  const hours = Math.round(minutes / 6) / 10;
  return `${hours.toLocaleString("en-GB")} ${hours === 1 ? "hour" : "hours"}`;
}

/** Until when a review of `createdAt` (ISO 8601) can be edited; null when it no longer can. */
export function editDeadline(createdAt: string, now = new Date()): Deadline | null {
  const until = new Date(new Date(createdAt).getTime() + EDIT_WINDOW_MS);
  return now > until ? null : { until: until.toISOString(), now: now.toISOString() };
}

/** "You can edit this until 01:08 tomorrow" */
export function EditableUntil({ deadline, zone }: { deadline: Deadline; zone: string }) {
  return (
    <span>
      You can edit this until{" "}
      <Time at={deadline.until} now={deadline.now} zone={zone} form="deadline" />
    </span>
  );
}
