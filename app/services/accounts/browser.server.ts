import Bowser from "bowser";
import { firstCharacters } from "../../infra/text";

/** Longest part of a User-Agent that is looked at, in characters: browsers send about 150. */
const LONGEST = 500;

/** Longest name that is stored, in characters. */
const LONGEST_NAME = 60;

/**
 * What a reader knows a browser by, such as "Firefox on Windows", from its User-Agent; null when that
 * says nothing. It is the client's own word, good for recognising one's devices and for nothing else.
 */
export function browserName(userAgent: string | undefined): string | null {
  if (!userAgent?.trim()) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, LONGEST));
  const name = [browser.name, os.name].filter(Boolean).join(" on ");
  return firstCharacters(name, LONGEST_NAME) || null;
}
