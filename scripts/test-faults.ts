import "../tests/support/setup";
import { Report, type PartReport } from "../tests/faults/report";
import { endChildren } from "../tests/faults/support";
import { endWriters } from "../tests/faults/writers";
import { buildIfStale } from "./lib/build";
import { say, UsageError } from "./lib/command";

const PARTS = [
  "load",
  "contention",
  "log-ins",
  "crash",
  "decisions",
  "rights",
  "mail",
  "requests",
  "burst",
  "fuzz",
  "connections",
  "platform",
  "sizes",
  "records",
  "operation",
  "lighthouse",
];

type Prove = (report: PartReport) => Promise<void>;

/**
 * Runs the proofs that take too long for `npm test`, and prints a table of their figures and a line `N passed, N
 * failed`. With arguments it runs only the parts with those names.
 */
export default async function testFaults(names: string[]): Promise<number> {
  if (!names.every((name) => PARTS.includes(name)))
    throw new UsageError(`Usage: npm run test:faults -- [PART …], of ${PARTS.join(", ")}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  await buildIfStale();
  const report = new Report();
  for (const name of PARTS) {
    if (names.length > 0 && !names.includes(name)) continue;
    const began = performance.now();
    say(`\n── ${name}`);
    try {
      const part = (await import(`../tests/faults/${name}.ts`)) as { default: Prove };
      await part.default(report.of(name));
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
