import Bowser from "bowser";
import { firstCharacters } from "~/lib/text";

const LONGEST = 500;
const LONGEST_NAME = 60;

/** Returns "Firefox on Windows" or "Safari on iPhone", as the client says; null when the User-Agent says nothing. */
export function browserName(userAgent: string | undefined): string | null {
  if (!userAgent?.trim()) return null;
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, LONGEST));
  // Owners know their device by its model only if it is a phone or tablet of Apple.
  const device = os.name === "iOS" ? (platform.model ?? os.name) : os.name;
  const full = [browser.name, device].filter(Boolean).join(" on ");
  return firstCharacters(full, LONGEST_NAME) || null;
}
