import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { prepareServer, type ServerCommand } from "../../scripts/database/install";

const folder = fileURLToPath(new URL("../../scripts/database", import.meta.url));

let server: ServerCommand;
beforeAll(async () => {
  server = await prepareServer();
}, 300_000);

/** A Python program that begins with `setting`. */
const program = (setting: string, then: string) =>
  [
    "import importlib.metadata, sys, runpy",
    `sys.path.insert(0, ${JSON.stringify(folder)})`,
    setting,
    then,
  ].join("\n");

function applyPatches(setting = "", then = ""): { status: number | null; errors: string } {
  const source = program(setting, `import patches; patches.apply(); ${then}`);
  const { status, stderr } = spawnSync(server.file, ["-I", "-B", "-c", source], {
    encoding: "utf8",
  });
  return { status, errors: stderr };
}
const APPLIED = { status: 0, errors: "" };

const UPGRADE = 'importlib.metadata.version = lambda name: "9.0"';
const REFUSAL =
  /^secantusdb 9\.0 is not \S+, for which patches\.py was written: see docs\/decisions\/005-embedded-database\.md$/m;

describe("the patches of the embedded database", () => {
  // A native server needs none.
  beforeEach((context) => context.skip(!server.endsWithInput));

  it("fit the version that is installed, and let threads take turns ten times as often as Python's default", () => {
    const isTenth = "assert abs(sys.getswitchinterval() - usual / 10) < 1e-9";
    expect(applyPatches("usual = sys.getswitchinterval()", isTenth)).toEqual(APPLIED);
  });

  it("stop the start of the database and show that line", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "database-patches-test-"));
    const run = `runpy.run_path(${JSON.stringify(join(folder, "serve.py"))}, run_name="__main__")`;
    const source = program(UPGRADE, run);
    const command: ServerCommand = { ...server, args: ["-I", "-B", "-c", source] };
    const keeper = fork(join(folder, "keeper.mjs"), [JSON.stringify(command)], {
      cwd: dataDir,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exited = once(keeper, "exit");
    const [outcome] = (await once(keeper, "message")) as [{ failed?: string }];
    expect(outcome.failed).toMatch(REFUSAL);
    expect(await exited).toEqual([1, null]);
    await rm(dataDir, { recursive: true, force: true });
  });
});
