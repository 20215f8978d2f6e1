import { isVisible } from "#models/visible";
import { firstCharacters, mayTurn, runsFromRight, withoutControls } from "~/lib/text";

// The plain text of an e-mail, whose lines no program has to break.

/** RFC 5322, 2.1.1 recommends 78 at most. */
const COLUMNS = 76;

export const NO_COMMENT = "The explorer left no comment.";

/** Letters of East Asia and emoji take two columns. */
const WIDE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;
const ZERO = /\u200D\p{Extended_Pictographic}|[\p{M}\p{Cf}]/gu;
const FLAG = /\p{RI}\p{RI}/gu;

const columnWidth = (text: string): number => {
  let columns = 0;
  for (const character of text.replace(FLAG, "🏁").replace(ZERO, ""))
    columns += WIDE.test(character) ? 2 : 1;
  return columns;
};

/** Joins the blocks with an empty line between them, and folds lines that are too long. */
export const plainText = (blocks: string[]) =>
  withoutControls(blocks.join("\n\n"))
    .split("\n")
    .flatMap((line) => folded(line, COLUMNS))
    .join("\n");

/** Its lines as they are shown; none without anything to see. */
export const shownLines = (comment: string | null) =>
  comment && isVisible(comment) ? withoutControls(comment).split(/\r\n|[\n\r\u2028\u2029]/) : [];

const MARK = "> ";

/** Marks every line of a comment, so that none can imitate the rest of the e-mail. */
export const quotedComment = (comment: string | null) =>
  shownLines(comment).flatMap(quotedLines).join("\n") || NO_COMMENT;

function quotedLines(paragraph: string): string[] {
  const lines = folded(paragraph, COLUMNS - MARK.length - 2);
  // Gives all lines of a paragraph one direction, whatever word each begins with.
  const turn = mayTurn(paragraph) ? runsFromRight(paragraph) : null;
  return lines.map((line) =>
    turn === null ? MARK + line : `${MARK}${turn ? "\u2067" : "\u2066"}${line}\u2069`,
  );
}

/** Breaks a line into several of so many columns, at spaces, and longer words between their parts. */
function folded(line: string, columns: number): string[] {
  if (columnWidth(line) <= columns) return [line];
  const lines: string[] = [];
  let present = "";
  let used = 0;
  const words = line.match(/\S+\s*|\s+/g) ?? [];
  for (const part of words.flatMap((word) => wordParts(word, columns))) {
    if (present && used + columnWidth(part.trimEnd()) > columns) {
      lines.push(present.trimEnd());
      present = "";
      used = 0;
    }
    present += part;
    used += columnWidth(part);
  }
  return [...lines, present.trimEnd()];
}

const words = new Intl.Segmenter("en", { granularity: "word" });
const characters = new Intl.Segmenter("en");
/** V8's time for each segment grows with the length of the whole. */
const AT_ONCE = 200;

/** A word that fits, or an address, stays whole. */
function wordParts(word: string, columns: number): string[] {
  if (columnWidth(word.trimEnd()) <= columns || /^\W*https?:\/\//.test(word)) return [word];
  const parts: string[] = [];
  for (const { segment } of shortSegments(word)) {
    const last = parts.at(-1);
    // No line begins with what closes, or ends with what opens.
    const stays = /^[\s\p{P}]/u.test(segment) && !/^[\p{Ps}\p{Pi}]/u.test(segment);
    if (last && (stays || /[\p{Ps}\p{Pi}]$/u.test(last)) && columnWidth(last + segment) <= columns)
      parts[parts.length - 1] = last + segment;
    else for (const piece of partOrCharacters(segment, columns)) parts.push(piece);
  }
  return parts;
}

function* shortSegments(word: string) {
  let start: string;
  for (let rest = word; rest; rest = rest.slice(start.length)) {
    start = firstCharacters(rest, AT_ONCE);
    yield* words.segment(start);
  }
}

/** A part that is still too long is split into its characters. */
function partOrCharacters(part: string, columns: number): string[] {
  if (columnWidth(part) <= columns) return [part];
  return Array.from(characters.segment(part), ({ segment }) => segment);
}
