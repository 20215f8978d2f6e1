import { useRouteLoaderData } from "@remix-run/react";
import {
  dayInShort,
  dayInWords,
  deadlineInWords,
  departureInShort,
  departureInWords,
  momentInWords,
} from "~/infra/zones";
import { EDIT_WINDOW_MS } from "~/infra/review-limits";

export interface Deadline {
  until: string;
  now: string;
}

type Props = {
  at: string;
  /** The site's zone without it. */
  zone?: string;
} & (
  | {
      /**
       * - `day`: "1 December 2026"
       * - `shortDay`: "1 Dec", with a year that is not the present twelve months'
       * - `departure`: with weekday and time
       * - `short`: the same on a card, "Sat 28 Nov, 09:00"
       * - `moment`: with time, and always with the zone's name
       */
      form?: "day" | "shortDay" | "departure" | "short" | "moment";
      now?: undefined;
    }
  /** `deadline`: "tomorrow, 01:08", as said at `now` (ISO 8601). */
  | { form: "deadline"; now: string }
);

export function Time({ at, zone: given, form = "day", now }: Props) {
  const siteZone = useRouteLoaderData<{ timeZone: string }>("root")?.timeZone ?? "UTC";
  const zone = given ?? siteZone;
  const date = new Date(at);
  const words = {
    day: () => dayInWords(date, zone),
    shortDay: () => dayInShort(date, new Date(), zone),
    departure: () => departureInWords(date, zone, siteZone),
    // In one line up to the time of day: only the zone may go to the next one.
    short: () =>
      departureInShort(date, new Date(), zone, siteZone).replace(/^[^:]+:/, (part) =>
        part.replaceAll(" ", "\u00A0"),
      ),
    moment: () => momentInWords(date, zone),
    deadline: () => deadlineInWords(date, new Date(now!), zone, siteZone),
  };
  return (
    // A browser may have older rules of a zone than the server.
    <time dateTime={at} suppressHydrationWarning>
      {words[form]()}
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
export function editDeadline(createdAt: string): Deadline | null {
  const until = new Date(new Date(createdAt).getTime() + EDIT_WINDOW_MS);
  const now = new Date();
  return now > until ? null : { until: until.toISOString(), now: now.toISOString() };
}

/** "You can edit this until tomorrow, 01:08" */
export function EditableUntil({ deadline, zone }: { deadline: Deadline; zone: string }) {
  return (
    <span>
      You can edit this until{" "}
      <Time at={deadline.until} now={deadline.now} zone={zone} form="deadline" />
    </span>
  );
}
