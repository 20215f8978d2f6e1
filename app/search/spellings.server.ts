// The letters and digits of which texts and searches have the same word (docs/rules/tours.md, Tours).

/** All that is typed for the apostrophe of "O'Leary's", and the one letter of Hawaiian that looks like it. */
const APOSTROPHES = /['\u2018\u2019\u201B\u02B9\u02BB\u02BC\u02BE\u02BF\u2032\uFF07`\u00B4]/gu;
const HYPHENS = /[\u2010\u2011\uFF0D]/gu;
/** Vowel signs of Hebrew and Arabic, and the line that makes an Arabic word longer. */
const UNSPOKEN =
  /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]/gu;
/** Invisible characters, which may stand within a word. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters that are no accented forms of others, though they can be taken apart. */
const WHOLE_LETTERS = new Map(
  ["й", "ї", "ำ", "ຳ", "ä", "å", "ö", "ü"].map((letter) => [letter.normalize("NFKD"), letter]),
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
  ß: "ss",
  ŧ: "t",
  þ: "th",
};
const LATIN_LETTERS = new RegExp(Object.keys(LATIN).join("|"), "gu");
const ACCENTS = /[\u0300-\u036F]/gu;
const TAKEN_APART = new RegExp([...WHOLE_LETTERS.keys()].join("|"), "gu");

/** Arabic letters of other languages, and those that people type for one another. */
const ARABIC: Record<string, string> = {
  ى: "ي",
  ی: "ي",
  ے: "ي",
  ک: "ك",
  ڪ: "ك",
  ة: "ه",
  ہ: "ه",
  ھ: "ه",
  ە: "ه",
  ٱ: "ا",
};
const ARABIC_LETTERS = new RegExp(Object.keys(ARABIC).join("|"), "gu");

/** Letters that are typed in two ways where a keyboard lacks them. */
const TWO_WAYS: Record<string, [plain: string, long: string]> = {
  ä: ["a", "ae"],
  å: ["a", "aa"],
  ö: ["o", "oe"],
  ø: ["o", "oe"],
  ü: ["u", "ue"],
};
const TWO_WAY_LETTERS = /[äåöøü]/gu;

/** Returns how a word of a search or text may be typed, without accents first. */
export function wordSpellings(word: string): [plain: string, ...others: string[]] {
  // Nearly all words, of which this is asked for every word of every review.
  if (word.search(TWO_WAY_LETTERS) === -1) return [word];
  const spelling = (way: 0 | 1) =>
    word.replace(TWO_WAY_LETTERS, (letter) => TWO_WAYS[letter]?.[way] ?? letter);
  const plain = spelling(0);
  const long = spelling(1);
  return plain === long ? [plain] : [plain, long];
}

/** Chinese and Japanese: where a word ends depends on its sentence, so that their texts are kept in pairs. */
const DENSE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u;

export const isDense = (word: string) => DENSE.test(word);

const KATAKANA = /[\u30A1-\u30F6\u30FD\u30FE]/g;
const TO_HIRAGANA = 0x30a1 - 0x3041;

/** Writes one script of Japan as the other. */
export const foldedKana = (text: string) =>
  text.replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - TO_HIRAGANA));

const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu;
const DIGIT = /\p{Nd}/u;

/** Each script has its ten digits side by side. */
function latinDigit(digit: string): string {
  const value = digit.codePointAt(0)!;
  let zero = value;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  return String((value - zero) % 10);
}

/** Writes the digits of all scripts as those of Latin ones. */
export const withLatinDigits = (text: string) => text.replace(FOREIGN_DIGITS, latinDigit);

const SEPARATED = /(?<![\d.,])\d{1,3}(?:[,.'\u00A0\u202F\u2009\u066C]\d{3})+(?!\d)/gu;

/** Writes 1,000 as 1000. */
const withoutSeparators = (text: string) =>
  text.replace(SEPARATED, (number) => number.replace(/\D/g, ""));

/** Returns a text in lower case without accents, however its letters are composed; with those that are typed in two ways. */
export const foldedLetters = (text: string) =>
  withoutSeparators(
    withLatinDigits(text.replace(UNSEEN, "")).replace(APOSTROPHES, "'").replace(HYPHENS, "-"),
  )
    .normalize("NFKD")
    .toLowerCase()
    .replace(UNSPOKEN, "")
    .replace(TAKEN_APART, (letter) => WHOLE_LETTERS.get(letter) ?? letter)
    .replace(LATIN_LETTERS, (letter) => LATIN[letter] ?? letter)
    .replace(ARABIC_LETTERS, (letter) => ARABIC[letter] ?? letter)
    .replace(ACCENTS, "")
    .normalize("NFC");
