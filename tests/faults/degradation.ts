import type { PartReport } from "./report";
import { vitest } from "./support";

const FILE = "tests/degradation.test.ts";

/** What is left of the service without its database, in a flood of bodies, and at its own end. */
export default async function degradation(report: PartReport): Promise<void> {
  const results = await vitest([FILE]);
  for (const { fullName, status, duration } of results.flatMap(
    ({ assertionResults }) => assertionResults,
  ))
    report.check(fullName, `${((duration ?? 0) / 1_000).toFixed(1)} s`, status === "passed");
}
