import { createRequire } from "node:module";
import type { Env } from "~/config/env.server";
import { TOUR_LANGUAGES } from "~/config/settings.server";
import {
  ENGLISH_STOP_WORDS,
  FILLERS,
  GENERIC,
  NO_AGENTS,
  NO_PLURALS,
  PLURALS_IN_US,
  RELATED,
} from "./language-words.server";
import { indexedWords } from "./search-words.server";
import { wordSpellings } from "./spellings.server";

type LanguageName = Env["tourLanguage"];

export type Language = ReturnType<typeof languageRules>;

const names = new Intl.DisplayNames("en-GB", { type: "language", fallback: "none" });

/**
 * "German" for the BCP 47 tag "de"; undefined for what is no tag and for an unknown one. Only on the server, since
 * browsers may know other names.
 */
export function languageName(tag: string): string | undefined {
  try {
    return names.of(tag);
  } catch {
    return undefined;
  }
}

/** Norwegian is written in two ways, and spoken in one. */
const SAME: Readonly<Record<string, string>> = { no: "nb", nn: "nb" };

/** "de" for "de-AT", whatever its region and script; undefined for what is no tag of a known language. */
export function languageCode(tag: string): string | undefined {
  if (languageName(tag) === undefined) return undefined;
  const { language } = new Intl.Locale(tag);
  return SAME[language] ?? language;
}

/** "German" for "de". */
export const spokenLanguage = (code: string): string =>
  code === "nb" ? "Norwegian" : languageName(code)!;

/** Returns the language of a BCP 47 tag; "none" for one whose words nothing here knows. */
export const namedLanguage = (tag: string): LanguageName =>
  TOUR_LANGUAGES.find((known) => known === languageName(tag)?.toLowerCase()) ?? "none";

// Only the languages that are used are loaded.
const require = createRequire(import.meta.url);

function loadStemmer(name: LanguageName): (word: string) => string {
  if (name === "none") return (word) => word;
  return (require(`@orama/stemmers/${name}`) as typeof import("@orama/stemmers/english")).stemmer;
}

/** Includes the English ones, which stand in tours of any language. */
function loadStopWords(name: LanguageName): Set<string> {
  const words = ENGLISH_STOP_WORDS.split(" ");
  if (name === "english" || name === "none") return new Set(words);
  const { stopwords } = require(`@orama/stopwords/${name}`) as {
    stopwords: string[];
  };
  return new Set([...words, ...stopwords.flatMap((word) => indexedWords(word))]);
}

/** A walker, hikers: someone who does it, or what it is done with. */
const AGENT = /^(\p{L}{3,})ers?$/u;
const noAgents = new Set(NO_AGENTS.split(" ").flatMap((word) => [word, `${word}s`]));

const SINGULAR = /([^o]us|sis|polis)$/;
const singulars = new Set(NO_PLURALS.split(" "));
const pluralsInUs = new Set(PLURALS_IN_US.split(" "));

/** A word as the English stemmer has to get it, which takes every last s for that of a plural: "buses" for "bus". */
const asPlural = (word: string) =>
  singulars.has(word) || (SINGULAR.test(word) && !pluralsInUs.has(word)) ? `${word}es` : word;

/** Rules for the words of a language, all in the form that `indexedWords` returns. */
export function languageRules(name: LanguageName, relatedLines = RELATED[name] ?? []) {
  const isEnglish = name === "english";
  const plainStemmer = loadStemmer(name);
  const stemmer = (word: string) => plainStemmer(isEnglish ? asPlural(word) : word);
  const stopWords = loadStopWords(name);
  /** One or more stems of a word: for "walks" and "walking" it is "walk". */
  const toStems = (word: string): string[] => {
    // The stemmer takes a walker and walking for different things.
    const doing = isEnglish && !noAgents.has(word) && AGENT.exec(word)?.[1];
    return doing ? [stemmer(word), stemmer(`${doing}ing`)] : [stemmer(word)];
  };
  const generic = new Set(indexedWords(GENERIC[name] ?? "tour").map(stemmer));
  const fillers = new Set(indexedWords(FILLERS[name] ?? "").flatMap(toStems));
  const others = othersByStem(relatedLines, stemmer);
  return {
    /** Whether a word says nothing about a tour, such as "the". */
    isStopWord: (word: string) => stopWords.has(word),
    /** Whether a word says what every tour is, such as "tour". */
    isGeneric: (word: string) =>
      wordSpellings(word).some((spelling) => toStems(spelling).some((stem) => generic.has(stem))),
    /** Whether a stem is that of a word which is no topic, such as "without". */
    isFiller: (stem: string) => fillers.has(stem),
    toStems,
    relatedTo: (word: string) => toStems(word).flatMap((stem) => others.get(stem) ?? []),
  };
}

/** A search for a word finds the others of its line; the words behind ">" are found, but find none of these. */
function othersByStem(lines: readonly string[], stemmer: (word: string) => string) {
  const others = new Map<string, string[]>();
  for (const line of lines) {
    const [typed = [], found = []] = line.split(">").map(indexedWords);
    for (const word of typed) {
      const known = others.get(stemmer(word)) ?? [];
      others.set(stemmer(word), [
        ...known,
        ...[...typed, ...found].filter((other) => other !== word),
      ]);
    }
  }
  return others;
}
