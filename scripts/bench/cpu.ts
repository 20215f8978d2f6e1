import { readFileSync, readdirSync } from "node:fs";

/** Linux's clock ticks per second. */
const TICKS = 100;

/** The processor time that processes of this machine have used, in seconds; undefined if the system does not tell. */
export function cpuSeconds(pids: readonly number[]): number | undefined {
  if (process.platform !== "linux") return undefined;
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0) / TICKS;
}

/** A process and all its descendants that still run. */
export function withDescendants(pid: number): number[] {
  if (process.platform !== "linux") return [pid];
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc"))
    if (/^\d+$/.test(entry)) parents.set(Number(entry), statOf(Number(entry))?.parent ?? 0);
  const found = [pid];
  for (const one of found)
    for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

/** The fields of /proc/PID/stat after the program's name, which may contain anything. */
function statOf(pid: number): { parent: number; ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined; // It has ended since.
  }
}
