import { deburr } from "es-toolkit/string";

/** Words of a search that count. */
const MOST_WORDS = 8;
/** Characters of a search that are looked at. */
const LONGEST_SEARCH = 1_000;
/** Characters of a word that count. */
const WORD_LENGTH = 40;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const BLANK = /^[\s\p{Cc}]*$/u;

/** Scripts without spaces between words: a dictionary finds where these end. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** Words that say nothing about a tour. */
const STOP_WORDS = new Set(
  "a an and are as at be but by for from in into is it of on or our that the this to we with you your".split(
    " ",
  ),
);

export const isStopWord = (word: string) => STOP_WORDS.has(word);

/**
 * The words of a text, in its order: runs of letters and digits, in lower case and without accents, however
 * their letters are composed.
 */
export function wordsOf(text: string): string[] {
  const plain = deburr(text.normalize("NFKD").toLowerCase()).normalize("NFC");
  const runs = plain.match(WORD) ?? [];
  return runs
    .flatMap((run) =>
      UNSPACED.test(run) ? Array.from(segmenter.segment(run), ({ segment }) => segment) : [run],
    )
    .map((word) => (word.length > WORD_LENGTH ? [...word].slice(0, WORD_LENGTH).join("") : word));
}

/**
 * The words that a search looks for, or null when it is none because nothing was typed. A search that has only stop
 * words, or no letter and no digit, such as "?!", looks for nothing: an empty list.
 */
export function searchedWords(text: string): string[] | null {
  const looked = text.slice(0, LONGEST_SEARCH);
  if (BLANK.test(looked)) return null;
  const words = [...new Set(wordsOf(looked))];
  return words.filter((word) => !isStopWord(word)).slice(0, MOST_WORDS);
}

/** Whether a search has words, but none that says anything about a tour, such as "the". */
export const hasOnlyStopWords = (text: string): boolean =>
  searchedWords(text)?.length === 0 && wordsOf(text.slice(0, LONGEST_SEARCH)).length > 0;
