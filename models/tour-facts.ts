import { Schema } from "mongoose";
import { asCount, asLabel, asName, asNumberWithin } from "./reading";

/** A place in words, on the map, or both. */
export interface MeetingPoint {
  text?: string | null;
  /** In degrees (WGS 84), north and east positive. */
  lat?: number | null;
  lng?: number | null;
}

/** Facts for travellers who may book a tour: each is null, or an empty list, where the platform does not say it. */
export interface TourFacts {
  /** In units of its currency, such as euros. */
  price: number | null;
  /** ISO 4217, such as "EUR", as it was given: there may be no such currency. */
  currency: string | null;
  meetingPoint: string | MeetingPoint | null;
  /** How many people come along at most. */
  groupSize: number | null;
  /** In years. */
  minAge: number | null;
  /** Tags of BCP 47, such as "en", as they were given. */
  languages: string[];
  included: string[];
  /** Things that guests bring along. */
  bring: string[];
}

export const HIGHEST_PRICE = 1_000_000_000;
export const LARGEST_GROUP = 100_000;
export const HIGHEST_AGE = 120;
/** Entries of a list. */
export const MOST_ENTRIES = 50;
/** The longest entry and meeting point, in UTF-16 units. */
const LONGEST_TEXT = 1_000;

const text = { type: String, default: null };
const number = { type: Number, default: null };

export const factFields = {
  price: number,
  currency: text,
  meetingPoint: { type: Schema.Types.Mixed, default: null },
  groupSize: number,
  minAge: number,
  languages: [String],
  included: [String],
  bring: [String],
};

const list = { read: asTexts, otherwise: (): string[] => [] };

/** See `readTolerantly`. */
export const factReaders = {
  price: { read: asNumberWithin(0, HIGHEST_PRICE), otherwise: null },
  currency: { read: asLabel, otherwise: null },
  meetingPoint: { read: asMeetingPoint, otherwise: null },
  groupSize: { read: asCountWithin(1, LARGEST_GROUP), otherwise: null },
  minAge: { read: asCountWithin(0, HIGHEST_AGE), otherwise: null },
  languages: list,
  included: list,
  bring: list,
};

function asCountWithin(least: number, most: number) {
  const within = asNumberWithin(least, most);
  return (value: unknown) => within(asCount(value));
}

function asShortText(value: unknown): string | undefined {
  const line = asLabel(asName(value));
  return line !== undefined && line.length <= LONGEST_TEXT ? line : undefined;
}

/** Reads the good entries of a list. */
function asTexts(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.slice(0, MOST_ENTRIES).flatMap((entry) => asShortText(entry) ?? []);
  return texts.length === value.length && texts.every((line, n) => line === value[n])
    ? (value as string[])
    : texts;
}

const asLatitude = asNumberWithin(-90, 90);
const asLongitude = asNumberWithin(-180, 180);

/** A place has words, or both coordinates. */
function asMeetingPoint(value: unknown): string | MeetingPoint | undefined {
  if (typeof value !== "object" || value === null) return asShortText(value);
  const { text: words, lat, lng } = value as Record<keyof MeetingPoint, unknown>;
  const text = asShortText(words) ?? null;
  const at = { lat: asLatitude(lat) ?? null, lng: asLongitude(lng) ?? null };
  const isOnMap = at.lat !== null && at.lng !== null;
  if (text === null && !isOnMap) return undefined;
  const isGood = text === (words ?? null) && at.lat === (lat ?? null) && at.lng === (lng ?? null);
  return isGood ? value : { text, ...(isOnMap && at) };
}
