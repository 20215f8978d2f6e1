// Scenes of the land and the sea.
import {
  circle,
  HEIGHT,
  line,
  type Random,
  ridge,
  type Scene,
  shape,
  WIDTH,
} from "./shapes.server";

export const hills: Scene = (random, { far, mid, near }) =>
  [far, mid, near].map((colour, n) => ridge(random, colour, 84 + n * 30, 26 - n * 5)).join("");

export const sea: Scene = (random, { sky, sun, far, mid, near }, sunX) => {
  // The boat on one side, the sun and land on the other.
  const left = sunX > 160;
  const x = left ? 75 + random() * 40 : 205 + random() * 40;
  const land = left ? "M330 96V58Q296 44 262 66T196 96z" : "M-10 96V58Q24 44 58 66T124 96z";
  const waves = (colour: string, y: number, length: number) =>
    shape(
      colour,
      `M${-Math.round(random() * length)} ${y}q${length / 4} -9 ${length / 2} 0${`t${length / 2} 0`.repeat(20)}V${HEIGHT}H-99z`,
    );
  return [
    shape(mid, land),
    shape(far, `M0 94h${WIDTH}v86H0z`),
    line(sun, 2, `M${sunX - 24} 103h48m-34 8h62m-76 8h40`),
    boat(Math.round(x), 127, near, sun, sky),
    waves(mid, 131, 64),
    waves(near, 152, 88),
  ].join("");
};

function boat(x: number, y: number, hull: string, sail: string, jib: string): string {
  return [
    `<g transform="translate(${x} ${y})">`,
    line(hull, 1.6, "M0 0v-66"),
    shape(sail, "M-2 -6V-64Q-26 -34 -32 -9z"),
    shape(jib, "M3 -9V-58Q20 -32 26 -11z"),
    shape(hull, "M-34 -3Q0 2 34 -5L25 11h-50z"),
    "</g>",
  ].join("");
}

export const river: Scene = (random, { sky, far, mid, near }) => {
  const shift = Math.round((random() - 0.5) * 60);
  const trees = Array.from({ length: 5 }, () => {
    const x = Math.round(random() < 0.5 ? random() * 70 : 250 + random() * 70);
    return roundTree(x, Math.round(118 + random() * 8), 11 + random() * 8, mid, near);
  });
  return [
    ridge(random, far, 74, 20),
    ridge(random, mid, 100, 10),
    shape(near, `M0 112Q160 100 320 114V180H0z`),
    `<g transform="translate(${shift} 0)">`,
    shape(
      sky,
      "M152 105C196 113 96 120 116 134C138 150 78 160 54 180H250C232 164 214 158 196 146C170 129 222 116 162 105z",
    ),
    line(far, 2, "M128 134h26m4 12h34m-70 12h30m14 12h40"),
    "</g>",
    ...trees,
  ].join("");
};

const roundTree = (x: number, y: number, size: number, crown: string, trunk: string) =>
  line(trunk, 3, `M${x} ${y + 8}v${-Math.round(size)}`) +
  circle(crown, x, y - Math.round(size), Math.round(size));

export const rock: Scene = (random, { sun, far, mid, near }) => {
  const x = Math.round(120 + random() * 80);
  const peak = (at: number, top: number, half: number, dark: string, bright: string) =>
    shape(
      dark,
      `M${at - half} 180L${at - half * 0.42} ${top + 40}L${at - half * 0.3} ${top + 34}L${at} ${top}L${at + half * 0.3} ${top + 30}L${at + half * 0.5} ${top + 52}L${at + half} 180z`,
    ) +
    shape(
      bright,
      `M${at} ${top}L${at - half * 0.1} ${top + 36}L${at + half * 0.08} ${top + 58}L${at - half * 0.02} ${top + 90}L${at + half * 0.3} 180H${at + half}L${at + half * 0.5} ${top + 52}L${at + half * 0.3} ${top + 30}z`,
    );
  return [
    peak(x - 110, 78, 80, mid, far),
    peak(x + 112, 70, 86, mid, far),
    peak(x, 38, 104, near, mid),
    shape(sun, `M${x} 38L${x - 13} 56L${x - 5} 52L${x + 2} 60L${x + 9} 52L${x + 19} 55z`),
    ridge(random, near, 158, 7),
  ].join("");
};

export const wildlife: Scene = (random, { sky, far, mid, near }) => {
  const left = random() < 0.5;
  const birds = Array.from({ length: 6 }, (_, n) => {
    const wing = 12 - n;
    const x = Math.round((left ? 190 : 60) + n * 13 + random() * 10);
    const y = Math.round(46 + Math.abs(n - 2) * 9 + random() * 6);
    return `M${x - wing} ${y - 4}q${wing / 2} -6 ${wing} 4q${wing / 2} -10 ${wing} -4`;
  });
  const reeds = Array.from({ length: 16 }, () => {
    const x = Math.round(left ? 200 + random() * 116 : random() * 116);
    const tall = Math.round(24 + random() * 34);
    return `M${x} 168q${Math.round(random() * 6)} ${-tall / 2} ${Math.round((random() - 0.3) * 12)} ${-tall}`;
  });
  return [
    ridge(random, far, 96, 14),
    shape(mid, "M0 112h320v68H0z"),
    line(sky, 2, "M40 124h44m118 6h52m-150 10h38m104 8h30"),
    line(near, 2.2, birds.join("")),
    heron(left ? 104 : 216, 150, near, left ? 1 : -1),
    ridge(random, near, 160, 6),
    line(near, 2.4, reeds.join("")),
  ].join("");
};

const heron = (x: number, y: number, colour: string, way: number) =>
  [
    `<g transform="matrix(${way} 0 0 1 ${x} ${y})">`,
    line(colour, 2.2, "M-2 -32L-4 12M6 -33L10 12"),
    shape(colour, "M-36 -28Q-14 -62 16 -50Q22 -34 2 -31Q-14 -27 -36 -28z"),
    line(colour, 5, "M13 -46C30 -58 4 -72 18 -86"),
    shape(colour, "M12 -88Q18 -95 26 -89L50 -82L24 -82Q16 -79 12 -88z"),
    "</g>",
  ].join("");

export const forest: Scene = (random, { far, mid, near }) =>
  [
    ridge(random, far, 84, 18),
    firs(random, far, 116, 34),
    firs(random, mid, 142, 50),
    firs(random, near, 178, 72),
    ridge(random, near, 172, 4),
  ].join("");

/** A row of firs of about that height that stand on `y`. */
function firs(random: Random, colour: string, y: number, height: number): string {
  let trees = "";
  for (let x = Math.round(random() * 16); x < WIDTH + 10;) {
    const tall = Math.round(height * (0.7 + random() * 0.6));
    const half = Math.round(tall * 0.24);
    trees += [0, 0.26, 0.5]
      .map((from, n) => {
        const wide = Math.round(half * (0.5 + n * 0.25));
        const top = Math.round(y - tall * (1 - from));
        return `M${x} ${top}l${wide} ${Math.round(tall * 0.46)}h${-2 * wide}z`;
      })
      .join("");
    x += Math.round(half * (1.2 + random() * 1.3));
  }
  return shape(colour, `${trees}M0 ${y - 3}h${WIDTH}v${HEIGHT}H0z`);
}
