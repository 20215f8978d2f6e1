/** Fewest words of a text whose language is certain. */
const FEWEST_WORDS = 5;
/** Least lead of the best language over the next one, of scores between 0 and 1. */
const LEAST_LEAD = 0.05;

const words = new Intl.Segmenter("en", { granularity: "word" });

/** The languages that have a script of their own, of those that are told apart: a single letter says them. */
const OWN_SCRIPTS = new Map([
  ["am", /\p{sc=Ethi}/u],
  ["bn", /\p{sc=Beng}/u],
  ["el", /\p{sc=Grek}/u],
  ["gu", /\p{sc=Gujr}/u],
  ["he", /\p{sc=Hebr}/u],
  ["hy", /\p{sc=Armn}/u],
  ["ja", /[\p{sc=Hira}\p{sc=Kana}]/u],
  ["ka", /\p{sc=Geor}/u],
  ["kn", /\p{sc=Knda}/u],
  ["ko", /\p{sc=Hang}/u],
  ["lo", /\p{sc=Laoo}/u],
  ["ml", /\p{sc=Mlym}/u],
  ["or", /\p{sc=Orya}/u],
  ["pa", /\p{sc=Guru}/u],
  ["ta", /\p{sc=Taml}/u],
  ["te", /\p{sc=Telu}/u],
  ["th", /\p{sc=Thai}/u],
]);

/**
 * Returns the languages of these texts, as `detectLanguage` does. Loads what it knows of languages, 80 MB, when it is
 * called first.
 */
export async function detectLanguages(texts: readonly string[]): Promise<(string | null)[]> {
  const { eld } = await import("eld/extrasmall");
  return texts.map((text) => {
    const found = eld.detect(text);
    const { language } = found;
    if (OWN_SCRIPTS.get(language)?.test(text)) return language;
    if (!found.isReliable() || !hasEnoughWords(text)) return null;
    // The library compares something else.
    const [best = 0, next = 0] = Object.values(found.getScores());
    if (best - next < LEAST_LEAD) return null;
    return language === "zh" && isTraditional(text) ? "zh-Hant" : language;
  });
}

function hasEnoughWords(text: string): boolean {
  // Spaces say so of most texts, in a fraction of the time that the dictionary takes.
  if (text.split(/\s+/).filter((run) => /^\p{L}/u.test(run)).length >= FEWEST_WORDS) return true;
  let count = 0;
  for (const { isWordLike } of words.segment(text))
    if (isWordLike && ++count === FEWEST_WORDS) return true;
  return false;
}

/** All characters of an encoding of two bytes, of which the first one is between these. */
function charactersInEncoding(encoding: string, first: number, last: number): Set<string> {
  const bytes: number[] = [];
  for (let one = first; one <= last; one++)
    for (let other = 0xa1; other <= 0xfe; other++) bytes.push(one, other);
  if (encoding === "big5")
    for (let one = first; one <= last; one++)
      for (let other = 0x40; other <= 0x7e; other++) bytes.push(one, other);
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)));
}

let scripts: { simplified: Set<string>; traditional: Set<string> } | undefined;

/** Whether it has more characters of Taiwan's encoding that China's of 1980 lacks than the other way round. */
function isTraditional(text: string): boolean {
  scripts ??= {
    simplified: charactersInEncoding("gbk", 0xb0, 0xf7),
    traditional: charactersInEncoding("big5", 0xa4, 0xf9),
  };
  const { simplified, traditional } = scripts;
  let lead = 0;
  for (const character of text)
    lead += Number(traditional.has(character)) - Number(simplified.has(character));
  return lead > 0;
}
