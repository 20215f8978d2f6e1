import type { MeetingPoint, TourFacts } from "#models/tour-facts";
import { currencyNamed, priceInWords } from "~/lib/currencies.server";
import { languageName } from "~/search/language.server";

// A tour's facts as its page shows them (docs/rules/tours.md, Tours). They are worded here, because browsers may know
// other names of languages and currencies.

export interface Price {
  amount: number;
  currency: string;
  words: string;
}

/** The icon beside a fact. */
type Sign = "languages" | "group" | "age";

export interface ShownFacts {
  /** Facts of a few words, by their names. */
  inShort: { sign: Sign; name: string; words: string }[];
  meetingPoint: { text: string | null; map: string | null } | null;
  included: string[];
  bring: string[];
}

/** Null without a known currency. */
export function toPrice({ price, currency }: TourFacts): Price | null {
  const code = currencyNamed(currency);
  if (price === null || code === null) return null;
  return { amount: price, currency: code, words: priceInWords(price, code) };
}

export function toShownFacts(tour: TourFacts): ShownFacts {
  const { meetingPoint, included, bring } = tour;
  const languages = [...new Set(tour.languages.flatMap((tag) => languageName(tag) ?? []))];
  const words: [sign: Sign, name: string, words: string | undefined][] = [
    ["languages", languages.length === 1 ? "Language" : "Languages", languages.join(", ")],
    ["group", "Group size", groupInWords(tour.groupSize)],
    ["age", "Age", ageInWords(tour.minAge)],
  ];
  return {
    inShort: words.flatMap(([sign, name, words]) => (words ? { sign, name, words } : [])),
    meetingPoint:
      typeof meetingPoint === "string" ? onMap({ text: meetingPoint }) : onMap(meetingPoint),
    included,
    bring,
  };
}

function groupInWords(most: number | null) {
  if (most === null) return undefined;
  return most === 1 ? "1 person" : `Up to ${most.toLocaleString("en-GB")} people`;
}

function ageInWords(years: number | null) {
  if (years === null) return undefined;
  return years === 0 ? "All ages" : `From ${years} ${years === 1 ? "year" : "years"}`;
}

function onMap(place: MeetingPoint | null): ShownFacts["meetingPoint"] {
  if (!place) return null;
  const { text = null, lat, lng } = place;
  const north = lat?.toFixed(6);
  const east = lng?.toFixed(6);
  if (!north || !east) return { text, map: null };
  const at = `?mlat=${north}&mlon=${east}#map=17/${north}/${east}`;
  return { text, map: `https://www.openstreetmap.org/${at}` };
}
