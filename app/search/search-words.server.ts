import { foldedKana, foldedLetters, isDense, wordSpellings } from "./spellings.server";

const MOST_WORDS = 8;
const LONGEST_SEARCH = 1_000;
const LONGEST_WORD = 40;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const TYPED = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+/gu;
const RUN_WITH_APOSTROPHES = /[\p{L}\p{M}']+/gu;
const RUN_WITH_HYPHENS = /[\p{L}\p{M}-]+/gu;
/** Longest short part of a word such as "Wi-Fi", which nowhere else is taken apart. */
const SHORT_PART = 2;
const EMOJI = /\p{RI}\p{RI}|\p{Extended_Pictographic}/gu;
const BLANK = /^[\s\p{Cc}]*$/u;

const DENSE_RUNS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu;
/** Other scripts without spaces between words: a dictionary finds where these end. */
const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const characters = new Intl.Segmenter("en");
/** Particles of one letter, such as "of" and "with" in Japanese. */
const PARTICLE = /^\p{sc=Hira}$/u;

type StopWords = (word: string) => boolean;

/** Returns the pairs of letters of a word of a dense script; a single letter is its own. */
export function letterPairs(word: string): string[] {
  const letters = [...word];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, before) => letters[before]! + letter);
}

const dictionaryWords = (run: string) =>
  Array.from(segmenter.segment(run), ({ segment }) => segment);

/**
 * Returns runs of letters and digits, as `foldedLetters` has them. One of a dense script becomes what `split` makes of
 * it, one of another script without spaces its words.
 */
function wordRuns(letters: string, split: (run: string) => string[]): string[] {
  const runs = letters.match(WORD) ?? [];
  return runs
    .flatMap((run) => (isDense(run) ? (run.match(DENSE_RUNS) ?? []) : run))
    .flatMap((run) => {
      if (isDense(run)) return split(run);
      return UNSPACED.test(run) ? dictionaryWords(run) : run;
    })
    .map(shortenedWord);
}

const shortenedWord = (word: string) =>
  word.length > LONGEST_WORD ? [...word].slice(0, LONGEST_WORD).join("") : word;

/** The last letter is the beginning of no pair. */
function densePairs(run: string): string[] {
  const letters = foldedKana(run);
  return [...letterPairs(letters), ...[...letters].slice(-1)];
}

const emojisIn = (letters: string): string[] => letters.match(EMOJI) ?? [];

/** Words of several parts in one, where somebody may type them so: those with an apostrophe, or with a short part. */
function joinedParts(letters: string): string[] {
  const partsIn = (pattern: RegExp, mark: string) =>
    (letters.match(pattern) ?? [])
      .map((run) => run.split(mark).filter(Boolean))
      .filter(({ length }) => length > 1);
  const hyphenated = partsIn(RUN_WITH_HYPHENS, "-").filter((parts) =>
    parts.some(({ length }) => length <= SHORT_PART),
  );
  return [...partsIn(RUN_WITH_APOSTROPHES, "'"), ...hyphenated].map((parts) => parts.join(""));
}

/**
 * Returns the words of a text as the index keeps them, in each of their spellings; at the end those that are made of
 * several, and emojis.
 */
export function indexedWords(text: string): string[] {
  const letters = foldedLetters(text);
  const words = wordRuns([letters, ...joinedParts(letters)].join(" "), densePairs);
  return [...words.flatMap(wordSpellings), ...emojisIn(letters)];
}

/** Returns each word of a text once, as it is typed without accents. */
export const plainWords = (text: string): string[] =>
  wordRuns(foldedLetters(text), densePairs).map((word) => wordSpellings(word)[0]);

/**
 * Returns how the runs of a script without spaces end from each of their characters on: a name may begin within a word
 * of the dictionary.
 */
export function runEndings(text: string): string[] {
  const runs = (foldedLetters(text).match(WORD) ?? []).filter((run) => UNSPACED.test(run));
  return runs.flatMap((run) =>
    Array.from(characters.segment(run))
      .filter(({ segment }) => UNSPACED.test(segment))
      .map(({ index }) => shortenedWord(run.slice(index))),
  );
}

/** The words that were typed. Letters that the dictionary leaves alone, side by side, are a word it does not know. */
const typedWords = (letters: string): string[] =>
  wordRuns(letters, (run) => {
    const words: string[] = [];
    let isOpen = false;
    for (const segment of dictionaryWords(run)) {
      const isParticle = PARTICLE.test(segment);
      const isLetter = !isParticle && [...segment].length === 1;
      if (isLetter && isOpen) words.push(words.pop()! + segment);
      else if (!isParticle) words.push(segment);
      isOpen = isLetter;
    }
    // A word such as かに, of which the dictionary makes particles.
    const known = words.length > 0 || [...run].length === 1 ? words : [run];
    return known.map(foldedKana);
  });

/**
 * Null when nothing was typed. Emojis count where there is nothing else. A search that has only stop words, or nothing
 * of all that, such as "?!", looks for nothing: an empty list. A word has letters that are typed in two ways as they are
 * (`wordSpellings`).
 */
export function searchedWords(text: string, isStopWord: StopWords): string[] | null {
  const folded = foldedLetters(text.slice(0, LONGEST_SEARCH));
  if (BLANK.test(folded)) return null;
  const words = typedWords(folded).filter((word) => !isStopWord(wordSpellings(word)[0]));
  return [...new Set(words.length > 0 ? words : emojisIn(folded))].slice(0, MOST_WORDS);
}

export const hasOnlyStopWords = (text: string, isStopWord: StopWords): boolean =>
  searchedWords(text, isStopWord)?.length === 0 &&
  indexedWords(text.slice(0, LONGEST_SEARCH)).length > 0;

/** Returns a searched word as it stands in the search, where it stands there by itself. */
export function asTyped(text: string, word: string): string {
  const runs = text.slice(0, LONGEST_SEARCH).normalize("NFC").match(TYPED) ?? [];
  return runs.find((run) => typedWords(foldedLetters(run)).join(" ") === word) ?? word;
}
