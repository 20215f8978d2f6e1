/** A colour that links and buttons have, and the colours that go with it; all as `#rrggbb`. */
interface Tones {
  accent: string;
  /** The colour under the pointer. */
  hover: string;
  /** The background of marked text. */
  soft: string;
  /** The colour of the words on a button. */
  on: string;
}

/** As in app/ui/styles/theme.css. */
export const OWN_TONES: Record<"light" | "dark", Tones> = {
  light: { accent: "#0d5a48", hover: "#0a4538", soft: "#e2efe9", on: "#ffffff" },
  dark: { accent: "#7fd3bb", hover: "#a3e2cf", soft: "#1d3831", on: "#0b211a" },
};

const WHITE = "#ffffff";
const BLACK = "#000000";
/** The background with the least contrast to links, in each mode. */
const SUNKEN_LIGHT = "#f1ede4";
const SUNKEN_DARK = "#222c28";

/** The least contrast of a text, by WCAG 2.2, 1.4.3. */
const READABLE = 4.5;

/** Where the channels begin in `#rrggbb`. */
const RED = 1;
const GREEN = 3;
const BLUE = 5;

const channel = (colour: string, at: number) => parseInt(colour.slice(at, at + 2), 16);

function luminance(colour: string): number {
  const linear = (at: number) => {
    const share = channel(colour, at) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(RED) + 0.7152 * linear(GREEN) + 0.0722 * linear(BLUE);
}

function contrast(one: string, other: string): number {
  const a = luminance(one) + 0.05;
  const b = luminance(other) + 0.05;
  return Math.max(a, b) / Math.min(a, b);
}

/** `share` of the other colour, from 0 to 1. */
function mixed(colour: string, other: string, share: number): string {
  const mixedChannel = (at: number) => {
    const own = channel(colour, at);
    const value = Math.round(own + (channel(other, at) - own) * share);
    return value.toString(16).padStart(2, "0");
  };
  return `#${mixedChannel(RED)}${mixedChannel(GREEN)}${mixedChannel(BLUE)}`;
}

/** The colour, with as much of `other` as makes it readable on all backgrounds. */
function readable(colour: string, other: string, backgrounds: string[]): string {
  for (let share = 0; share < 1; share += 0.04) {
    const tone = mixed(colour, other, share);
    if (backgrounds.every((background) => contrast(tone, background) >= READABLE)) return tone;
  }
  return other;
}

/** Whether white words can be read on a button of this colour. */
export const isReadable = (accent: string) => contrast(accent, WHITE) >= READABLE;

/** Returns the tones of a platform's colour (`#rrggbb`, readable): darker by day, lighter by night where it must be. */
export function toTones(colour: string): typeof OWN_TONES {
  const soft = { light: mixed(colour, WHITE, 0.9), dark: mixed(colour, SUNKEN_DARK, 0.75) };
  const light = readable(colour, BLACK, [SUNKEN_LIGHT, soft.light]);
  const dark = readable(colour, WHITE, [SUNKEN_DARK, soft.dark]);
  return {
    light: { accent: light, hover: mixed(light, BLACK, 0.25), soft: soft.light, on: WHITE },
    dark: {
      accent: dark,
      hover: mixed(dark, WHITE, 0.3),
      soft: soft.dark,
      on: mixed(dark, BLACK, 0.85),
    },
  };
}

const variables = ({ accent, hover, soft, on }: Tones) =>
  `:root{--accent:${accent};--accent-hover:${hover};--accent-soft:${soft};--on-accent:${on}}`;

/** Returns the style sheet that gives pages these tones. Colours that the user's system has chosen stay. */
export const accentStyles = ({ light, dark }: typeof OWN_TONES) =>
  `:root{--sign:${light.accent}}@media(forced-colors:none){${variables(light)}}@media(forced-colors:none) and (prefers-color-scheme:dark){${variables(dark)}}`;
