const WIDTH = 30;

type OnProgress = (done: number, total: number) => void;

/** Returns a function that draws a progress bar on standard error, if that is a terminal. `end` ends its line early. */
export function progressBar(label: string): OnProgress & { end: () => void } {
  if (!process.stderr.isTTY) return Object.assign(() => {}, { end: () => {} });
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
