const MOST_WORDS = 8;
const LONGEST_SEARCH = 1_000;
const LONGEST_WORD = 40;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** All that is typed for the apostrophe of "O'Leary's", and the one letter of Hawaiian that looks like it. */
const APOSTROPHES = /['\u2018\u2019\u201B\u02B9\u02BB\u02BC\u02BE\u02BF\u2032\uFF07`\u00B4]/gu;
const RUN_WITH_APOSTROPHES = /[\p{L}\p{M}']+/gu;
const BLANK = /^[\s\p{Cc}]*$/u;

/** Vowel signs of Hebrew and Arabic, the line that makes an Arabic word longer, and soft hyphens. */
const UNSPOKEN =
  /[\u00AD\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]/gu;
/** Letters that are no accented forms of others, though they can be taken apart. */
const WHOLE_LETTERS = new Map(
  ["й", "ї", "ำ", "ຳ"].map((letter) => [letter.normalize("NFKD"), letter]),
);
/** Latin letters that cannot be taken apart, as they are typed without them. */
const LATIN: Record<string, string> = {
  æ: "ae",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ĸ: "k",
  ł: "l",
  ŋ: "n",
  œ: "oe",
  ø: "o",
  ß: "ss",
  ŧ: "t",
  þ: "th",
};
const LATIN_LETTERS = new RegExp(Object.keys(LATIN).join("|"), "gu");
const ACCENTS = /[\u0300-\u036F]/gu;
const TAKEN_APART = new RegExp([...WHOLE_LETTERS.keys()].join("|"), "gu");

/** Chinese and Japanese: where a word ends depends on its sentence, so that their texts are kept in pairs. */
const DENSE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u;
const DENSE_RUNS =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+|[^\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]+/gu;
/** Other scripts without spaces between words: a dictionary finds where these end. */
const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
/** Such as "of" and "with" in Japanese. */
const PARTICLE = /^\p{sc=Hira}$/u;

type StopWords = (word: string) => boolean;

export const isDense = (word: string) => DENSE.test(word);

/** Returns the pairs of letters of a word of a dense script; a single letter is its own. */
export function pairsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, before) => letters[before]! + letter);
}

const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu;
const DIGIT = /\p{Nd}/u;

/** Each script has its ten digits side by side. */
function digitOf(digit: string): string {
  const value = digit.codePointAt(0)!;
  let zero = value;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return String((value - zero) % 10);
}

/** Writes the digits of all scripts as those of Latin ones. */
export const withLatinDigits = (text: string) => text.replace(FOREIGN_DIGITS, digitOf);

/**
 * Returns runs of letters and digits, in lower case and without accents, however their letters are composed. One of a
 * dense script becomes what `split` makes of it.
 */
function runsOf(text: string, split: (run: string) => string[]): string[] {
  const letters = withLatinDigits(text)
    .replace(APOSTROPHES, "'")
    .normalize("NFKD")
    .toLowerCase()
    .replace(UNSPOKEN, "")
    .replace(TAKEN_APART, (letter) => WHOLE_LETTERS.get(letter)!)
    .replace(LATIN_LETTERS, (letter) => LATIN[letter]!)
    .replace(ACCENTS, "");
  const runs = letters.normalize("NFC").match(WORD) ?? [];
  return runs
    .flatMap((run) => (isDense(run) ? run.match(DENSE_RUNS)! : run))
    .flatMap((run) => {
      if (isDense(run)) return split(run);
      return UNSPACED.test(run) ? segmentsOf(run) : run;
    })
    .map((word) => (word.length > LONGEST_WORD ? [...word].slice(0, LONGEST_WORD).join("") : word));
}

const segmentsOf = (run: string) => Array.from(segmenter.segment(run), ({ segment }) => segment);

/** Returns the words of a tour's text as the index keeps them; at the end those with apostrophes, without them. */
export function wordsOf(text: string): string[] {
  const runs = text.replace(APOSTROPHES, "'").match(RUN_WITH_APOSTROPHES) ?? [];
  const parts = runs
    .map((run) => run.split("'").filter(Boolean))
    .filter(({ length }) => length > 1);
  const all = [text, ...parts.map((some) => some.join(""))].join(" ");
  // The last letter is the beginning of no pair.
  return runsOf(all, (run) => [...pairsOf(run), ...[...run].slice(-1)]);
}

/** The words that were typed. Letters that the dictionary leaves alone, side by side, are a word it does not know. */
const typedWords = (text: string): string[] =>
  runsOf(text, (run) => {
    const words: string[] = [];
    let isOpen = false;
    for (const segment of segmentsOf(run)) {
      const isParticle = PARTICLE.test(segment);
      const isLetter = !isParticle && [...segment].length === 1;
      if (isLetter && isOpen) words.push(words.pop()! + segment);
      else if (!isParticle) words.push(segment);
      isOpen = isLetter;
    }
    return words;
  });

/**
 * Null when nothing was typed. A search that has only stop words, or no letter and no digit, such as "?!", looks for
 * nothing: an empty list.
 */
export function searchedWords(text: string, isStopWord: StopWords): string[] | null {
  const looked = text.slice(0, LONGEST_SEARCH);
  if (BLANK.test(looked)) return null;
  const words = [...new Set(typedWords(looked))];
  return words.filter((word) => !isStopWord(word)).slice(0, MOST_WORDS);
}

export const hasOnlyStopWords = (text: string, isStopWord: StopWords): boolean =>
  searchedWords(text, isStopWord)?.length === 0 &&
  wordsOf(text.slice(0, LONGEST_SEARCH)).length > 0;

/** Returns a searched word as it stands in the search, where it stands there by itself. */
export function asTyped(text: string, word: string): string {
  const runs = text.slice(0, LONGEST_SEARCH).normalize("NFC").match(WORD) ?? [];
  return runs.find((run) => typedWords(run).join(" ") === word) ?? word;
}
