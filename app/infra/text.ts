// What pages and e-mails do with texts that people wrote, in any script.

/** UTF-16 units that are looked at for each character; a family of four with its skin tones has 19. */
const UNITS = 32;

// Browsers of before 2021, and Firefox of before 2024, have none.
const characters = "Segmenter" in Intl ? new Intl.Segmenter("en") : null;

/**
 * The beginning of a text: at most so many characters as a reader sees them (grapheme clusters), none of which is
 * cut. No more of a long text is looked at than it takes.
 */
export function firstCharacters(text: string, most: number): string {
  // No half of a surrogate pair.
  const start = text.slice(0, most * UNITS).replace(/[\uD800-\uDBFF]$/, "");
  if (!characters) return Array.from(start).slice(0, most).join("");
  let [count, end] = [0, 0];
  for (const { index, segment } of characters.segment(start)) {
    const next = index + segment.length;
    // What may go on behind what was looked at is whole only if it is all.
    if (count === most || (count > 0 && next === start.length && next < text.length)) break;
    [count, end] = [count + 1, next];
  }
  return start.slice(0, end);
}
