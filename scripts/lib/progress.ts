/** Returns a function that draws a progress bar on standard error, if that is a terminal. */
export function progressBar(label: string): (done: number, total: number) => void {
  if (!process.stderr.isTTY) return () => {};
  const width = 30;
  let last = "";
  return (done, total) => {
    const part = total ? done / total : 1;
    const bar = "█".repeat(Math.round(part * width)).padEnd(width, "░");
    const line = `${label} ${bar} ${Math.floor(part * 100)} %`;
    if (line === last) return;
    last = line;
    process.stderr.write(`\r${line}${done === total ? "\n" : ""}`);
  };
}
