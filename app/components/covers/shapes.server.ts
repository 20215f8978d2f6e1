export const WIDTH = 320;
export const HEIGHT = 180;

/** Numbers from 0 to 1. */
export type Random = () => number;

/** Of the sky, the sun, and what lies in front of them. */
export interface Colours {
  sky: string;
  sun: string;
  far: string;
  mid: string;
  near: string;
}

/** What stands in front of the sky and of the sun at `sunX`, from far to near. */
export type Scene = (random: Random, colours: Colours, sunX: number) => string;

export const shape = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`;

export const circle = (fill: string, x: number, y: number, r: number) =>
  `<circle fill="${fill}" cx="${x}" cy="${y}" r="${r}"/>`;

export const line = (stroke: string, width: number, d: string) =>
  `<path fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`;

/** A soft line of hills around the height `y`, closed at the bottom. */
export function ridge(random: Random, colour: string, y: number, swing: number): string {
  const steps = 5 + Math.floor(random() * 3);
  const width = WIDTH / (steps - 1);
  const heights = Array.from({ length: steps + 1 }, () =>
    Math.round(y + (random() - 0.5) * 2.4 * swing),
  );
  // Curves that meet halfway between their control points have no corners.
  const curves = heights.slice(1).map((height, index) => {
    const end = Math.round((height + heights[index]!) / 2);
    return `Q${Math.round(width * (index - 0.5))} ${heights[index]} ${Math.round(width * index)} ${end}`;
  });
  return shape(
    colour,
    `M${Math.round(-width)} ${HEIGHT}V${heights[0]}${curves.join("")}V${HEIGHT}z`,
  );
}

/** Returns a generator of numbers that depend only on the text (mulberry32). */
export function randomFrom(text: string): Random {
  let state = 0;
  for (const character of text) state = (Math.imul(state, 31) + character.codePointAt(0)!) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
