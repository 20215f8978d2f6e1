import { MINUTE_MS } from "~/lib/durations";

const WIDTH = 30;

type OnProgress = (done: number, total: number) => void;

/** How often a line says so where nothing is drawn, in milliseconds. */
const LINE_MS = MINUTE_MS;

/**
 * Returns a function that draws a progress bar on standard error, or says once a minute how far it is where that is no
 * terminal. `end` ends the bar's line early.
 */
export function progressBar(label: string): OnProgress & { end: () => void } {
  if (!process.stderr.isTTY) return Object.assign(lines(label), { end: () => {} });
  let last = "";
  const draw: OnProgress = (done, total) => {
    const part = total ? done / total : 1;
    const bar = "█".repeat(Math.round(part * WIDTH)).padEnd(WIDTH, "░");
    const line = `${label} ${bar} ${Math.floor(part * 100)} %`;
    if (line === last) return;
    process.stderr.write(`\r${line}\u001b[K${done === total ? "\n" : ""}`);
    last = done === total ? "" : line;
  };
  const end = () => {
    if (last !== "") process.stderr.write("\n");
    last = "";
  };
  return Object.assign(draw, { end });
}

function lines(label: string): OnProgress {
  let next = performance.now() + LINE_MS;
  return (done, total) => {
    if (performance.now() < next) return;
    next = performance.now() + LINE_MS;
    const count = (number: number) => number.toLocaleString("en");
    process.stderr.write(`${label}: ${count(done)} of ${count(total)}\n`);
  };
}
