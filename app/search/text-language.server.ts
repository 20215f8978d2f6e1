import { eld } from "eld/extrasmall";

/** More says nothing more about the language. */
const LOOKED_AT = 300;

/** Returns the language of a text as a BCP 47 tag, such as "de"; null when that is not certain. */
export function languageOfText(text: string): string | null {
  const found = eld.detect(text.slice(0, LOOKED_AT));
  return found.isReliable() ? found.language : null;
}
