// Texts that people wrote, in any script, on pages and in e-mails.

/** UTF-16 units that are read for each character; a family of four with its skin tones has 19. */
const UNITS = 32;

// Firefox before 125 has none.
// eslint-disable-next-line compat/compat
const characters = "Segmenter" in Intl ? new Intl.Segmenter("en") : null;

/**
 * The beginning of a text: at most so many characters as a reader sees them (grapheme clusters), none of which is
 * cut. No more of a long text is read than it takes.
 */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const mostUnits = most * UNITS;
  // No half of a surrogate pair.
  const start =
    text.length > mostUnits ? text.slice(0, mostUnits).replace(/[\uD800-\uDBFF]$/, "") : text;
  if (!characters) return Array.from(start).slice(0, most).join("");
  let count = 0;
  let end = 0;
  for (const { index, segment } of characters.segment(start)) {
    const next = index + segment.length;
    // The last character may go on after the part that was read, unless that is the whole text.
    if (count === most || (count > 0 && next === start.length && next < text.length)) break;
    count++;
    end = next;
  }
  return start.slice(0, end);
}

/** The control characters but for tabs and line breaks. */
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** As it is shown: a terminal or an XML parser may take control characters for more than text. */
export const withoutControls = (text: string) => text.replace(CONTROLS, "");

/** Letters that run from right to left: Hebrew, Arabic and their kin. */
const FROM_RIGHT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
/** Invisible characters that change the direction of text. */
const TURNS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export const mayTurn = (text: string) => FROM_RIGHT.test(text) || text.search(TURNS) >= 0;

/** Whether a paragraph runs from right to left, as its first letter says. */
export const runsFromRight = (text: string) => FROM_RIGHT.test(/\p{L}/u.exec(text)?.[0] ?? "");

/** For a sentence of ours where there is no markup: isolated where it may turn the words beside it. */
export function isolated(text: string): string {
  const shown = withoutControls(text);
  return mayTurn(shown) ? `\u2068${shown.replace(TURNS, "")}\u2069` : shown;
}
