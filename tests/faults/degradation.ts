import type { PartReport } from "./report";
import { vitest } from "./support";

const FILES = ["tests/server/degradation.http.slow.test.ts", "tests/db/transaction.test.ts"];

/** How the service works without its database, during a flood of bodies, and while it stops. */
export default async function degradation(report: PartReport): Promise<void> {
  const results = await vitest(FILES);
  for (const { fullName, status, duration } of results.flatMap(
    ({ assertionResults }) => assertionResults,
  ))
    report.check(fullName, `${((duration ?? 0) / 1_000).toFixed(1)} s`, status === "passed");
}
