import "../tests/support/setup";
import backup from "../tests/faults/backup";
import burst from "../tests/faults/burst";
import connections from "../tests/faults/connections";
import crash from "../tests/faults/crash";
import decisions from "../tests/faults/decisions";
import degradation from "../tests/faults/degradation";
import fullDisk from "../tests/faults/full-disk";
import fuzz from "../tests/faults/fuzz";
import guards from "../tests/faults/guards";
import lighthouse from "../tests/faults/lighthouse";
import load from "../tests/faults/load";
import logIns from "../tests/faults/log-ins";
import mail from "../tests/faults/mail";
import operation from "../tests/faults/operation";
import platform from "../tests/faults/platform";
import sizes from "../tests/faults/sizes";
import { Report, type PartReport } from "../tests/faults/report";
import { endChildren } from "../tests/faults/support";
import { endWriters } from "../tests/faults/writers";
import { buildIfStale } from "./lib/build";
import { say, UsageError } from "./lib/command";

const PARTS: Record<string, (report: PartReport, word?: string) => Promise<void>> = {
  load,
  "log-ins": logIns,
  crash,
  decisions,
  backup,
  "full-disk": fullDisk,
  mail,
  burst,
  fuzz,
  degradation,
  connections,
  platform,
  sizes,
  operation,
  guards,
  lighthouse,
};

/**
 * Runs the proofs that take too long for `npm test`, and prints a table of their figures and a line `N passed, N
 * failed`. With arguments it runs only the parts with those names; `guards:WORD` is that part, with only the guards
 * whose names contain the word.
 */
export default async function testFaults(names: string[]): Promise<number> {
  const asked = new Map(names.map((name) => name.split(":", 2) as [string, string | undefined]));
  for (const [part, word] of asked)
    if (!(part in PARTS) || (word !== undefined && part !== "guards"))
      throw new UsageError(
        `Usage: npm run test:faults -- [PART …], of ${Object.keys(PARTS).join(", ")}, guards:WORD`,
      );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await buildIfStale();
  const report = new Report();
  for (const [name, prove] of Object.entries(PARTS)) {
    if (asked.size > 0 && !asked.has(name)) continue;
    const began = performance.now();
    say(`\n── ${name}`);
    try {
      await prove(report.of(name), asked.get(name));
    } catch (error) {
      say((error as Error).stack ?? String(error));
      report.of(name).check("ran to its end", "no", false);
    } finally {
      await endChildren();
      await endWriters();
    }
    say(`  ${Math.round((performance.now() - began) / 1_000)} s`);
  }
  process.stdout.write(
    `\n${report.toString()}\n\n${report.passed} passed, ${report.failed} failed\n`,
  );
  return report.failed > 0 ? 1 : 0;
}
