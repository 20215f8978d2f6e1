import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, nothingLeft, outcome, useCommands } from "../support/commands";

useCommands();

/** Only our folders; the compiler of scripts keeps one, too. */
const leftIn = async (path: string) =>
  (await readdir(path)).filter((name) => name.startsWith("tour-reviews-"));

it(
  "npm run bench measures the rows that it is asked for, and leaves nothing behind",
  { timeout: 400_000 },
  async () => {
    const TMPDIR = join(folder, "bench");
    await mkdir(TMPDIR);
    const args = ["--rounds", "1", "--ms", "100", "--only", "writers"];
    const { code, stdout } = await outcome(["bench", ...args], { TMPDIR });
    // On a busy machine a run is void, which is not an error.
    expect([0, 1]).toContain(code);
    const rows = stdout.split("\n").filter((line) => line.startsWith("| "));
    expect(rows).toEqual([
      expect.stringMatching(/^\| what/),
      expect.stringMatching(/^\| ---/),
      expect.stringMatching(/one tour [\d.]+, 32 tours [\d.]+ a second .* 0\.75 or more/),
    ]);
    expect(stdout).toMatch(/^SecantusDB .* Two copies of the bare server: [\d.]+\.$/m);
    await nothingLeft(TMPDIR);
    expect(await leftIn(TMPDIR)).toEqual([]);
  },
);
