import { readFile, writeFile } from "node:fs/promises";
import { noArguments } from "./lib/command";

/** Sky above and below, sun, four layers from far to near, two accents, white. */
const PALETTES = {
  day: "#93cbd6 #eaf3e4 #fff8e0 #a8cfca #6aaaa8 #347a7b #154a4f #e4683f #f4bd62 #fffcf2",
  rose: "#efb3a3 #fdf0da #fffbf1 #e6b9ae #b98391 #7a5478 #3b3058 #e8694c #f9cd8b #fffaf2",
  amber: "#f2a75c #fdebbf #fff7df #eab07c #c5765a #83464d #3f283c #22808a #f9d382 #fff9ec",
  green: "#b4d9c2 #f6f5dc #fffce6 #b5d4a9 #7db07c #46805b #1b4a3f #e2623f #f5c565 #fffef5",
  blue: "#7db7df #e6f3f6 #fffcec #a9cce4 #6c9fcb #386ca3 #1a3c68 #f27d4d #fccb6e #ffffff",
  dusk: "#54508f #f4b29c #ffe9bd #a983ac #755b95 #483f78 #262350 #ff9a68 #ffd98f #fff4e4",
  night: "#14204a #48699a #fdf2cf #45629a #30497a #1f315c #101a3a #ffab57 #ffdc92 #eff5ff",
  deep: "#0f2b38 #4c8a8c #fdf3cf #42787f #2c5c66 #1b434e #0c2630 #ffab58 #ffdc90 #eefaf6",
  plum: "#2b1a45 #a0658c #ffeccb #7d5284 #5d3b6e #432a57 #25163a #ff9d62 #ffda94 #fdf1f4",
  sand: "#a5d5d4 #fceccd #fffae6 #f2d4a4 #e3ae72 #c5804c #7b4737 #b9442f #318080 #fffaeb",
};
type Palette = keyof typeof PALETTES;

/** The palettes of each theme's four covers. The first is that of the drawing. */
const COVERS = {
  sail: ["day", "amber", "dusk", "blue"],
  kayak: ["blue", "green", "rose", "amber"],
  dive: ["day", "blue", "dusk", "green"],
  beach: ["day", "rose", "amber", "blue"],
  lighthouse: ["blue", "dusk", "day", "amber"],
  harbour: ["rose", "day", "amber", "blue"],
  river: ["green", "day", "amber", "rose"],
  waterfall: ["green", "blue", "day", "dusk"],
  canyon: ["sand", "rose", "amber", "dusk"],
  peaks: ["day", "rose", "blue", "dusk"],
  climb: ["amber", "day", "rose", "blue"],
  snow: ["blue", "rose", "day", "dusk"],
  cave: ["day", "amber", "blue", "dusk"],
  forest: ["green", "day", "amber", "dusk"],
  birds: ["rose", "day", "dusk", "blue"],
  owl: ["night", "plum", "deep", "dusk"],
  deer: ["green", "amber", "day", "rose"],
  vineyard: ["green", "amber", "rose", "day"],
  wine: ["rose", "amber", "green", "dusk"],
  olive: ["green", "sand", "day", "amber"],
  coffee: ["rose", "amber", "day", "green"],
  cooking: ["amber", "green", "rose", "day"],
  market: ["day", "rose", "amber", "green"],
  bread: ["amber", "rose", "green", "dusk"],
  beer: ["green", "amber", "day", "dusk"],
  bike: ["day", "amber", "green", "blue"],
  train: ["green", "rose", "blue", "amber"],
  town: ["amber", "day", "rose", "dusk"],
  lantern: ["night", "plum", "deep", "dusk"],
  castle: ["green", "rose", "day", "dusk"],
  church: ["blue", "rose", "amber", "day"],
  ruins: ["amber", "rose", "sand", "day"],
  museum: ["sand", "rose", "blue", "green"],
  mural: ["blue", "rose", "day", "amber"],
  music: ["dusk", "rose", "night", "amber"],
  stars: ["night", "plum", "deep", "dusk"],
  photo: ["amber", "rose", "day", "dusk"],
  balloon: ["rose", "day", "green", "amber"],
  desert: ["sand", "amber", "rose", "dusk"],
  safari: ["amber", "sand", "rose", "dusk"],
  garden: ["green", "rose", "day", "amber"],
  craft: ["sand", "rose", "green", "blue"],
  kite: ["blue", "green", "amber", "rose"],
  farm: ["green", "amber", "day", "rose"],
  hike: ["rose", "green", "day", "amber"],
  city: ["dusk", "blue", "rose", "night"],
  surf: ["blue", "day", "rose", "amber"],
  horse: ["amber", "green", "day", "rose"],
} satisfies Record<string, [Palette, Palette, Palette, Palette]>;

/** How each cover shows the drawing: mirrored or not, this part of it, with a higher or lower sun. */
const COMPOSITIONS = [
  { isMirrored: false, part: "0 0 320 180", sun: 0 },
  { isMirrored: true, part: "0 0 320 180", sun: -8 },
  { isMirrored: false, part: "24 15 272 153", sun: 8 },
  { isMirrored: true, part: "-20 -11 360 202.5", sun: 0 },
];

const paletteColours = (palette: Palette) => PALETTES[palette].split(" ");

/** Makes the other three covers of each theme out of `public/covers/{theme}-0.svg`, which somebody drew. */
export default async function covers(args: string[]): Promise<void> {
  noArguments(args, "npm run covers");
  for (const [theme, palettes] of Object.entries(COVERS)) {
    const file = (n: number) => `public/covers/${theme}-${n}.svg`;
    const drawing = await readFile(file(0), "utf8");
    for (const [n, palette] of palettes.entries())
      if (n > 0) await writeFile(file(n), composed(recoloured(drawing, palettes[0], palette), n));
  }
}

function recoloured(drawing: string, from: Palette, to: Palette): string {
  const colours = paletteColours(to);
  const indexes = new Map(paletteColours(from).map((colour, index) => [colour, index]));
  return drawing.replace(/#[0-9a-f]{6}/g, (colour) => colours[indexes.get(colour) ?? -1] ?? colour);
}

function composed(drawing: string, n: number): string {
  const { isMirrored, part, sun } = COMPOSITIONS[n]!;
  const [, inside] = /^<svg[^>]*>(.*)<\/svg>/s.exec(drawing)!;
  const moved = inside!.replace('<g id="sun"', sun ? `<g transform="translate(0 ${sun})"` : "<g");
  const turned = isMirrored ? `<g transform="matrix(-1 0 0 1 320 0)">${moved}</g>` : moved;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${part}">${turned}</svg>\n`;
}
