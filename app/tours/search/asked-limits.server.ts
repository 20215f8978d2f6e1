import { HIGHEST_AGE, HIGHEST_PRICE } from "#models/tour-facts";
import { priceInWords } from "~/lib/currencies.server";
import { env } from "~/config/env.server";
import { firstCharacters } from "~/lib/text";
import type { LimitChoice } from "~/search/fact-index.server";
import { FactReader } from "~/search/fact-reader.server";
import { textWithout } from "~/search/fact-tokens.server";
import { languageCode, languageRules, spokenLanguage } from "~/search/language.server";
import { type Limit, LIMITS, type Limits, NO_LIMITS } from "~/search/limits";
import type { TourIndex } from "~/search/tour-index.server";
import { hoursInWords } from "~/ui/time";
import { type Ignored, type ListQuery, LONGEST_SHOWN } from "./list-query";

/** A limit that is on. */
export interface AskedLimit {
  limit: Limit;
  value: string | number;
  /** "up to €30" */
  inWords: string;
  /** The search without it. */
  without: Pick<ListQuery, "words"> & Partial<Limits>;
}

export interface ShownChoice {
  value: string;
  /** "German", "Up to €30" */
  name: string;
  tours: number;
}

export type ShownChoices = Record<Limit, ShownChoice[]>;

const LONGEST_TAG = 35;
const MOST_HOURS = 1_000;

const factReader = new FactReader(
  env().tourLanguage,
  languageRules(env().tourLanguage, env().relatedWords),
);

const numberWithin = (pattern: RegExp, least: number, most: number) => (text: string) => {
  const number = pattern.test(text) ? Number(text) : NaN;
  return number >= least && number <= most ? number : null;
};

const READERS: { [Name in Limit]: (text: string) => Limits[Name] } = {
  language: (text) => (text.length <= LONGEST_TAG && languageCode(text)) || null,
  price: numberWithin(/^\d{1,10}(\.\d{1,2})?$/, 0, HIGHEST_PRICE),
  age: numberWithin(/^\d{1,3}$/, 0, HIGHEST_AGE),
  hours: numberWithin(/^\d{1,4}(\.\d{1,2})?$/, 0.01, MOST_HOURS),
};

const NOT: Record<Limit, string> = {
  language: "no language",
  price: "no price",
  age: "no age",
  hours: "no number of hours",
};

/** Reads the limits of an address. Invalid ones count as none, and are returned as `ignored`. */
export function readLimits(search: URLSearchParams): { limits: Limits; ignored: Ignored[] } {
  const limits = { ...NO_LIMITS };
  const ignored: Ignored[] = [];
  for (const limit of LIMITS) {
    const text = search.get(limit)?.trim() ?? "";
    if (text === "") continue;
    const value = READERS[limit](text);
    if (value === null)
      ignored.push({ text: firstCharacters(text, LONGEST_SHOWN), why: NOT[limit] });
    else Object.assign(limits, { [limit]: value });
  }
  return { limits, ignored };
}

/**
 * The limits of the address, and those that words name. `text` is as it was typed, with blanks instead of the words of a
 * date.
 */
export function askedLimits(
  query: Pick<ListQuery, "words"> & Partial<Limits>,
  text: string,
  index: TourIndex,
) {
  const { limits: named, isCheap, typed } = factReader.read(text, index);
  const limits = { ...NO_LIMITS, ...named, ...(isCheap && { price: index.cheap }) };
  for (const limit of LIMITS)
    if (query[limit] !== undefined && query[limit] !== null)
      Object.assign(limits, { [limit]: query[limit] });
  const asked = LIMITS.flatMap((limit): AskedLimit[] => {
    const value = limits[limit];
    if (value === null) return [];
    const words = textWithout(
      query.words,
      typed.filter((one) => one.limit === limit),
    );
    const without = { words, [limit]: null };
    return [{ limit, value, inWords: limitInWords(limit, value, index.currency), without }];
  });
  return { limits, asked, rest: textWithout(text, typed), isTyped: typed.length > 0 };
}

function limitInWords(limit: Limit, value: string | number, currency: string | null): string {
  if (limit === "language") return `in ${spokenLanguage(String(value))}`;
  const number = Number(value);
  if (limit === "age") return `for age ${number}`;
  if (limit === "hours") return `up to ${hoursInWords(number * 60)}`;
  return `up to ${currency ? priceInWords(number, currency) : number.toLocaleString("en-GB")}`;
}

/** With the ones that are asked for. */
export function shownChoices(index: TourIndex, query: Parameters<TourIndex["choices"]>[0]) {
  const { limits = NO_LIMITS } = query;
  const choices = index.choices(query);
  const shown = LIMITS.map((limit): [Limit, ShownChoice[]] => {
    const all: LimitChoice<string | number>[] = choices[limit];
    const asked = limits[limit];
    const isMissing = asked !== null && all.every(({ value }) => value !== asked);
    const { total } = isMissing
      ? index.find({ ...query, sort: "best", page: 1, size: 1 })
      : { total: 0 };
    const these = isMissing ? [...all, { value: asked, tours: total }] : [...all];
    if (limit !== "language") these.sort((a, b) => Number(a.value) - Number(b.value));
    return [
      limit,
      these.map(({ value, tours }) => ({
        value: String(value),
        name: choiceName(limit, value, index.currency),
        tours,
      })),
    ];
  });
  return Object.fromEntries(shown) as ShownChoices;
}

function choiceName(limit: Limit, value: string | number, currency: string | null): string {
  if (limit === "language") return spokenLanguage(String(value));
  if (limit === "age") return String(value);
  const words = limitInWords(limit, value, currency);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
