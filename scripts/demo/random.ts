import { createHash } from "node:crypto";

export type Random = () => number;

/** A small seeded generator of numbers in [0, 1) (mulberry32), with one stream for each label. */
export function random(label: string): Random {
  let state = createHash("sha1").update(label).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
