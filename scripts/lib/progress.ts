/** The remaining time is estimated from the progress of this many last milliseconds. */
const WINDOW_MS = 20_000;

/** No estimate is shown for this long at the beginning, in milliseconds. */
const SETTLING_MS = 3_000;

type OnProgress = (done: number, total: number) => void;

/**
 * Returns a function that draws a progress bar with an estimate of the remaining time on standard error, if that is a
 * terminal. `end` ends its line if the work ended early.
 */
export function progressBar(label: string): OnProgress & { end: () => void } {
  if (!process.stderr.isTTY) return Object.assign(() => {}, { end: () => {} });
  const remaining = remainingTime();
  let last = "";
  const draw: OnProgress = (done, total) => {
    const line = progressLine(label, done, total, remaining(done, total, performance.now()));
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

/** One line of at most 79 columns; `seconds` is the remaining time, if known. */
export function progressLine(
  label: string,
  done: number,
  total: number,
  seconds: number | null,
): string {
  const width = 30;
  const part = total ? done / total : 1;
  const bar = "█".repeat(Math.round(part * width)).padEnd(width, "░");
  const left = done === total || seconds === null ? "" : `, ${inWords(seconds)} left`;
  return `${label} ${bar} ${Math.floor(part * 100)} %${left}`;
}

function inWords(seconds: number): string {
  if (seconds < 60) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `about ${minutes} min` : `about ${(minutes / 60).toFixed(1)} h`;
}

/**
 * Returns a function that is told how many of how many steps are done at `now` (milliseconds of any clock). It
 * returns how many seconds the rest takes at the pace of the last seconds, or null while that is unknown.
 */
export function remainingTime(): (done: number, total: number, now: number) => number | null {
  const seen: { done: number; now: number }[] = [];
  return (done, total, now) => {
    seen.push({ done, now });
    while (seen.length > 2 && now - seen[1]!.now > WINDOW_MS) seen.shift();
    const first = seen[0]!;
    if (now - first.now < SETTLING_MS || done === first.done) return null;
    return ((total - done) * (now - first.now)) / (done - first.done) / 1_000;
  };
}
