import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  folder,
  nothingLeft,
  outcome,
  processesOf,
  run,
  until,
  useCommands,
} from "../support/commands";

useCommands();

/** The folder for everything that the command writes. */
async function temporary(name: string) {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

/** Only our folders; the compiler of scripts keeps one, too. */
const leftIn = async (path: string) =>
  (await readdir(path)).filter((name) => name.startsWith("tour-reviews-"));

// On a busy machine the two copies of one program are compared up to three times.
it(
  "npm run bench measures the rows that it is asked for, and leaves nothing behind",
  { timeout: 400_000 },
  async () => {
    const TMPDIR = await temporary("bench");
    const document = await readFile("docs/performance.md", "utf8");
    const args = ["--engine", "python", "--rounds", "1", "--ms", "100", "--only", "writers"];
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
    // A run with only some of the rows is not written to the document.
    expect(await readFile("docs/performance.md", "utf8")).toBe(document);
    await nothingLeft(TMPDIR);
    expect(await leftIn(TMPDIR)).toEqual([]);
  },
);

it("npm run bench ends with all its programs on SIGINT", async () => {
  const TMPDIR = await temporary("bench-stopped");
  const args = ["--engine", "python", "--rounds", "99", "--only", "writers"];
  const { child, ended } = run(["bench", ...args], { TMPDIR });
  await until(() => processesOf(TMPDIR).some((line) => line.includes("bare.mjs")), 120);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  await nothingLeft(TMPDIR);
  expect(await leftIn(TMPDIR)).toEqual([]);
});
