import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./arithmetic";
import { cpuSeconds, withDescendants } from "./cpu";
import { throughput } from "./load";
import { writers } from "./posting";
import { type Program, startSite } from "./programs";
import type { Bench, Row } from "./row";

/** A site of several server processes; with several addresses if this version has no `WEB_CONCURRENCY`. */
interface Site {
  urls: string[];
  pids: () => number[];
  stop: () => Promise<void>;
}

/** How long the processes of a site may take to become idle, in milliseconds. */
const SETTLE_MS = 20_000;

async function startProcesses(uri: string, count: number): Promise<Site> {
  const programs: Program[] = [await startSite(uri, count)];
  const pids = () => programs.flatMap(({ pid }) => withDescendants(pid));
  await settled(pids);
  // The command itself, and the processes that serve.
  const perSite = pids().length - 1;
  while (programs.length * perSite < count) programs.push(await startSite(uri, count));
  await settled(pids);
  return {
    urls: programs.map(({ url }) => url),
    pids,
    stop: async () => void (await Promise.all(programs.map((program) => program.stop()))),
  };
}

/** Waits until the processes are idle: the second one starts only after the first one answers. */
async function settled(pids: () => number[]): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  for (let quiet = 0; quiet < 3 && performance.now() < end;) {
    const before = cpuSeconds(pids()) ?? 0;
    await sleep(500);
    quiet = (cpuSeconds(pids()) ?? 0) - before < 0.05 ? quiet + 1 : 0;
  }
}

/** The gain from a second server process, with a site started as `npm start` starts it. */
export function processRows(bench: Bench): Row[] {
  const { uri, seeded, engine, ms } = bench;
  let sites: Record<"one" | "two", Site>;
  const shares: Record<"one" | "two", string[][]> = { one: [], two: [] };
  /** Notes how many processors the servers, the database and this process used on average during `work`. */
  const watched = async (name: "one" | "two", work: () => Promise<number>) => {
    const pids = [sites[name].pids(), engine.pids(), [process.pid]];
    const before = pids.map(cpuSeconds);
    const began = performance.now();
    const found = await work();
    const seconds = (performance.now() - began) / 1_000;
    shares[name].push(
      pids.map((some, index) =>
        (((cpuSeconds(some) ?? NaN) - before[index]!) / seconds).toFixed(2),
      ),
    );
    return found;
  };
  const used = (name: "one" | "two") => {
    const [servers, database, load] = [0, 1, 2].map((part) =>
      median(shares[name].map((share) => Number(share[part]))).toFixed(2),
    );
    return `servers ${servers}, database ${database}, load ${load}`;
  };
  const write = (name: "one" | "two") => () =>
    watched(name, () => writers(bench, sites[name].urls, [seeded.oneTour], 3 * ms));
  const read = (name: "one" | "two") => () =>
    watched(name, () => {
      const pages = sites[name].urls.map((url) => `${url}/tours/${seeded.page.slug}`);
      return throughput(pages, { ms });
    });
  const note = () => {
    const text = `Processors used with one: ${used("one")}; with two: ${used("two")}.`;
    shares.one.length = shares.two.length = 0;
    return text;
  };
  const row = (what: string, measure: typeof read, min: number): Row => ({
    id: "processes",
    what,
    unit: "a second",
    note,
    programs: { one: measure("one"), two: measure("two") },
    figures: [{ what: "two / one", of: "two", to: "one", bound: { min } }],
  });
  // Both rows use the same processes.
  return [
    {
      ...row("32 writers on one tour, through one process and through two", write, 0.65),
      async prepare() {
        const one = await startProcesses(uri, 1);
        sites = { one, two: await startProcesses(uri, 2) };
      },
    },
    {
      ...row("page of 20 reviews, from one process and from two", read, 1.5),
      done: async () => void (await Promise.all([sites?.one.stop(), sites?.two.stop()])),
    },
  ];
}
