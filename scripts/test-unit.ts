import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { UsageError } from "./lib/command";

/** Runs only the unit tests. Arguments go to Vitest: `npm run test:unit -- --watch`. Returns its exit code. */
export default async function testUnit(args: string[]): Promise<number> {
  if (args.includes("--help"))
    throw new UsageError("Usage: npm run test:unit -- [--watch] [ARGUMENTS OF VITEST]");
  const vitest = createRequire(import.meta.url).resolve("vitest/package.json");
  const command = args.includes("--watch") ? "watch" : "run";
  const rest = args.filter((arg) => arg !== "--watch");
  const child = spawn(
    process.execPath,
    [join(vitest, "..", "vitest.mjs"), command, "--project", "unit", ...rest],
    { stdio: "inherit" },
  );
  // Ctrl-C in a terminal reaches the child as well.
  process.on("SIGINT", () => {});
  process.once("SIGTERM", () => child.kill("SIGTERM"));
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
