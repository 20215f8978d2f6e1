import { firstCharacters, isolated, withoutControls } from "./text";

/** UTF-16 units that are looked at for each character of the line, blanks and long clusters included. */
const UNITS = 32;

const words = new Intl.Segmenter("en", { granularity: "word" });

/**
 * A text in one line of at most so many characters as a reader sees them, cut between two words, which some scripts
 * part without spaces; with an ellipsis where something is missing.
 */
export function shortened(text: string, most: number): string {
  const start = text.slice(0, most * UNITS);
  const line = withoutControls(start).replace(/\s+/g, " ").trim();
  const cut = firstCharacters(line, most);
  if (cut === line && start.length === text.length) return line;
  // The word that the cut goes through; the first one is too long itself.
  const { index = 0 } = words.segment(line).containing(cut.length) ?? {};
  return `${cut.slice(0, index || undefined).trimEnd()} …`;
}

const LONGEST_IN_SUBJECT = 100;

/** A name or title for the subject of an e-mail, of which a mail program shows the beginning. */
export const inSubject = (text: string, most = LONGEST_IN_SUBJECT) =>
  isolated(shortened(text, most));
