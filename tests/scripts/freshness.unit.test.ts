import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildFolder, findBuild } from "../../scripts/lib/freshness.mjs";

let folder: string;

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "tour-reviews-fresh-"))));
afterEach(() => rm(folder, { recursive: true }));

describe("a build", () => {
  beforeEach(async () => {
    for (const name of ["app/routes", "emails", "models", "scripts/lib"])
      await mkdir(join(folder, name), { recursive: true });
    const files = ["package.json", "package-lock.json", "remix.config.js", "tsconfig.json"];
    for (const name of ["app/root.tsx", "app/routes/a.ts", "scripts/lib/build.ts", ...files])
      await writeFile(join(folder, name), name);
  });

  test("belongs to the content of its sources, whatever their times and their folder", async () => {
    const first = buildFolder(folder);
    expect(first).toMatch(/^build\/[0-9a-f]{16}$/);
    expect(findBuild(folder)).toBeNull();
    await mkdir(join(folder, first), { recursive: true });
    expect(findBuild(folder)).toBe(first);

    const copy = join(folder, "copy");
    for (const name of ["app", "emails", "models", "scripts", "tsconfig.json", "remix.config.js"])
      await cp(join(folder, name), join(copy, name), { recursive: true });
    for (const name of ["package.json", "package-lock.json"])
      await cp(join(folder, name), join(copy, name));
    const soon = new Date(Date.now() + 60_000);
    await utimes(join(copy, "app/root.tsx"), soon, soon);
    expect(buildFolder(copy)).toBe(first);
  });

  test.each([
    ["another content", () => writeFile(join(folder, "app/root.tsx"), "app/root.tsX")],
    ["a new file", () => writeFile(join(folder, "models/new.ts"), "")],
    ["one file less", () => rm(join(folder, "app/routes/a.ts"))],
    ["other packages", () => writeFile(join(folder, "package-lock.json"), "other")],
  ])("is another one with %s", async (_, change) => {
    const first = buildFolder(folder);
    await change();
    expect(buildFolder(folder)).not.toBe(first);
  });
});
