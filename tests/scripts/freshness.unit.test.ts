import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildFolder, findBuild } from "../../scripts/lib/freshness.mjs";

let folder: string;

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "tour-reviews-fresh-"))));
afterEach(() => rm(folder, { recursive: true }));

const LISTS = ["package.json", "package-lock.json", "remix.config.js", "tsconfig.json"];

beforeEach(async () => {
  for (const name of ["app/routes", "emails", "models", "scripts/lib"])
    await mkdir(join(folder, name), { recursive: true });
  for (const name of ["app/root.tsx", "app/routes/a.ts", "scripts/lib/build.ts", ...LISTS])
    await writeFile(join(folder, name), name);
});

test("a build belongs to the content of its sources, whatever their times and their folder", async () => {
  const first = buildFolder(folder);
  expect(first).toMatch(/^build\/[0-9a-f]{16}$/);
  expect(findBuild(folder)).toBeNull();
  await mkdir(join(folder, first), { recursive: true });
  expect(findBuild(folder)).toBe(first);

  const copy = join(folder, "copy");
  for (const name of ["app", "emails", "models", "scripts", ...LISTS])
    await cp(join(folder, name), join(copy, name), { recursive: true });
  const soon = new Date(Date.now() + 60_000);
  await utimes(join(copy, "app/root.tsx"), soon, soon);
  expect(buildFolder(copy)).toBe(first);
});

test("a build is another one with another content, a new file, one less, or other packages", async () => {
  const seen = new Set([buildFolder(folder)]);
  await writeFile(join(folder, "app/root.tsx"), "app/root.tsX");
  seen.add(buildFolder(folder));
  await writeFile(join(folder, "models/new.ts"), "");
  seen.add(buildFolder(folder));
  await rm(join(folder, "app/routes/a.ts"));
  seen.add(buildFolder(folder));
  await writeFile(join(folder, "package-lock.json"), "other");
  expect(seen.add(buildFolder(folder)).size).toBe(5);
});
