import { Picture } from "./picture";

/** A tour's picture over a generated landscape that is always the same for the same tour. */
export function Cover({ tourId, image }: { tourId: string; image: string | null }) {
  return (
    <span className="cover">
      <Landscape seed={tourId} />
      <Picture address={image} width={640} height={360} />
    </span>
  );
}

const WIDTH = 320;
const HEIGHT = 180;

/** Colours of the sky, the sun and three ridges from far to near. */
const PALETTES = [
  ["#f6dfc1", "#fff5e0", "#d9a98b", "#a8746c", "#5d4a57"],
  ["#cfe3e6", "#fdf6df", "#8fb8b3", "#4f8a83", "#215450"],
  ["#f3d3c4", "#fdebc8", "#c98c86", "#84627f", "#433e60"],
  ["#dde8d1", "#fffbe6", "#a4bf92", "#678f68", "#2f5a45"],
  ["#d7dff0", "#fffaf0", "#a2afd1", "#6576a8", "#33416f"],
  ["#f5e6b8", "#fffdf0", "#d8b26a", "#9b7b45", "#4f4a34"],
] as const;

function Landscape({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const [sky, sun, ...ridges] = PALETTES[Math.floor(random() * PALETTES.length)]!;
  const radius = 16 + random() * 14;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path fill={sky} d={`M0 0h${WIDTH}v${HEIGHT}H0z`} />
      <circle
        fill={sun}
        cx={Math.round(60 + random() * 200)}
        cy={Math.round(38 + random() * 34)}
        r={Math.round(radius)}
      />
      {ridges.map((colour, index) => (
        <path key={colour} fill={colour} d={ridge(random, 84 + index * 30, 26 - index * 5)} />
      ))}
    </svg>
  );
}

/** A soft line of hills around the height `y`, closed at the bottom. */
function ridge(random: () => number, y: number, swing: number): string {
  const steps = 5 + Math.floor(random() * 3);
  const width = WIDTH / (steps - 1);
  const heights = Array.from({ length: steps + 1 }, () =>
    Math.round(y + (random() - 0.5) * 2.4 * swing),
  );
  // Curves that meet halfway between their control points have no corners.
  const path = heights.slice(1).map((height, index) => {
    const end = Math.round((height + heights[index]!) / 2);
    return `Q${Math.round(width * (index - 0.5))} ${heights[index]} ${Math.round(width * index)} ${end}`;
  });
  return `M${-width} ${HEIGHT}V${heights[0]}${path.join("")}V${HEIGHT}z`;
}

/** Returns a generator of numbers from 0 to 1 that depend only on the text (mulberry32). */
function randomFrom(text: string): () => number {
  let state = 0;
  for (const character of text) state = (Math.imul(state, 31) + character.codePointAt(0)!) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
