import { type CoverTheme, COVERS_PER_THEME } from "~/services/tours/cover-theme.server";
import * as land from "./land.server";
import * as people from "./people.server";
import {
  circle,
  type Colours,
  HEIGHT,
  randomFrom,
  type Scene,
  shape,
  WIDTH,
} from "./shapes.server";

const colours = (text: string): Colours => {
  const [sky, sun, far, mid, near] = text.split(" ") as [string, string, string, string, string];
  return { sky, sun, far, mid, near };
};
const SAND = colours("#f6dfc1 #fff5e0 #d9a98b #a8746c #5d4a57");
const TEAL = colours("#cfe3e6 #fdf6df #8fb8b3 #4f8a83 #215450");
const ROSE = colours("#f3d3c4 #fdebc8 #c98c86 #84627f #433e60");
const LEAF = colours("#dde8d1 #fffbe6 #a4bf92 #678f68 #2f5a45");
const BLUE = colours("#d7dff0 #fffaf0 #a2afd1 #6576a8 #33416f");
const WHEAT = colours("#f5e6b8 #fffdf0 #d8b26a #9b7b45 #4f4a34");
const DAWN = colours("#f7d9b5 #fff3d6 #9db8bd #5b8390 #2c4a5e");
const INK = colours("#2b3a5f #fbe9b4 #3f5282 #26345a #151f3a");
const PLUM = colours("#4a3a63 #fde3b8 #5f4d7c #3a2f57 #211b38");
const DEEP = colours("#1f4a52 #fbeec2 #2f6169 #1b4149 #0e272d");

const SCENES: Record<CoverTheme, Scene> = { ...land, ...people };

const PALETTES: Record<CoverTheme, Colours[]> = {
  hills: [SAND, TEAL, ROSE, LEAF, BLUE, WHEAT],
  sea: [TEAL, BLUE, DAWN],
  river: [LEAF, TEAL, BLUE],
  food: [SAND, ROSE, WHEAT],
  vineyard: [WHEAT, LEAF, SAND],
  town: [SAND, ROSE, BLUE, WHEAT],
  past: [SAND, WHEAT, ROSE],
  rock: [SAND, BLUE, DAWN],
  wildlife: [TEAL, LEAF, DAWN],
  forest: [LEAF, TEAL, DAWN],
  night: [INK, PLUM, DEEP],
  ride: [LEAF, DAWN, SAND],
};

/** The picture of that name, such as `sea-7`, as an SVG document; null when there is none. */
export function drawCover(name: string): string | null {
  const [, theme, digits] = /^([a-z]+)-(0|[1-9]\d?)$/.exec(name) ?? [];
  const number = Number(digits);
  if (!theme || !Object.hasOwn(PALETTES, theme) || number >= COVERS_PER_THEME) return null;
  const palettes = PALETTES[theme as CoverTheme];
  const palette = palettes[number % palettes.length]!;
  const random = randomFrom(name);
  const [x, y] = [Math.round(60 + random() * 200), Math.round(42 + random() * 26)];
  const sun = circle(palette.sun, x, y, Math.round(16 + random() * 12));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    shape(palette.sky, `M0 0h${WIDTH}v${HEIGHT}H0z`),
    // A bowl has a light of its own.
    theme === "food" ? "" : sun,
    theme === "night" ? circle(palette.sky, x + 9, y - 5, 18) : "",
    SCENES[theme as CoverTheme](random, palette, x),
    "</svg>",
  ].join("");
}
