import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storedSessionSecret } from "../../scripts/lib/session-secret";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tour-reviews-secret-"));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, "data", "session-secret");

test("is made once, for its owner alone", async () => {
  const secret = await storedSessionSecret(join(folder, "data"));
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await readFile(file(), "utf8")).toBe(secret);
  if (process.platform !== "win32") expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(await storedSessionSecret(join(folder, "data"))).toBe(secret);
  expect(await readdir(join(folder, "data"))).toEqual(["session-secret"]);
});

// The rest of a file that was not synced, after a crash of the machine.
test.each(["", "\0".repeat(43), "x".repeat(31)])("is made anew instead of %j", async (left) => {
  await storedSessionSecret(join(folder, "data"));
  await writeFile(file(), left);
  const secret = await storedSessionSecret(join(folder, "data"));
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await storedSessionSecret(join(folder, "data"))).toBe(secret);
});

test("of a person's own, with a line break, is taken without it", async () => {
  await storedSessionSecret(join(folder, "data"));
  await writeFile(file(), `${"own secret ".repeat(4)}!\n`);
  expect(await storedSessionSecret(join(folder, "data"))).toBe(`${"own secret ".repeat(4)}!`);
});

test("where nothing can be written is one line that names DATA_DIR", async () => {
  await writeFile(join(folder, "data"), "a file");
  await expect(storedSessionSecret(join(folder, "data"))).rejects.toThrow(
    /^DATA_DIR cannot be used: /,
  );
});
