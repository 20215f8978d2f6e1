// Texts that show something, and names that show nothing else than they are.

/**
 * The characters that show nothing by themselves, for a class of a regular expression with the flag u; written out, as
 * databases have other notions of them.
 */
export const UNSEEN =
  "\\x00-\\x20\\x7F-\\xA0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D159}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}";

const SEEN = new RegExp(`[^${UNSEEN}]`, "u");

/** Whether there is anything to read in it. */
export const isVisible = (text: string) => SEEN.test(text);

/**
 * Characters that turn the text after them, and invisible ones but for the joiners, which emoji and some scripts need.
 */
const MISLEADING = /[\u200B\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/g;

/** Spaces, marks without a letter and blank symbols are no name. */
const NAMED = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A text on one line, as names are shown, written into e-mails and sent in headers: line breaks, all that Unicode
 * has, and other control characters become spaces.
 */
export const oneLine = (text: string) =>
  /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? text.replace(/[\s\p{Cc}]+/gu, " ").trim() : text;

/** A name, title or place on one line, without what is not seen or turns the line; empty where nothing is to be seen. */
export function plainName(text: string): string {
  const line = oneLine(text.replace(MISLEADING, ""));
  return NAMED.test(line) ? line : "";
}
