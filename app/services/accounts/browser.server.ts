import Bowser from "bowser";
import { cached } from "../../infra/cache.server";
import { firstCharacters } from "../../infra/text";

/** Longest part of a User-Agent that is looked at, in characters: browsers send about 150. */
const LONGEST = 500;

/** Longest name that is stored, in characters. */
const LONGEST_NAME = 60;

/**
 * What a reader knows a browser by, such as "Firefox on Windows" or "Safari on iPhone", from its User-Agent; null when
 * that says nothing. It is the client's own word, good for recognising one's devices and for nothing else.
 */
export function browserName(userAgent: string | undefined): string | null {
  if (!userAgent?.trim()) return null;
  const looked = userAgent.slice(0, LONGEST);
  let name = names.get(looked);
  if (name === undefined) {
    const { browser, os, platform } = Bowser.parse(looked);
    // Only of a phone or tablet of Apple is the model a word that its owner knows.
    const device = os.name === "iOS" ? (platform.model ?? os.name) : os.name;
    const full = [browser.name, device].filter(Boolean).join(" on ");
    name = firstCharacters(full, LONGEST_NAME);
    names.set(looked, name);
  }
  return name || null;
}

/** Every line of the access log has one, and finding it takes longer than many answers. */
const names = cached<string>({ name: "browsers", maxBytes: 512 * 1_024 });
