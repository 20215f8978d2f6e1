import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { buildFolder, findBuild, isInstalled } from "../../../scripts/lib/freshness.mjs";

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
    ["another command", () => writeFile(join(folder, "scripts/lib/build.ts"), "export {}")],
    ["a new file", () => writeFile(join(folder, "models/new.ts"), "")],
    ["one file less", () => rm(join(folder, "app/routes/a.ts"))],
    ["other packages", () => writeFile(join(folder, "package-lock.json"), "other")],
    ["another name", () => cp(join(folder, "app/routes/a.ts"), join(folder, "app/routes/b.ts"))],
  ])("is another one with %s", async (_, change) => {
    const first = buildFolder(folder);
    await change();
    expect(buildFolder(folder)).not.toBe(first);
  });
});

describe("packages", () => {
  const LOCK = {
    "": { version: "1.0.0" },
    "node_modules/zod": { version: "4.0.0", integrity: "sha512-zod" },
    "node_modules/vitest": { version: "4.1.0", integrity: "sha512-vitest", dev: true },
    "node_modules/windows-only": { version: "1.0.0", integrity: "sha512-win", optional: true },
    "node_modules/dev-windows": { version: "1.0.0", integrity: "x", dev: true, optional: true },
  };
  type Packages = Record<string, object>;
  const { "": _root, "node_modules/windows-only": _win, ...withoutWindows } = LOCK;
  const { "node_modules/dev-windows": _dev, ...ALL } = withoutWindows;
  const { "node_modules/vitest": _vitest, ...PRODUCTION } = ALL;

  /** Whether they are installed for development and for serving only, with these in `node_modules`. */
  async function installed(packages: Packages | null) {
    await mkdir(join(folder, "node_modules"));
    await writeFile(join(folder, "package-lock.json"), JSON.stringify({ packages: LOCK }));
    if (packages)
      await writeFile(
        join(folder, "node_modules/.package-lock.json"),
        JSON.stringify({ packages }),
      );
    return [true, false].map((development) => isInstalled({ development, root: folder }));
  }

  test.each<[string, Packages | null, [boolean, boolean]]>([
    ["all that this system needs", ALL, [true, true]],
    ["those for production", PRODUCTION, [false, true]],
    ["none", null, [false, false]],
    ["one missing", { "node_modules/vitest": ALL["node_modules/vitest"] }, [false, false]],
    [
      "another version",
      { ...ALL, "node_modules/zod": { version: "4.0.1", integrity: "sha512-zod" } },
      [false, false],
    ],
    [
      "another content",
      { ...ALL, "node_modules/zod": { version: "4.0.0", integrity: "sha512-other" } },
      [false, false],
    ],
  ])("that are %s", async (_, packages, expected) => {
    expect(await installed(packages)).toEqual(expected);
  });
});
