import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataFolder } from "../../scripts/lib/data-folder";

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "tour-reviews-folder-"));
  folder = join(parent, "data");
});
afterEach(() => rm(parent, { recursive: true }));

const mode = async (...names: string[]) => (await stat(join(folder, ...names))).mode & 0o777;

async function make(name: string, bits: number): Promise<void> {
  await writeFile(join(folder, name), name);
  await chmod(join(folder, name), bits);
}

describe.skipIf(process.platform === "win32")("the data folder", () => {
  test("is made for its owner alone, with those above it", async () => {
    folder = join(parent, "deep", "data");
    const real = await openDataFolder(folder);
    expect(real.endsWith(join("deep", "data"))).toBe(true);
    expect([await mode(), await mode("..")]).toEqual([0o700, 0o700]);
  });

  test("is closed to others with all that commands have written into it", async () => {
    await mkdir(join(folder, "database"), { recursive: true });
    await chmod(join(folder, "database"), 0o755);
    await chmod(folder, 0o777);
    const files = ["session-secret", "database.json", "database.log", "demo-data", "database/a.wt"];
    for (const name of files) await make(name, 0o644);
    await openDataFolder(folder);
    expect([await mode(), await mode("database")]).toEqual([0o700, 0o700]);
    for (const name of files) expect([name, await mode(name)]).toEqual([name, 0o600]);
    expect(await readFile(join(folder, "session-secret"), "utf8")).toBe("session-secret");
  });

  test("stays open where others keep something in it, but not what is ours", async () => {
    await mkdir(folder);
    await chmod(folder, 0o755);
    await make("notes.txt", 0o644);
    await make("session-secret", 0o664);
    await openDataFolder(folder);
    expect([await mode(), await mode("notes.txt")]).toEqual([0o755, 0o644]);
    expect(await mode("session-secret")).toBe(0o600);
  });

  test("leaves alone what a link leads to", async () => {
    await mkdir(folder);
    const elsewhere = join(parent, "elsewhere");
    await writeFile(elsewhere, "");
    await chmod(elsewhere, 0o644);
    await symlink(elsewhere, join(folder, "session-secret"));
    await openDataFolder(folder);
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o644);
  });
});
