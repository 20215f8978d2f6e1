import { cached } from "~/lib/cache.server";
import { env } from "~/config/env.server";
import { type Language, languageRules, namedLanguage } from "~/search/language.server";
import { letterPairs, searchedWords, indexedWords } from "~/search/search-words.server";
import { isDense, wordSpellings } from "~/search/spellings.server";

const languages = new Map<string | null, Language>();

/** Returns the rules of a language, or those of the tours' own for a text of an uncertain one. */
function languageBy(tag: string | null): Language {
  let language = languages.get(tag);
  if (!language) {
    const { tourLanguage, relatedWords } = env();
    const name = tag === null ? tourLanguage : namedLanguage(tag);
    language = languageRules(name, name === tourLanguage ? relatedWords : undefined);
    languages.set(tag, language);
  }
  return language;
}

/** Names a stem in one language: the German "die" is not the English one. */
const wordKey = (tag: string | null, stem: string) => `${tag ?? ""} ${stem}`;

/** Returns the language of a key. */
export const languageTag = (key: string) => key.split(" ", 1)[0] || null;

/** Returns whether a key is a word that says something by itself, and no pair of letters or number. */
export function isMeaningful(key: string): boolean {
  const [, stem = ""] = key.split(" ");
  const { isGeneric, isFiller } = languageBy(languageTag(key));
  return /\p{L}{3}$/u.test(key) && !isDense(key) && !isGeneric(stem) && !isFiller(stem);
}

/** Returns the words of a comment in that language, by language and stem. */
export function wordKeys(comment: string, tag: string | null): Set<string> {
  return new Set(indexedWords(comment).flatMap((word) => keysForWord(word, tag)));
}

/** Most comments have the same few thousand words. */
const keysByWord = cached<string[]>({ name: "words", maxBytes: 8 * 1024 * 1024 });

/** Returns the keys of a word; none for one that says nothing. */
function keysForWord(word: string, tag: string | null): string[] {
  const name = wordKey(tag, word);
  let keys = keysByWord.get(name);
  if (!keys) {
    const { isStopWord, toStems } = languageBy(tag);
    const stems = isDense(word) ? [word] : toStems(word);
    keys = isStopWord(word) ? [] : stems.map((stem) => wordKey(tag, stem));
    keysByWord.set(name, keys);
  }
  return keys;
}

/** A search in one language: a review has it when it has a key of each list. */
export interface Search {
  tag: string | null;
  keys: string[][];
}

/** Returns what to look for in reviews of that language; null when the words say nothing. */
export function searchIn(words: string, tag: string | null): Search | null {
  const searched = searchedWords(words, languageBy(null).isStopWord) ?? [];
  const { toStems, relatedTo } = languageBy(tag);
  const stemForms = (word: string) => wordSpellings(word).flatMap(toStems);
  const keys = searched.flatMap((word, nth) => {
    if (isDense(word)) return letterPairs(word).map((pair) => [pair]);
    // Each of two words is there also where they are written as one.
    const before = searched[nth - 1];
    const after = searched[nth + 1];
    const wholes = [before ? before + word : [], after ? word + after : []].flat();
    const words = [word, ...wholes, ...wordSpellings(word).flatMap(relatedTo)];
    return [[...new Set(words.flatMap(stemForms))]];
  });
  if (keys.length === 0) return null;
  return { tag, keys: keys.map((stems) => stems.map((stem) => wordKey(tag, stem))) };
}

/** Languages of a tour in which its reviews are searched, the most frequent first. */
const MOST_LANGUAGES = 12;

/** Returns what to look for in reviews of each of these languages, and of an uncertain one (null). */
export const searchesFor = (
  words: string,
  tags: readonly string[],
): Map<string | null, Search | null> =>
  new Map([null, ...tags.slice(0, MOST_LANGUAGES)].map((tag) => [tag, searchIn(words, tag)]));

/** Returns whether a comment has all words of a search in its language. */
export function hasWords(comment: string, { tag, keys }: Search): boolean {
  const found = wordKeys(comment, tag);
  return keys.every((stems) => stems.some((key) => found.has(key)));
}

/** A number with its separators, a run of letters and digits, or an emoji. */
const RUN =
  /\p{Nd}{1,3}(?:[,.'’]\p{Nd}{3})+(?!\p{Nd})|[\p{L}\p{M}\p{N}'’\p{Default_Ignorable_Code_Point}]+|\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;
const HYPHEN = /^[-\u2010\u2011]$/;

/**
 * Returns the pairs of words of a comment that stand side by side, say something each, and of which one has that key:
 * how they are written, by their keys.
 */
export function pairsWith(key: string, comment: string): Map<string, string> {
  const tag = languageTag(key);
  const pairs = new Map<string, string>();
  let before: { keys: string[]; from: number; to: number } | undefined;
  for (const { 0: run, index } of comment.matchAll(RUN)) {
    const here = {
      keys: [...wordKeys(run, tag)].filter(isMeaningful),
      from: index,
      to: index + run.length,
    };
    if (before && /^[ \u00A0-]$/.test(comment.slice(before.to, here.from))) {
      const isPair = before.keys.length > 0 && here.keys.length > 0;
      if (isPair && [...before.keys, ...here.keys].includes(key))
        pairs.set(`${before.keys[0]} ${here.keys[0]}`, comment.slice(before.from, here.to));
    }
    before = here;
  }
  return pairs;
}

type TextSpan = [start: number, end: number];

/** Returns where the searched words stand in a comment: beginnings and ends, in characters of JavaScript. */
export function findMarks(comment: string, { tag, keys }: Search): TextSpan[] {
  const wanted = new Set(keys.flat());
  const isWanted = ([start, end]: TextSpan) =>
    [...wordKeys(comment.slice(start, end), tag)].some((key) => wanted.has(key));
  const marks: TextSpan[] = [];
  let before: TextSpan | undefined;
  for (const { 0: run, index } of comment.matchAll(RUN)) {
    const place: TextSpan = [index, index + run.length];
    if (isWanted(place)) marks.push(place);
    else if (before && before !== marks.at(-1) && HYPHEN.test(comment.slice(before[1], index))) {
      const both: TextSpan = [before[0], place[1]];
      if (isWanted(both)) marks.push(both);
    }
    before = place;
  }
  return marks;
}
