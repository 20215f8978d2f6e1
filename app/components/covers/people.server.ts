// Scenes of what people have made.
import {
  circle,
  HEIGHT,
  line,
  type Random,
  ridge,
  shape,
  WIDTH,
  type Scene,
} from "./shapes.server";

export const food: Scene = (random, { sun, far, mid, near }) => {
  const shift = Math.round((random() - 0.5) * 24);
  const place = random() < 0.5 ? `1 0 0 1 ${shift} 0` : `-1 0 0 1 ${WIDTH + shift} 0`;
  return [
    circle(sun, 160 + shift, 78, 66),
    shape(near, "M0 132h320v48H0z"),
    shape(mid, "M0 132h320v6H0z"),
    `<g transform="matrix(${place})">`,
    // What is in the bowl, the bowl, and steam over it.
    circle(far, 136, 88, 15) + circle(mid, 160, 84, 17) + circle(far, 184, 89, 14),
    shape(near, "M106 90h108c0 24 -15 40 -34 44h-40c-19 -4 -34 -20 -34 -44z"),
    line(sun, 2.5, "M120 102q6 14 16 21"),
    line(far, 3, "M142 60q-8 -9 0 -18t0 -18m18 32q-8 -9 0 -18t0 -18m18 36q-8 -9 0 -18t0 -18"),
    // A bottle and a glass.
    shape(mid, "M52 134V84q0 -10 7 -15V44h12v25q7 5 7 15v50z"),
    shape(far, "M52 98h26v20H52z"),
    shape(far, "M248 84h34q0 27 -14 30v16h10v4h-26v-4h10v-16q-14 -3 -14 -30z"),
    shape(mid, "M250 95h30q-3 16 -15 18q-12 -2 -15 -18z"),
    "</g>",
  ].join("");
};

export const vineyard: Scene = (random, { sun, far, mid, near }) => {
  const x = Math.round(110 + random() * 100);
  const house = x < 160 ? 236 : 64;
  const rows = Array.from({ length: 11 }, (_, n) => {
    const end = x + (n - 5) * 62;
    return shape(mid, `M${x + (n - 5) * 9} 110L${end - 17} 182H${end + 17}z`);
  });
  return [
    ridge(random, far, 78, 20),
    shape(mid, "M0 104Q80 88 160 100T320 98V180H0z"),
    cypress(house - 32, 100, near) + cypress(house + 27, 99, near) + cypress(house + 38, 98, near),
    shape(sun, `M${house - 18} 100V82h36v18z`),
    shape(near, `M${house - 22} 83L${house} 70l22 13zM${house - 4} 100V89h8v11z`),
    shape(near, "M0 116Q160 100 320 114V180H0z"),
    ...rows,
  ].join("");
};

const cypress = (x: number, y: number, colour: string) =>
  shape(colour, `M${x} ${y + 2}q-7 -18 0 -40q7 22 0 40z`);

export const town: Scene = (random, { sun, far, mid, near }) => {
  const tower = Math.round(70 + random() * 170);
  return [
    houses(random, far, 76, null),
    shape(far, `M${tower - 12} 110V52l12 -26l12 26v58z`),
    houses(random, mid, 104, sun),
    houses(random, near, 142, sun),
  ].join("");
};

/** A row of houses whose eaves are around the height `y`, with lights in some windows. */
function houses(random: Random, colour: string, y: number, light: string | null): string {
  let walls = "";
  let windows = "";
  for (let x = -10 - Math.round(random() * 20); x < WIDTH;) {
    const width = Math.round(30 + random() * 22);
    const top = Math.round(y + (random() - 0.5) * 24);
    const roof = Math.round(random() < 0.2 ? 0 : 9 + random() * 9);
    walls += `M${x} ${HEIGHT}V${top}l${width / 2} ${-roof}l${width / 2} ${roof}V${HEIGHT}z`;
    if (light)
      for (const left of [0.22, 0.58])
        if (random() < 0.7) windows += `M${Math.round(x + width * left)} ${top + 8}h6v9h-6z`;
    x += width;
  }
  return shape(colour, walls) + (light ? shape(light, windows) : "");
}

export const past: Scene = (random, { sun, far, mid, near }) => {
  const x = Math.round(118 + random() * 84);
  return [
    ridge(random, far, 92, 20),
    shape(mid, `M${x - 190} 180Q${x - 90} 108 ${x} 106T${x + 190} 180z`),
    `<g transform="translate(${x} 112)">`,
    random() < 0.5 ? castle(near, sun) : temple(near, sun),
    "</g>",
    ridge(random, near, 152, 8),
  ].join("");
};

const castle = (wall: string, light: string) =>
  shape(wall, "M-52 0V-40h8v6h8v-6h8v6h8v-6h40v6h8v-6h8v6h8v-6h8V0z") +
  shape(
    wall,
    "M-20 0V-66h8v7h8v-7h8v7h8v-7h8V0zM-64 0V-50l11 -16l11 16V0zM42 0V-50l11 -16l11 16V0z",
  ) +
  line(wall, 2, "M-4 -66v-20") +
  shape(
    light,
    "M-3 -86l16 5l-16 6zM-8 0v-14a8 8 0 0 1 16 0V0zM-9 -46h6v10h-6zM3 -46h6v10h-6zM-56 -40h5v9h-5zM51 -40h5v9h-5z",
  );

const temple = (stone: string, light: string) =>
  shape(stone, "M-62 -48L0 -78L62 -48zM-58 -46H58v6H-58zM-60 -4H60V4H-60z") +
  shape(stone, [-50, -27, -5, 17, 40].map((x) => `M${x} -40h10v36h-10z`).join("")) +
  circle(light, 0, -58, 5);

export const night: Scene = (random, { sun, far, mid, near }) => {
  const stars = Array.from({ length: 34 }, () =>
    circle(
      sun,
      Math.round(random() * WIDTH),
      Math.round(random() * 104),
      random() < 0.25 ? 1.4 : 0.8,
    ),
  );
  const x = Math.round(60 + random() * 180);
  return [
    ...stars,
    ridge(random, far, 104, 18),
    ridge(random, mid, 126, 12),
    cypress(x + 24, 134, near) + cypress(x + 33, 136, near),
    shape(near, `M${x - 16} 142V118l16 -13l16 13v24z`),
    shape(sun, `M${x - 8} 131v-9h6v9zM${x + 2} 131v-9h6v9z`),
    ridge(random, near, 146, 8),
  ].join("");
};

export const ride: Scene = (random, { far, mid, near }) => {
  const x = Math.round(90 + random() * 80);
  return [
    ridge(random, far, 76, 22),
    ridge(random, mid, 124, 10),
    `<g transform="translate(${x} 116)">`,
    `<circle fill="none" stroke="${near}" stroke-width="3.4" r="23"/>`,
    `<circle fill="none" stroke="${near}" stroke-width="3.4" cx="72" r="23"/>`,
    line(
      near,
      3.4,
      "M0 0L32 2L58 -34L18 -30L32 2M0 0L20 -30M15 -42L20 -30M7 -43h16M55 -45L72 0M55 -45q8 -6 14 2",
    ),
    "</g>",
    shape(near, "M0 140Q90 134 170 140T320 137V180H0z"),
    line(mid, 2.5, "M8 158h34m24 0h34m24 0h34m24 0h34m24 0h34m24 0h34"),
  ].join("");
};
